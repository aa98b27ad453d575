// Package xlsx reads papers from spreadsheets.
package xlsx
