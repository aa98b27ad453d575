// Package nbib reads PubMed's own tagged form (MEDLINE, .nbib).
package nbib
