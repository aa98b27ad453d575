package openreview

import (
	"bytes"
	"context"
	"iter"
	"time"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/jsonl"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
	"github.com/seed-9f29d379/akin/internal/paper"
)

// Format is OpenReview's notes, of version 1 (flat fields) and 2 (fields under
// "value"). Reviews and comments are notes too; they are passed over. Who the authors
// are to OpenReview (authorids, which may be addresses) is not read.
func Format() corpus.Format {
	return corpus.Format{Name: "openreview", Detect: detect, Read: read}
}

func detect(head []byte) int {
	if head = bytes.TrimSpace(head); len(head) == 0 || head[0] != '{' && head[0] != '[' || !bytes.Contains(head, []byte(`"content"`)) {
		return 0
	}
	for _, mark := range []string{`"forum"`, `"invitation"`, `"invitations"`, `"authorids"`} {
		if bytes.Contains(head, []byte(mark)) {
			return 90
		}
	}
	return 0
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	return jsonl.Records(ctx, src, record)
}

var names = map[string]fields.Name{
	"title": {Field: fields.Title}, "abstract": {Field: fields.Abstract},
	"authors": {Field: fields.Authors}, "keywords": {Field: fields.Keywords}, "venue": {Field: fields.Venue}, "venueid": {Field: fields.Venue, Rank: 1},
	"doi": {Field: fields.DOI},
}

func record(object objects.Object) (corpus.Record, bool) {
	content := object.Get("content")
	hasText := content.Get("title") != nil || content.Get("abstract") != nil
	if reply := object.Get("replyto"); reply.IsString() && reply.Text() != "" || !hasText {
		return corpus.Record{}, false
	}
	var b fields.Builder
	for key, value := range content.Fields() {
		if name, known := names[string(key)]; known {
			jsonl.Add(&b, name, value)
		}
	}
	p := &b.Record.Paper
	b.Record.Key = object.Get("id").Text()
	forum := object.Get("forum").Text()
	if forum == "" {
		forum = b.Record.Key
	}
	if id, ok := paper.ParseOpenReview(forum); ok {
		b.Identify(fields.FromField, paper.Identifiers{OpenReview: id})
		p.URL = "https://openreview.net/forum?id=" + id
	}
	p.Year, p.Date = year(object, content), ""
	return b.Record, true
}

// year is the year of the venue ("ICLR 2024", "ICLR.cc/2024/Conference"), else that in
// which the note was published or made.
func year(object objects.Object, content objects.Value) int {
	for _, key := range []string{"venue", "venueid"} {
		value := content.Get(key)
		if inner := value.Get("value"); inner != nil {
			value = inner
		}
		if year := paper.ParseYear(value.Text()); year != 0 {
			return year
		}
	}
	for _, key := range []string{"pdate", "odate", "cdate", "tcdate"} {
		if milliseconds := object.Get(key).Int(); milliseconds > 0 {
			return time.UnixMilli(int64(milliseconds)).UTC().Year()
		}
	}
	return 0
}
