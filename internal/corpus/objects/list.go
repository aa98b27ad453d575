package objects

import (
	"errors"
	"strings"
)

// isListKey reports whether key is one under which services put their records; value
// is what stands under it.
func isListKey(key string, value byte) bool {
	key = " " + strings.ToLower(key) + " "
	return strings.Contains(frameKeys, key) || value == '[' && strings.Contains(listKeys, key)
}

const (
	// frameKeys lead to records through an object, or to a list of them.
	frameKeys = " data message response result results hits feed search-results resultlist objects "
	// listKeys lead to a list of records.
	listKeys = " notes items papers works records entries entry documents docs publications articles references hit matches rows" +
		" collection bibliography library submissions accepted recommendedpapers list "
)

// isRecordKey reports whether key is one that only a record has.
func isRecordKey(key string) bool { return strings.Contains(recordKeys, " "+strings.ToLower(key)+" ") }

const recordKeys = " title abstract display_name content doi paperid authors author itemtype ti ab headline name titles abstracttext" +
	" abstract_inverted_index corpusid dc:title "

// What an object is.
const (
	isRecord = iota
	isFrame  // holds records under keys for lists
	isKeyed  // its values are records, its keys their ids
	isTable  // its values are the columns of a table
)

// kind says what the object at hand is: a frame has a key for lists and none of a
// record, and all values of a keyed one are objects or null.
func (w *walker) kind() int {
	isShort := true
	for isShort {
		_, err := scan(w.buf[w.start:w.end])
		isShort = errors.Is(err, errShort)
		if w.readErr != nil || w.end-w.start >= lookBytes {
			break
		}
		if isShort {
			w.fill()
		}
	}
	fields, inner, columns, nulls := 0, 0, 0, 0
	hasList, hasRecordKey := false, false
	Value(w.buf[w.start:w.end]).fields(0, func(key []byte, value Value) bool {
		hasRecordKey = isRecordKey(string(key)) && !value.IsObject() || string(key) == "content"
		fields++
		if isColumn(string(key), value) {
			columns++
			hasRecordKey = false
		}
		switch {
		case value.IsObject():
			inner++
		case string(value) == "null":
			nulls++
		}
		hasList = hasList || (value.IsObject() || value.IsArray()) && isListKey(string(key), value[0])
		return !hasRecordKey
	})
	switch {
	case columns > 1:
		return isTable
	case hasRecordKey:
		return isRecord
	case hasList, isShort && w.readErr == nil:
		return isFrame // or too large to tell, and then no record by its first keys
	case inner > 0 && inner+nulls == fields:
		return isKeyed
	}
	return isRecord
}

// isColumn reports whether a value is the column of a table: the titles or abstracts
// of several records, by number or in a list.
func isColumn(key string, value Value) bool {
	if key = strings.ToLower(key); key != "title" && key != "abstract" {
		return false
	}
	n := 0
	for inner := range value.Elements() {
		if !inner.IsString() {
			return false
		}
		n++
	}
	if value.IsArray() {
		return n > 1 // an abstract may be a list of sentences, but then the title is none
	}
	for name, inner := range value.Fields() {
		if strings.Trim(string(name), "0123456789") != "" || inner.IsObject() || inner.IsArray() {
			return false
		}
		n++
	}
	return n > 0
}

// A TableError says that the text is a table written by columns.
type TableError struct{}

func (TableError) Error() string {
	return "the file is a table written column by column, not a list of records"
}

// Hint says how to write it by rows.
func (TableError) Hint() string {
	return `write it by rows; in pandas: to_json(path, orient="records", lines=True)`
}
