package jsonl

import (
	"bytes"
	"context"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
	"github.com/seed-9f29d379/akin/internal/corpus/objects"
)

// Format is JSON with the fields that most tools write: id, title, abstract, authors,
// year, venue, url, doi, keywords and their other names.
func Format() corpus.Format {
	return corpus.Format{Name: "jsonl", Maps: true, Detect: detect, Read: read}
}

// detect is sure of JSON, and leaves it to the formats of services to be surer. Of a
// text that begins otherwise, most lines must be objects.
func detect(head []byte) int {
	head = bytes.TrimSpace(head)
	if beginsJSON(head) {
		return 50
	}
	lines, objects := 0, 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines++
			if beginsJSON(line) && (line[len(line)-1] == '}' || line[len(line)-1] == ']') {
				objects++
			}
		}
	}
	if objects*2 >= lines && objects > 0 {
		return 50
	}
	return 0
}

func beginsJSON(text []byte) bool {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return false
	}
	rest := bytes.TrimSpace(text[1:])
	return len(rest) == 0 || strings.IndexByte(`"{[]}`, rest[0]) >= 0 || bytes.HasPrefix(rest, []byte("null"))
}

func read(ctx context.Context, src corpus.Source) iter.Seq2[corpus.Record, error] {
	n := naming{src: src, keys: map[string]fields.Name{}}
	return Records(ctx, src, func(object objects.Object) (corpus.Record, bool) { return n.record(object), true })
}

// Records yields what toRecord makes of the objects in src; an object for which it
// gives false is no paper and is passed over. Records without any text are rejected.
func Records(ctx context.Context, src corpus.Source, toRecord func(objects.Object) (corpus.Record, bool)) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		for object, err := range objects.Walk(ctx, src.Body) {
			if err != nil {
				if !yield(corpus.Record{}, err) {
					return
				}
				continue
			}
			record, ok := toRecord(object)
			if !ok {
				continue
			}
			record.Line = object.Line
			if record.Key == "" {
				record.Key = object.Key
			}
			if !yield(record, fields.Reject(record)) {
				return
			}
		}
	}
}

// naming gives what the keys of a file mean.
type naming struct {
	src  corpus.Source
	keys map[string]fields.Name // those that were met
}

// record maps an object by the names of its keys.
func (n naming) record(object objects.Object) corpus.Record {
	var b fields.Builder
	n.add(&b, object.Value)
	if b.Record.Paper.Empty() {
		// A record in a frame of its own, as search engines and APIs write it.
		for _, frame := range []string{"_source", "attributes", "fields", "metadata", "info", "bibjson", "paper", "article", "record", "work", "data"} {
			if inner := object.Get(frame); inner.IsObject() {
				n.add(&b, inner)
			}
		}
	}
	return b.Record
}

func (n naming) add(b *fields.Builder, object objects.Value) {
	for key, value := range object.Fields() {
		name, known := n.keys[string(key)]
		if !known {
			name = n.name(string(key))
			if len(n.keys) < maxKeys {
				n.keys[string(key)] = name
			}
		}
		if name.Field != fields.None {
			Add(b, name, value)
		}
	}
}

func (n naming) name(key string) fields.Name {
	if field, ok := n.src.Mapped(key); ok {
		return fields.Mapped(field)
	}
	if strings.HasPrefix(key, "@") { // an attribute of XML, such as the number of a hit
		return fields.Name{}
	}
	return fields.Of(key)
}

// maxKeys bounds the memory for the names of keys.
const maxKeys = 10_000

// Add puts the value that stands under name into the record, whatever its shape: a
// text, a list of texts, an object with a "value" or a "name", a list of those.
func Add(b *fields.Builder, name fields.Name, value objects.Value) {
	switch {
	case value.IsObject():
		if inner := value.Get("value"); inner != nil && !inner.IsObject() {
			Add(b, name, inner)
			return
		}
		if name.Field == fields.Authors {
			for _, key := range []string{"author", "authors"} { // dblp, IEEE
				if list := value.Get(key); list.IsArray() {
					Add(b, name, list)
					return
				}
			}
			b.AddList(name, []string{Author(value)})
			return
		}
		for _, key := range []string{"name", "display_name", "title", "url", "text", "journal", "keyword"} {
			if inner := value.Get(key); inner.Text() != "" || inner.IsArray() || inner.IsObject() {
				Add(b, name, inner)
				return
			}
		}
	case value.IsArray() && (name.Field == fields.Authors || name.Field == fields.Keywords):
		var texts []string
		for element := range value.Elements() {
			if text := strings.TrimSpace(Author(element)); text != "" {
				texts = append(texts, text)
			}
		}
		b.AddList(name, texts)
	case value.IsArray():
		b.AddList(name, value.Texts())
	default:
		b.Add(name, value.Text())
	}
}

// Author is the name of an author in any of the shapes in which JSON has it: a text,
// an object with the name or its parts, or a list of parts.
func Author(value objects.Value) string {
	switch {
	case value.IsArray(): // ["Doe", "Jane", "Jr"], as arXiv parses names
		parts := make([]string, 0, 4)
		for element := range value.Elements() {
			parts = append(parts, element.Text())
		}
		if len(parts) > 2 && parts[2] != "" {
			parts[1] += ", " + parts[2]
		}
		if len(parts) > 1 && parts[1] != "" {
			return parts[0] + ", " + parts[1]
		}
		return strings.Join(parts, "")
	case !value.IsObject():
		return value.Text()
	}
	var whole, given, family string
	for key, part := range value.Fields() {
		switch strings.ToLower(string(key)) {
		case "name", "display_name", "literal", "fullname", "full_name", "raw_author_name", "author_name", "value", "text", "tag", "term", "keyword":
			if text := part.Text(); text != "" && whole == "" {
				whole = text
			}
		case "author":
			if text := Author(part); text != "" {
				whole = text
			}
		case "given", "first", "firstname", "first_name", "forename", "given_name":
			given = part.Text()
		case "family", "last", "lastname", "last_name", "surname", "family_name":
			family = part.Text()
		}
	}
	switch {
	case family != "" && given != "":
		return family + ", " + given
	case family != "":
		return family
	case whole != "":
		return whole
	}
	return given
}
