package cli_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"strings"
	"testing"
)

// TestPackedInputsThatAreCutOrDamaged: wherever a packed file is read, one that is cut
// short, or has a wrong bit, is told as that and not as a line that nobody wrote.
func TestPackedInputsThatAreCutOrDamaged(t *testing.T) {
	h := withLibrary(t)
	var papers, queries, qrels strings.Builder
	for i := range 300 {
		hash := fnv.New64a()
		fmt.Fprint(hash, i)
		fmt.Fprintf(&papers, "{\"id\":\"p%d\",\"title\":\"Number %x of the series\"}\n", i, hash.Sum64())
		fmt.Fprintf(&queries, "{\"_id\":\"q%d\",\"text\":\"policy gradients %x\"}\n", i, hash.Sum64())
		fmt.Fprintf(&qrels, "q%d\ta\t%d\n", i, 1+hash.Sum64()%3)
	}
	whole := map[string][]byte{}
	for name, text := range map[string]string{"papers": papers.String(), "queries": queries.String(), "qrels": qrels.String()} {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		whole[name] = b.Bytes()
		h.write(name+".gz", b.String())
	}
	commands := map[string][][]string{
		"papers":  {{"add", "--no-embed", "--library", "other"}},
		"queries": {{"search", "--mode", "keyword", "--queries"}, {"eval", "--qrels", "qrels.gz", "--queries"}},
		"qrels":   {{"eval", "--queries", "queries.gz", "--qrels"}},
	}
	for name, packed := range whole {
		for _, command := range commands[name] {
			h.must(append(command, name+".gz")...)
			for _, damage := range []struct {
				what string
				data []byte
				says string
			}{
				{"cut in its head", packed[:5], "unexpected end"},
				{"cut in half", packed[:len(packed)/2], "unexpected end"},
				{"cut before its checksum", packed[:len(packed)-8], "unexpected end"},
				{"with a wrong checksum", append(bytes.Clone(packed[:len(packed)-8]), make([]byte, 8)...), "checksum"},
			} {
				h.write("bad.gz", string(damage.data))
				got := h.run(append(command, "bad.gz")...)
				if name != "papers" && damage.says == "unexpected end" {
					damage.says = "the compressed file is damaged: it is cut short"
				}
				if got.code != 1 || !strings.Contains(got.stderr, damage.says) || !strings.Contains(got.stderr, " again") {
					t.Errorf("akin %q of a file %s: exit code %d, %q; want 1, %q and a hint", command, damage.what, got.code, got.stderr, damage.says)
				}
			}
		}
	}
}
