package facet_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/facet"
)

type row struct {
	year    int
	columns [][]string
}

func build(t testing.TB, columns int, rows []row) *facet.Table {
	t.Helper()
	b := facet.NewBuilder(columns)
	for _, r := range rows {
		b.Add(r.year, r.columns...)
	}
	table, err := facet.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Check(); err != nil {
		t.Fatal(err)
	}
	return table
}

// someRows have names of two letters in two columns, so that parts of them are shared.
func someRows(n int) []row {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	rows := make([]row, n)
	for i := range rows {
		rows[i] = row{rng.IntN(30), [][]string{nil, nil}}
		if rows[i].year > 0 {
			rows[i].year += 1990
		}
		if rng.IntN(10) == 0 { // what no paper has, and a file may
			rows[i].year = []int{1, 9999, 32767, 32768, 65535}[rng.IntN(5)]
		}
		for c := range rows[i].columns {
			for range rng.IntN(4) {
				var name strings.Builder
				for range 1 + rng.IntN(6) {
					name.WriteByte("abcde"[rng.IntN(5)])
				}
				rows[i].columns[c] = append(rows[i].columns[c], name.String())
			}
		}
	}
	return rows
}

func TestHoldingAndBetweenEqualALookAtEveryRow(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 1000} {
		rows := someRows(n)
		table := build(t, 2, rows)
		check := func(what string, got facet.Rows, want func(r row) bool) {
			t.Helper()
			var list []uint32
			for i, r := range rows {
				if want(r) {
					list = append(list, uint32(i))
				}
			}
			if all := slices.Collect(got.All); !slices.Equal(all, list) || got.Len() != len(list) {
				t.Errorf("%d rows, %s: got %d rows %v, want %v", n, what, got.Len(), all, list)
			}
		}
		for _, parts := range [][]string{{"a"}, {"ab"}, {"abc"}, {"aa", "b"}, {"e", "d", "c"}, {"x"}, {""}, nil, {"\n"}, {"a\nb"}} {
			for c := range 2 {
				check(fmt.Sprintf("%q in column %d", parts, c), table.Holding(c, parts), func(r row) bool {
					return len(parts) > 0 && parts[0] != "" && slices.ContainsFunc(r.columns[c], func(name string) bool {
						return !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(name, p) })
					})
				})
			}
		}
		for _, y := range [][2]int{{0, 0}, {2000, 2000}, {1995, 0}, {0, 2001}, {2010, 2005}, {1, 1}, {0, 32767}, {32767, 0}, {32768, 70000}, {40000, 0}, {70000, 0}} {
			check(fmt.Sprint("years ", y), table.Between(y[0], y[1]), func(r row) bool {
				return r.year != 0 && r.year >= y[0] && (y[1] == 0 || r.year <= y[1])
			})
		}
	}
}

func TestEachCountsRowsOfASet(t *testing.T) {
	table := build(t, 1, []row{{2000, [][]string{{"ada", "grace"}}}, {0, [][]string{{"ada", "ada"}}}, {1999, [][]string{{""}}}, {1990, [][]string{{"grace"}}}})
	in := facet.NewRows(4)
	in.Add(0)
	in.Add(1)
	got := ""
	table.Each(0, in, func(text string, n int) { got += fmt.Sprint(text, n, " ") })
	if got != "ada2 grace1 " {
		t.Errorf("got %q", got)
	}
}

func TestSets(t *testing.T) {
	a, b := facet.NewRows(130), facet.NewRows(70)
	for _, r := range []uint32{1, 64, 69, 129} {
		a.Add(r)
	}
	b.Add(64)
	b.Add(1)
	kept, dropped := slices.Clone(a), slices.Clone(a)
	kept.Keep(b)
	dropped.Drop(b)
	if got := slices.Collect(kept.All); !slices.Equal(got, []uint32{1, 64}) {
		t.Errorf("kept %v", got)
	}
	if got := slices.Collect(dropped.All); !slices.Equal(got, []uint32{69, 129}) {
		t.Errorf("left %v", got)
	}
	if b.Has(1000) {
		t.Error("a set has a row that is beyond it")
	}
}

func TestSameRowsSameBytes(t *testing.T) {
	rows := someRows(300)
	make := func() []byte {
		b := facet.NewBuilder(2)
		for _, r := range rows {
			b.Add(r.year, r.columns...)
		}
		return b.Bytes()
	}
	if !bytes.Equal(make(), make()) {
		t.Error("two builds of the same rows differ")
	}
}

func ask(t *facet.Table) {
	t.Between(1990, 2000)
	for c := range t.Columns() {
		for _, p := range []string{"a", "ab", "e"} {
			t.Each(c, t.Holding(c, []string{p}), func(string, int) {})
		}
	}
}

func TestDamageIsFoundAndHarmless(t *testing.T) {
	b := facet.NewBuilder(2)
	for _, r := range someRows(80) {
		b.Add(r.year, r.columns...)
	}
	good := b.Bytes()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		data := bytes.Clone(good)
		data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		damaged, err := facet.Open(data)
		if err != nil {
			continue
		}
		if damaged.Check() == nil {
			t.Fatal("a flipped bit was not found")
		}
		ask(damaged) // must return
	}
	for n := range good {
		if cut, err := facet.Open(good[:n]); err == nil && cut.Check() == nil {
			t.Fatalf("a table cut at %d of %d bytes was accepted", n, len(good))
		}
	}
}

func FuzzOpen(f *testing.F) {
	b := facet.NewBuilder(2)
	for _, r := range someRows(20) {
		b.Add(r.year, r.columns...)
	}
	f.Add(b.Bytes())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := facet.Open(data)
		if err != nil || table.Len() > 1<<20 {
			return
		}
		_ = table.Check()
		ask(table)
	})
}

func BenchmarkHolding(b *testing.B) {
	builder := facet.NewBuilder(1)
	rng := rand.New(rand.NewPCG(3, 3))
	name := func(n int) string {
		s := make([]byte, n)
		for i := range s {
			s[i] = "eeeeaaaiiioootttnnnssrrhhllddccuummfpgwybvk"[rng.IntN(43)]
		}
		return string(s)
	}
	for range 200_000 {
		builder.Add(2000, []string{name(10 + rng.IntN(10)), name(10 + rng.IntN(10)), name(10 + rng.IntN(10))})
	}
	table := build2(b, builder)
	for _, part := range []string{"ann", "lovelace", "e"} {
		b.Run(part, func(b *testing.B) {
			for b.Loop() {
				table.Holding(0, []string{part})
			}
		})
	}
}

func build2(t testing.TB, b *facet.Builder) *facet.Table {
	table, err := facet.Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return table
}
