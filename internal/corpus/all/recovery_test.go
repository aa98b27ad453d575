package all_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed-9f29d379/akin/internal/corpus"
)

// A textKind is a kind of line or of lines in a file of JSON Lines; $ is its number.
type textKind struct {
	name, text  string
	read, aside int
	isCut       bool // the file is cut short where nothing follows
}

var textKinds = []textKind{
	{"an object", `{"title": "Paper $"}`, 1, 0, false},
	{"an array of objects", `[{"title": "Paper $"}, {"title": "Also paper $"}]`, 2, 0, false},
	{"a broken object", `{"title": "Paper" "comma": $}`, 0, 1, false},
	{"an array with a broken object", `[{"title": "Paper $"}, {"title": "no" "comma": 1}, {"title": "Also paper $"}]`, 2, 1, false},
	{"words", `This is no JSON, but $ words.`, 0, 1, false},
	{"a string", `"a string $"`, 0, 1, false},
	{"null", `null`, 0, 1, false},
	{"a number", `$`, 0, 1, false},
	{"an empty array", `[]`, 0, 1, false},
	{"a nested array", `[[1, "a"], [{"title": "Paper $"}], []]`, 1, 3, false},
	{"a blank line", " \t", 0, 0, false},
	{"a cut object", `{"title": "Paper $`, 0, 1, true},
}

// longKinds go over several lines, or make the ones after them part of themselves.
var longKinds = []textKind{
	{"an object over lines", "{\n  \"title\": \"Paper $\",\n  \"authors\": [\n    {\"name\": \"A. Lee\"},\n    {\"name\": \"B. Lee\"}\n  ]\n}", 1, 0, false},
	{"a broken object over lines", "{\n  \"title\": \"Paper\" \"x\",\n  \"authors\": [\n    {\"name\": \"A. Lee\"},\n    {\"name\": \"B. Lee\"}\n  ]\n}", 0, 1, false},
	{"objects one after the other", `{"title": "Paper $"} {"title": "Also paper $"},`, 2, 0, false},
	{"an array over lines with odd members", "[\n  {\"title\": \"Paper $\"},\n  null, 5,\n  [],\n  \"a string\",\n  words,\n  {\"title\": \"no\" \"comma\": 1},\n  {\n    \"title\": \"no\" \"comma\",\n    \"a\": [\n      {\"b\": 1}\n    ]\n  },\n  {\"title\": \"Also paper $\"}\n]", 2, 7, false},
	{"an object cut after a comma", `{"title": "Paper", "year": 2020,`, 0, 1, true},
	{"an object cut after a colon", `{"title": "Paper", "abstract":`, 0, 1, true},
	{"an array with an open quote", `[{"title": "Paper $"}, {"title": "no}]`, 1, 1, true},
}

// TestEveryLineOfJSONIsAccountedFor puts lines of all kinds one after the other, all
// orders of few and some of more: each is read or set aside as if it stood alone.
func TestEveryLineOfJSONIsAccountedFor(t *testing.T) {
	every := append(textKinds[:len(textKinds):len(textKinds)], longKinds...)
	for _, orders := range []struct {
		kinds       []textKind
		lines, step int // every step-th order
	}{{textKinds, 1, 1}, {every, 2, 1}, {textKinds, 3, 1}, {every, 4, 199}} {
		n := 1
		for range orders.lines {
			n *= len(orders.kinds)
		}
		for order := 0; order < n && !t.Failed(); order += orders.step {
			chosen := make([]textKind, orders.lines)
			for i, rest := 0, order; i < len(chosen); i++ {
				chosen[i] = orders.kinds[rest%len(orders.kinds)]
				rest /= len(orders.kinds)
			}
			checkTexts(t, chosen)
		}
	}
}

func checkTexts(t *testing.T, kinds []textKind) {
	t.Helper()
	var text strings.Builder
	var want textKind
	texts, names := 0, []string{}
	for i, kind := range kinds {
		fmt.Fprintln(&text, strings.ReplaceAll(kind.text, "$", fmt.Sprint(i+1)))
		names = append(names, kind.name)
		if kind.name != "a blank line" {
			texts++
			want.isCut = kind.isCut
		}
		want.read += kind.read
		want.aside += kind.aside
	}
	if texts == 0 {
		return
	}
	if texts == 1 && strings.TrimSpace(text.String()) == "[]" {
		want.aside = 0 // the whole file is an empty list
	}
	var got textKind
	seen := map[string]bool{}
	options := corpus.Options{Format: "jsonl", Stdin: strings.NewReader(text.String())}
	r := readAll(t, options, "-")
	for _, record := range r.records {
		if seen[record.Paper.Title] || !strings.HasPrefix(strings.ToLower(strings.TrimPrefix(record.Paper.Title, "Also ")), "paper ") {
			t.Errorf("%q is read, and is no paper of the file, or for the second time", record.Paper.Title)
		}
		seen[record.Paper.Title] = true
	}
	got.read, got.aside, got.isCut = len(r.records), len(r.rejected), len(r.faults) > 0
	for _, rejected := range r.rejected {
		if rejected.Line == 0 || rejected.Reason == "" {
			t.Errorf("set aside without its line or reason: %+v", rejected)
		}
	}
	if got != want {
		t.Errorf("%s: %d read, %d set aside, cut short %v; want %d, %d, %v in\n%s\nfaults %v\nset aside %v",
			strings.Join(names, ", "), got.read, got.aside, got.isCut, want.read, want.aside, want.isCut, text.String(), r.faults, r.rejected)
	}
}

// TestOddMembersOfAListAreSetAside reads whole files that hold one list, and finds the
// format by itself.
func TestOddMembersOfAListAreSetAside(t *testing.T) {
	tests := []struct {
		name, text  string
		read, aside int
	}{
		{"an array", `[null, {"title": "A"}, 5, [], "x", {"title": "B" "x": 1}, {"title": "C"}]`, 2, 5},
		{"a list under a key", `{"status": 5, "papers": [null, {"title": "A"}, 5, [], "x", {"title": "B" "x": 1}, {"title": "C"}], "next": null}`, 2, 5},
		{"objects by their ids", `{"a": {"title": "A"}, "b": null, "c": {"title": "C"}}`, 2, 1},
		{"a stray brace", `[{"title": "A"}}, {"title": "B"}]`, 2, 1},
		{"a comma after each line", "{\"title\": \"A\"},\n{\"title\": \"B\"},\n", 2, 0},
		{"a first line of words", "words\n{\"title\": \"A\"}\n[{\"title\": \"B\"}]\n", 2, 1},
		{"a first line that is a string", "\"words\"\n{\"title\": \"A\"}\n", 1, 1},
		{"pages one a line, one of them broken", "{\"results\": [{\"title\": \"A\"}], 5}\n{\"results\": [{\"title\": \"B\"}]}\n", 2, 1},
		{"lists in more lists than are followed", "[[[[[[[[[[{\"title\": \"A\"}]]]]]]]]]]\n", 0, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := readAll(t, corpus.Options{}, write(t, "file", []byte(test.text)))
			if len(r.records) != test.read || len(r.rejected) != test.aside || len(r.faults) > 0 {
				t.Errorf("%d read, %d set aside, faults %v; want %d, %d and none; set aside %v",
					len(r.records), len(r.rejected), r.faults, test.read, test.aside, r.rejected)
			}
		})
	}
}
