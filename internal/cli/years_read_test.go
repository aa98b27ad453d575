package cli_test

import (
	"strings"
	"testing"
)

// TestYearsThatCannotBe: the record is kept without one, whatever format it comes in.
func TestYearsThatCannotBe(t *testing.T) {
	for name, papers := range map[string]string{
		"papers.jsonl": `{"title":"A far year","year":99999}` + "\n" + `{"title":"A negative year","year":-5}` + "\n" + `{"title":"A zero","year":0}` + "\n" + `{"title":"A year to come","year":"3000"}`,
		"csl.json":     `[{"id":"a","type":"article","title":"A far year","issued":{"date-parts":[[99999]]}},{"id":"b","type":"article","title":"A negative year","issued":{"date-parts":[[-5,3]]}}]`,
		"papers.bib":   "@article{a, title={A far year}, year={99999}}\n@article{b, title={A negative year}, year={-5}}",
	} {
		h := newHome(t)
		h.write(name, papers)
		h.must("add", name, "--no-embed")
		got := h.must("list", "--json").stdout
		if strings.Count(got, "\n") < 2 || strings.Contains(got, `"year"`) {
			t.Errorf("%s: %s\nwant every paper, and no year", name, got)
		}
	}
}
