// Package lines parts a text into lines at any line end (CR, LF or CRLF, mixed as they
// come), in bounded memory.
package lines
