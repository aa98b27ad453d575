package main

import (
	"log"
	"syscall"
	"time"
)

func usage() syscall.Rusage {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return u
}

// cpuTime is what the process has used of all processors.
func cpuTime() time.Duration {
	u := usage()
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the largest resident set, in bytes (Linux counts it in KiB).
func peakMemory() float64 { return float64(usage().Maxrss) * 1024 }
