// Package cli is the command line of akin: it turns words and flags into the engine's
// requests, and answers into tables for people or JSON for programs.
//
// Each command has a file: its options, its flags, a run function that knows no cobra,
// and a renderer. Data goes to the standard output, everything else to the standard
// error. The environment is read here and nowhere below: AKIN_LIBRARY, AKIN_ENGINE,
// NO_COLOR, COLUMNS, TERM and the XDG folders. The exit codes are in exit.go.
package cli
