package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"golang.org/x/term"
)

// Process is what a command may touch of the process that runs it.
type Process struct {
	Args   []string // without the program's name
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Getenv func(string) string
	// Columns is the width of the terminal behind a stream, 0 where there is none.
	Columns func(stream any) int
	// SetGCPercent decides how much the heap may grow before it is collected; nil where
	// that is not the command's to decide.
	SetGCPercent func(percent int)
}

// garbagePercent is how much a heap may grow before it is collected. A heap of akin is
// small, most of what it works on being mapped or in SQLite's cache; collecting it less
// often makes an import a tenth faster for about 20 MB. GOGC still decides where it is set.
const garbagePercent = 200

// Main runs the command that the process was started with and returns its exit code.
// The first interrupt ends the command's context, so that what is done is kept; the
// second kills the process.
func Main() int {
	var setGCPercent func(int)
	if os.Getenv("GOGC") == "" {
		setGCPercent = func(percent int) { debug.SetGCPercent(percent) }
		setGCPercent(garbagePercent)
	}
	// A closed pipe is an error to return from a write, not the end of the process
	// in the middle of one.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return Run(ctx, Process{
		Args:         os.Args[1:],
		Stdin:        os.Stdin,
		Stdout:       os.Stdout,
		Stderr:       os.Stderr,
		Getenv:       os.Getenv,
		Columns:      columns,
		SetGCPercent: setGCPercent,
	})
}

// Run runs one command and returns its exit code. What went wrong it writes to p.Stderr.
func Run(ctx context.Context, p Process) int {
	s := newSession(p)
	root := newRoot(s)
	root.SetArgs(p.Args)
	err := root.ExecuteContext(ctx)
	s.end()
	if flushErr := s.out.Flush(); err == nil {
		err = flushErr
	}
	switch {
	case err == nil, closedPipe(err):
		return exitOK
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return exitInterrupted
	}
	s.report(err)
	return exitCode(err)
}

// columns is the width of the terminal behind stream, 0 where there is none.
func columns(stream any) int {
	f, ok := stream.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return knownWidth(width)
}

// knownWidth is the width to set text for on a terminal that says width: one under
// script, expect or some CI says 0.
func knownWidth(width int) int {
	if width <= 0 {
		return plainWidth
	}
	return width
}
