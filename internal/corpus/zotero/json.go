package zotero

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
)

// JSON is Zotero's JSON: items of its API, and the exports of Better BibTeX. Notes and
// attachments are no papers and are passed over.
func JSON() corpus.Format {
	return corpus.Format{Name: "zotero-json", Detect: detectJSON, Read: readJSON}
}

func detectJSON(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' || !bytes.Contains(head, []byte(`"itemType"`)) {
		return 0
	}
	return 92
}

func readJSON(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return jsonl.Records(ctx, src, jsonRecord)
}

// names are the fields of Zotero's items, in its JSON as in its database.
var names = map[string]fields.Name{
	"title": {Field: fields.Title}, "caseName": {Field: fields.Title, Rank: 1}, "nameOfAct": {Field: fields.Title, Rank: 2}, "subject": {Field: fields.Title, Rank: 3}, "shortTitle": {Field: fields.Title, Rank: 4},
	"abstractNote": {Field: fields.Abstract}, "date": {Field: fields.Year},
	"publicationTitle": {Field: fields.Venue}, "proceedingsTitle": {Field: fields.Venue, Rank: 1}, "bookTitle": {Field: fields.Venue, Rank: 2}, "conferenceName": {Field: fields.Venue, Rank: 3},
	"repository": {Field: fields.Venue, Rank: 4}, "university": {Field: fields.Venue, Rank: 5}, "institution": {Field: fields.Venue, Rank: 6}, "websiteTitle": {Field: fields.Venue, Rank: 7},
	"DOI": {Field: fields.DOI}, "PMID": {Field: fields.PMID}, "url": {Field: fields.URL}, "tags": {Field: fields.Keywords},
}

func jsonRecord(object objects.Object) (corpus.Record, bool) {
	value := object.Value
	if inner := value.Get("data"); inner.IsObject() {
		value = inner
	}
	if isAttached(value.Get("itemType").Text()) {
		return corpus.Record{}, false
	}
	var b fields.Builder
	for key, value := range value.Fields() {
		switch string(key) {
		case "key", "itemKey":
			if b.Record.Key == "" {
				b.Record.Key = value.Text()
			}
		case "citationKey", "citekey":
			b.Record.Key = value.Text()
		case "creators":
			for creator := range value.Elements() {
				b.AddList(creatorName(creator.Get("creatorType").Text()), []string{jsonl.Author(creator)})
			}
		case "extra", "archiveID":
			addExtra(&b, value.Text())
		default:
			if name, known := names[string(key)]; known {
				jsonl.Add(&b, name, value)
			}
		}
	}
	return b.Record, true
}

// isAttached reports whether items of this type belong to another item.
func isAttached(itemType string) bool {
	return itemType == "attachment" || itemType == "note" || itemType == "annotation"
}

// creatorName says how good a creator is as an author.
func creatorName(creatorType string) fields.Name {
	switch creatorType {
	case "author", "":
		return fields.Name{Field: fields.Authors}
	case "editor", "seriesEditor", "translator", "reviewedAuthor", "recipient":
		return fields.Name{Field: fields.Authors, Rank: 2}
	}
	return fields.Name{Field: fields.Authors, Rank: 1}
}

// addExtra takes the identifiers that stand in Zotero's field for everything else, one
// a line: "arXiv: 1706.03762 [cs]", "PMID: 123", "DOI: 10.…".
func addExtra(b *fields.Builder, extra string) {
	for line := range strings.Lines(extra) {
		if key, found := strings.CutPrefix(line, "Citation Key: "); found {
			b.Record.Key = strings.TrimSpace(key)
		}
		b.AddIdentifier(line)
	}
}
