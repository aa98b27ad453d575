package paper

import "strings"

// withoutLinks drops the addresses of web pages from s, and with them a sentence that
// only says where code or data are.
func withoutLinks(s string) string {
	if !strings.Contains(s, "://") && !strings.Contains(s, "www.") {
		return s
	}
	var b strings.Builder
	for i, sentence := range Sentences(s) {
		if hasLink(sentence) {
			if isAnnouncement(sentence) {
				continue
			}
			sentence = dropLinks(sentence)
		}
		if i > 0 && b.Len() > 0 && sentence != "" {
			b.WriteByte(' ')
		}
		b.WriteString(sentence)
	}
	return b.String()
}

func hasLink(s string) bool {
	return strings.Contains(s, "http://") || strings.Contains(s, "https://") || strings.Contains(s, "www.") ||
		strings.Contains(s, "ftp://")
}

// maxAnnouncement is the length in words up to which a sentence with a link is taken
// to say nothing else.
const maxAnnouncement = 25

// isAnnouncement reports whether a sentence with a link only says that something can
// be had there.
func isAnnouncement(sentence string) bool {
	words := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return r < 'a' || r > 'z' })
	if len(strings.Fields(sentence)) > maxAnnouncement {
		return false
	}
	var thing, offered bool
	for _, word := range words {
		thing = thing || strings.Contains(announcedThings, " "+word+" ")
		offered = offered || strings.Contains(announcingWords, " "+word+" ")
	}
	return thing && offered
}

const (
	announcedThings = " code codes codebase data dataset datasets benchmark demo demos model models weights checkpoint checkpoints page" +
		" website site webpage project sample samples implementation implementations software repository github material" +
		" materials supplementary source package library toolkit results videos video audio resources artifacts "
	announcingWords = " available avaialble availabe accessible released release found hosted open sourced published public publicly" +
		" visit see at provide provided download downloaded here "
)

// dropLinks takes the addresses out of a sentence, and the brackets around them.
func dropLinks(s string) string {
	fields := strings.Split(s, " ")
	kept := fields[:0]
	for _, field := range fields {
		at := -1
		for _, prefix := range []string{"https://", "http://", "ftp://", "www."} {
			if i := strings.Index(field, prefix); i >= 0 && (at < 0 || i < at) {
				at = i
			}
		}
		if at < 0 {
			kept = append(kept, field)
			continue
		}
		before := strings.TrimRight(field[:at], "(<[")
		after := field[len(strings.TrimRight(field, ".,;:!?")):]
		if before == "" && len(kept) > 0 {
			kept[len(kept)-1] += after
			continue
		}
		if before += after; before != "" {
			kept = append(kept, before)
		}
	}
	return strings.Join(kept, " ")
}
