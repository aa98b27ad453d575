package embed_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/embed"
	"github.com/seed-9f29d379/akin/internal/vec"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGoldenVectorsOnEveryProcessor holds the vectors of all assembly levels, of amd64
// and of arm64, to the same bytes. Plain Go rounds differently and is left out.
func TestGoldenVectorsOnEveryProcessor(t *testing.T) {
	atEachLevel(t, func(t *testing.T, m *embed.Model) {
		if level, _ := vec.CPU(); level == vec.Reference {
			t.Skip("plain Go rounds after each multiplication")
		}
		out, err := m.Encode(context.Background(), []string{"policy gradient variance without a critic", "", "Ünïcode"})
		if err != nil {
			t.Fatal(err)
		}
		digest := sha256.New()
		for _, e := range out {
			binary.Write(digest, binary.LittleEndian, e.Vector)
		}
		got := fmt.Sprintf("%x\n", digest.Sum(nil))
		golden := filepath.Join("testdata", "vectors-"+filepath.Base(t.Name())+".sha256")
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("the vectors' digest is %s, want %s", got, want)
		}
	})
}
