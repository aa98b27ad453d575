package eval_test

import (
	"bytes"
	"compress/gzip"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/eval"
)

func TestMetrics(t *testing.T) {
	grades := map[string]int{"a": 2, "b": 1, "c": 1, "d": 0}
	for _, c := range []struct {
		name              string
		ranked            []string
		k                 int
		ndcg, recall, mrr float64
	}{
		{"the best order", []string{"a", "b", "c"}, 10, 1, 1, 1},
		{"nothing ranked", nil, 10, 0, 0, 0},
		{"only judged as not relevant", []string{"d", "x"}, 10, 0, 0, 0},
		{"worst first", []string{"x", "c", "a"}, 10, (1/math.Log2(3) + 2/math.Log2(4)) / (2 + 1/math.Log2(3) + 1/math.Log2(4)), 2. / 3, .5},
		{"cut before the first", []string{"x", "a"}, 1, 0, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := []float64{eval.NDCG(c.ranked, grades, c.k), eval.Recall(c.ranked, grades, c.k), eval.MRR(c.ranked, grades, c.k)}
			want := []float64{c.ndcg, c.recall, c.mrr}
			for i, m := range []string{"nDCG", "recall", "MRR"} {
				if math.Abs(got[i]-want[i]) > 1e-12 {
					t.Errorf("%s = %g, want %g", m, got[i], want[i])
				}
			}
		})
	}
}

func TestMeasureCountsQueriesWithoutAnswersAndLeavesOutThoseWithoutRelevantOnes(t *testing.T) {
	judged := eval.Judgements{"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 0}}
	f, n := eval.Measure(map[string][]string{"1": {"a"}, "3": {"c"}}, judged)
	if n != 2 || f.NDCG10 != .5 || f.Recall100 != .5 || f.MRR10 != .5 {
		t.Errorf("got %+v over %d queries, want .5 everywhere over 2", f, n)
	}
	if f.CI95[0] != 0 || f.CI95[1] != 1 {
		t.Errorf("interval of two queries with 0 and 1: %v, want [0 1]", f.CI95)
	}
}

func TestBootstrapIsTheSameEachTimeAndHoldsTheMean(t *testing.T) {
	values := make([]float64, 200)
	for i := range values {
		values[i] = float64(i%5) / 4
	}
	a, b := eval.Bootstrap(values), eval.Bootstrap(values)
	if a != b {
		t.Errorf("two runs gave %v and %v", a, b)
	}
	if a[0] >= .5 || a[1] <= .5 || a[1]-a[0] > .15 {
		t.Errorf("interval %v, want a narrow one around .5", a)
	}
}

func TestReadQueries(t *testing.T) {
	got, err := eval.ReadQueries(strings.NewReader("\ufeff{\"_id\":\"q1\",\"text\":\"one\"}\n\n{\"id\":7,\"text\":\"two\"}\n{\"query\":\"three\"}\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []eval.Query{{"q1", "one"}, {"7", "two"}, {"4", "three"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadErrorsNameTheLine(t *testing.T) {
	for _, c := range []struct{ name, queries, qrels, want string }{
		{"no text", "{\"id\":1}\n", "", "line 1: has no \"text\""},
		{"half an object", "{\"id\":1,\"text\":\"a\"}\n{\"id\":", "", "line 2"},
		{"an id twice", "{\"id\":1,\"text\":\"a\"}\n{\"id\":1,\"text\":\"b\"}", "", "line 2: id \"1\" was on line 1"},
		{"half a gzip stream", "\x1f\x8b\x08", "", "cut short"},
		{"half a grade", "", "q\td\t1\nq\te\t0.5\n", "line 2: grade \"0.5\""},
		{"no number as grade", "", "q\td\t1\nq\te\tNaN\n", "line 2: grade \"NaN\""},
		{"an object as id", "{\"id\":{},\"text\":\"a\"}\n", "", "neither a string nor a number"},
		{"two columns", "", "a\tb\n", "line 1: expected 3 columns"},
		{"a grade in words", "", "q\td\t1\nq\td\tyes\n", "line 2: grade \"yes\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := eval.ReadQueries(strings.NewReader(c.queries))
			if c.qrels != "" {
				_, _, err = eval.ReadQrels(strings.NewReader(c.qrels))
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestReadQrelsOfBothForms(t *testing.T) {
	want := eval.Judgements{"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}}
	for name, text := range map[string]string{
		"BEIR":                           "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td2\t0\nq2\td1\t2\n",
		"TREC":                           "q1 0 d1 1\nq1 0 d2 0\nq2 0 d1 2\n",
		"TREC with tabs, from Windows":   "q1\tQ0\td1\t1\r\nq1\tQ0\td2\t0\r\nq2\tQ0\td1\t2\r\n",
		"without a heading":              "q1\td1\t1\nq1\td2\t0\nq2\td1\t2\n",
		"grades with points, some twice": "q\td\tscore\nq1\td1\t1.0\nq1\td1\t0\nq1\td2\t0.0\nq2\td1\t2\nq2\td1\t2",
		"packed":                         packed("q1\td1\t1\nq1\td2\t0\nq2\td1\t2\n"),
	} {
		got, _, err := eval.ReadQrels(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func TestIDsMayHoldAnything(t *testing.T) {
	got, _, err := eval.ReadQrels(strings.NewReader("q 1/ü\tdoc \"5\", part|2\t1\n"))
	if err != nil || got["q 1/ü"][`doc "5", part|2`] != 1 {
		t.Errorf("%v, %v", got, err)
	}
	queries, err := eval.ReadQueries(strings.NewReader(packed("{\"_id\":\"q 1/ü\",\"text\":\"a\",\"metadata\":{\"url\":[]}}\n{\"_id\":\"q 1/ü\",\"text\":\"a\"}\n")))
	if err != nil || len(queries) != 1 || queries[0].ID != "q 1/ü" {
		t.Errorf("%v, %v", queries, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("{\"id\":1,\"text\":\"a\"}\nq\td\t1\n")
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = eval.ReadQueries(strings.NewReader(text))
		_, _, _ = eval.ReadQrels(strings.NewReader(text))
	})
}
