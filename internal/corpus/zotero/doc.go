// Package zotero reads Zotero's JSON and its own database.
package zotero
