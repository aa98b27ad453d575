package arxiv_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/arxiv"
)

// invented gives n records in the form of the dump.
func invented(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%04d.%05d","submitter":"Jane Doe","authors":"J. D\\'oe, R. Roe and P. Poe","title":"An invented paper about $\\ell_%d$ things\n  that is wrapped","comments":"37 pages, 15 figures","journal-ref":null,"doi":null,"report-no":null,"categories":"cs.LG stat.ML","license":null,"abstract":"  %s\n","versions":[{"version":"v1","created":"Mon, 2 Apr 2007 19:18:42 GMT"},{"version":"v2","created":"Tue, 24 Jul 2007 20:10:27 GMT"}],"update_date":"2008-11-26","authors_parsed":[["D\u00f3e","J.",""],["Roe","R.",""],["Poe","P.",""]]}`+"\n",
			1001+i/100000, i%100000, i, bytes.Repeat([]byte("We study how invented papers are read, and\\nfind that they are read at speed. "), 12))
	}
	return b.Bytes()
}

func BenchmarkDump(b *testing.B) {
	const records = 10_000
	dump := invented(records)
	b.SetBytes(int64(len(dump)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for _, err := range arxiv.Dump().Read(context.Background(), corpus.Source{Body: bytes.NewReader(dump)}) {
			if err != nil {
				b.Fatal(err)
			}
			n++
		}
		if n != records {
			b.Fatalf("read %d records, want %d", n, records)
		}
	}
	b.ReportMetric(float64(records)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}
