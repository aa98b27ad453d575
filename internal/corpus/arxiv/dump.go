package arxiv

import (
	"bytes"
	"context"
	"iter"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Dump is the form of the metadata dump that arXiv publishes: one JSON object a line,
// with authors_parsed and versions.
func Dump() corpus.Format {
	return corpus.Format{Name: "arxiv", Detect: detectDump, Read: readDump}
}

func detectDump(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' {
		return 0
	}
	first := head[:min(len(head), 16<<10)]
	switch {
	case bytes.Contains(first, []byte(`"authors_parsed"`)):
		return 95
	case bytes.Contains(first, []byte(`"versions"`)) && bytes.Contains(first, []byte(`"categories"`)) && bytes.Contains(first, []byte(`"submitter"`)):
		return 90
	}
	return 0
}

func readDump(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return jsonl.Records(ctx, src, dumpRecord)
}

func dumpRecord(object objects.Object) (corpus.Record, bool) {
	var b fields.Builder
	p := &b.Record.Paper
	var unparsed objects.Value // the authors as one text
	version := ""              // the last
	for key, value := range object.Fields() {
		switch string(key) {
		case "id":
			b.Record.Key = value.Text()
			b.Add(fields.Name{Field: fields.ArXiv}, b.Record.Key)
		case "title":
			b.Add(fields.Name{Field: fields.Title}, value.Text())
		case "abstract":
			p.Abstract = strings.TrimSpace(value.Text())
		case "authors_parsed":
			for name := range value.Elements() {
				p.Authors = append(p.Authors, jsonl.Author(name))
			}
		case "authors":
			unparsed = value
		case "categories":
			for _, text := range value.Texts() {
				p.Keywords = append(p.Keywords, strings.Fields(text)...)
			}
		case "journal-ref":
			b.Add(fields.Name{Field: fields.Venue}, value.Text())
		case "doi":
			b.Add(fields.Name{Field: fields.DOI}, value.Text())
		case "versions":
			var last objects.Value
			for each := range value.Elements() {
				if last == nil {
					b.Add(fields.Name{Field: fields.Date}, each.Get("created").Text())
				}
				last = each
			}
			version, _ = strings.CutPrefix(last.Get("version").Text(), "v")
		case "update_date":
			b.Add(fields.Name{Field: fields.Date, Rank: 1}, value.Text())
		}
	}
	if len(p.Authors) == 0 && unparsed != nil {
		jsonl.Add(&b, fields.Name{Field: fields.Authors}, unparsed)
	}
	if n, err := strconv.Atoi(version); err == nil && p.IDs.Version == 0 {
		b.Identify(fields.FromField, paper.Identifiers{ArXiv: p.IDs.ArXiv, Version: n})
	}
	if p.IDs.ArXiv != "" && p.URL == "" {
		p.URL = "https://arxiv.org/abs/" + p.IDs.ArXiv
	}
	return b.Record, true
}
