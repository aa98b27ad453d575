package cli

import (
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/seed-9f29d379/akin/internal/number"
)

// count writes a number with its thousands apart: "12,345".
func count[T int | int64 | uint64](n T) string { return number.Grouped(n) }

// plural is a number with its noun: "1 paper", "12,345 papers".
func plural(n int, noun string) string { return number.Of(n, noun) }

// size writes a number of bytes: "45 MB".
func size(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }

// duration writes seconds as a person would say them: "0.4 s", "12 s", "3 min 20 s".
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	default:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
}
