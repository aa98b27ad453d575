// Package pubmed reads PubMed's XML and its "abstract" text.
package pubmed
