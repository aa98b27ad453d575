// Package ris reads and writes RIS, the tagged form that most reference managers and
// databases exchange.
package ris
