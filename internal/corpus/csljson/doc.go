// Package csljson reads and writes CSL-JSON, the form of citation processors.
package csljson
