//go:build !unix

package embed_test

import (
	"testing"
	"time"
)

var processStart = time.Now()

// cpuTime is the clock where the processor's time is not to be had.
func cpuTime(testing.TB) time.Duration { return time.Since(processStart) }
