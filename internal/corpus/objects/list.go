package objects

import (
	"errors"
	"strings"
)

// isListKey reports whether key is one under which services put their records.
func isListKey(key string) bool { return strings.Contains(listKeys, " "+strings.ToLower(key)+" ") }

const listKeys = " notes results items data message papers works records entries entry documents docs publications articles references" +
	" response result hits feed search-results resultlist matches rows collection bibliography library submissions accepted "

// isRecordKey reports whether key is one that only a record has.
func isRecordKey(key string) bool { return strings.Contains(recordKeys, " "+strings.ToLower(key)+" ") }

const recordKeys = " title abstract display_name content doi paperid authors author itemtype ti ab headline name titles "

// isList reports whether the object at hand holds records rather than being one: it
// has a key for lists and none of a record, or all its values are objects.
func (w *walker) isList() bool {
	for {
		_, err := scan(w.buf[w.start:w.end])
		if err == nil || !errors.Is(err, errShort) || w.readErr != nil || w.end-w.start >= lookBytes {
			break
		}
		w.fill()
	}
	var fields, inner int
	hasList := false
	isRecord := false
	Value(w.buf[w.start:w.end]).fields(0, func(key []byte, value Value) bool {
		isRecord = isRecordKey(string(key))
		fields++
		if value.IsObject() {
			inner++
		}
		hasList = hasList || (value.IsObject() || value.IsArray()) && isListKey(string(key))
		return !isRecord
	})
	return !isRecord && (hasList || fields > 0 && inner == fields)
}
