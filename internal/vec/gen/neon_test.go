package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNEONLoopsAreAsLongAsStated counts the instructions of the inner loops: arm64 is not
// timed (it runs under emulation here), so that the decision record states counts.
func TestNEONLoopsAreAsLongAsStated(t *testing.T) {
	for _, c := range []struct {
		what     string
		fn       function
		from, to string // labels about the loop
		want     map[string]int
	}{
		{
			"four steps of the tile of floats", neonTile("tile", 3, floatWords), "r4block", "r4rest",
			map[string]int{"fmla": 96, "FMOVQ.P": 4, "FLDPQ": 12, "ADD": 4, "SUBS": 1, "BNE": 1},
		},
		{
			"four steps of the tile of integers", neonTile("tile", 3, integerWords), "r4block", "r4rest",
			map[string]int{"smlal": 96, "smlal2": 96, "FMOVQ.P": 4, "VLD2.P": 12, "SUBS": 1, "BNE": 1},
		},
		{
			"32 bytes of four rows of 8-bit dots", neonDotsI8, "l3", "l4",
			map[string]int{"sdot": 8, "FLDPQ.P": 5, "CMP": 1, "ADD": 1, "BGE": 1},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			var asm bytes.Buffer
			writeFunction(&asm, neon{}, c.fn)
			_, loop, found := strings.Cut(asm.String(), c.from+":\n")
			loop, _, ends := strings.Cut(loop, c.to+":\n")
			if !found || !ends {
				t.Fatalf("no loop from %s to %s in\n%s", c.from, c.to, asm.String())
			}
			got := map[string]int{}
			for line := range strings.Lines(loop) {
				name := strings.Fields(line)[0]
				if _, text, ok := strings.Cut(line, "// "); ok && name == "WORD" {
					name = strings.Fields(text)[0]
				}
				got[name]++
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("instructions (-want +got):\n%s", diff)
			}
		})
	}
}
