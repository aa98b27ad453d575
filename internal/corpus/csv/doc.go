// Package csv reads and writes papers as tables of text: values parted by commas,
// semicolons, tabs or bars, as spreadsheets and databases export them.
package csv
