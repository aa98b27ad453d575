package engine_test

import (
	"path/filepath"
	"testing"

	"github.com/seed-9f29d379/akin/internal/engine"
)

func TestPapersInOtherLanguagesAreCounted(t *testing.T) {
	dir := t.TempDir()
	e := openWith(t, engine.Config{Library: filepath.Join(dir, "lib"), Encoder: &words{}})
	r := add(t, e, write(t, dir, "a.jsonl",
		`{"title":"Wachstum von Kristallen","abstract":"In dieser Arbeit untersuchen wir das Wachstum von Kristallen in kaltem Wasser. Die Ergebnisse zeigen, dass die Temperatur einen großen Einfluss auf die Form hat, und wir beschreiben ein Modell dafür."}`,
		`{"title":"Croissance des cristaux","abstract":"Dans cet article nous étudions la croissance des cristaux dans une eau froide. Les résultats montrent que la température a une grande influence sur la forme, et nous décrivons un modèle pour cela."}`,
		`{"title":"冷水中晶体的生长","abstract":"本文研究了冷水中晶体的生长。结果表明温度对晶体的形状有很大的影响。"}`,
		`{"title":"Рост кристаллов","abstract":"В данной работе изучается рост кристаллов в холодной воде."}`,
		`{"title":"Growth of crystals","abstract":"In this work we study the growth of crystals in cold water. Results show that temperature has a large influence on their shape, and a model is described for it."}`,
		`{"title":"Attention mechanisms"}`, graphs, auction))
	if r.NotEnglish != 4 {
		t.Errorf("%d papers not in English, want 4", r.NotEnglish)
	}
}
