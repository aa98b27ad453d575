//go:build unix

package embed_test

import (
	"syscall"
	"testing"
	"time"
)

// cpuTime is the time that this process has run on all processors.
func cpuTime(t testing.TB) time.Duration {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
