// Package all is the written list of the formats that papers are read from.
package all
