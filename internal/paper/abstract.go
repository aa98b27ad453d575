package paper

import "strings"

// titleText is a title for the encoder; "" for a placeholder.
func titleText(s string) string {
	s = Clean(s)
	if len(s) <= maxPlaceholder {
		if folded := Fold(s); folded == "" || strings.Contains(noTitles, " "+folded+" ") {
			return ""
		}
	}
	return s
}

// DisplayAbstract is an abstract for a reader, without what is not of it: the word
// "Abstract" in front, and the copyright notice; "" where nothing is left, or a
// placeholder.
func DisplayAbstract(s string) string { return abstractFor(s, forReader) }

// abstractText is an abstract for the encoder.
func abstractText(s string) string { return abstractFor(s, forEncoder) }

func abstractFor(s string, to purpose) string {
	if s == "" {
		return ""
	}
	s = strings.TrimSpace(s)
	if len(s) > len("abstract") && strings.EqualFold(s[:len("abstract")], "abstract") && (s[len("abstract")] == '\n' || s[len("abstract")] == '\r') {
		s = s[len("abstract"):]
	}
	s = withoutPrefix(unwrap(s, to))
	s = withoutCopyright(s)
	if isPlaceholder(s) {
		return ""
	}
	return s
}

// withoutPrefix drops a leading "Abstract" or "Summary" that is a heading. As the
// first word of a term ("Abstract interpretation") it stays: without a colon or a
// dash, it is a heading only before a word that starts a sentence.
func withoutPrefix(s string) string {
	for _, word := range []string{"abstract", "summary"} {
		if len(s) <= len(word) || !strings.EqualFold(s[:len(word)], word) {
			continue
		}
		rest := s[len(word):]
		text := strings.TrimLeft(rest, " .:;-–—|")
		if mark := strings.TrimLeft(rest, " "); mark != text && strings.IndexByte(":.;|", mark[0]) >= 0 || strings.HasPrefix(mark, "—") ||
			strings.HasPrefix(mark, "–") || strings.HasPrefix(rest, " -") || strings.HasPrefix(rest, "--") {
			return text
		}
		if word != "abstract" || rest[0] != ' ' || text == "" {
			return s
		}
		first := cutAny(text, " ,:")
		if strings.Contains(sentenceOpeners, " "+first+" ") || s[:len(word)] == "ABSTRACT" && first != strings.ToUpper(first) {
			return text
		}
	}
	return s
}

// sentenceOpeners are words that begin sentences and, capitalised, nothing else.
const sentenceOpeners = " A Aim Aims All Although An Another As At Background Based Because Before Both But By Can Consider Context Conclusion Conclusions" +
	" Current Currently Despite Deep Due During Each Existing Experiments Extensive Finally First Following For From Given Here Hence How However I If In" +
	" Introduction Is It Its Large Many Methods Modern More Moreover Most Motivated Motivation Much No Not Numerous Objective Objectives" +
	" On One Our Over Previous Problem Purpose Rationale Recent Recently Results Second Several Since So Some Such That The Their Then" +
	" There Therefore These They This Those Though Through Thus To Today Traditional Two Under Unlike Using We What When Where Whereas" +
	" Whether Which While Why With Within Without Yet You "

// withoutCopyright drops the publisher's notice at the end or at the start of s.
func withoutCopyright(s string) string {
	if !strings.Contains(s, "©") && !strings.Contains(s, "opyright") && !strings.Contains(s, "OPYRIGHT") &&
		!strings.Contains(s, "(c)") && !strings.Contains(s, "(C)") && !strings.Contains(s, "ghts reserved") {
		return s
	}
	sentences := Sentences(s)
	end := len(sentences)
	for i := len(sentences) - 1; i >= 0 && len(sentences)-i <= maxNotice; i-- {
		if !isNotice(sentences[i]) && !goesOnNotice(sentences[i]) {
			break
		}
		if isNotice(sentences[i]) {
			end = i
		}
	}
	if end < len(sentences) {
		s = strings.Join(sentences[:end], " ")
		sentences = sentences[:end]
	}
	if len(sentences) > 0 {
		// "… in mice. © 2019 Elsevier" without a space or a capital before it.
		last := sentences[len(sentences)-1]
		if at := strings.LastIndex(last, "©"); at > 0 && len(last)-at < 200 {
			s = strings.TrimSpace(s[:len(s)-len(last)+at])
		}
	}
	if len(sentences) > 1 && isNotice(sentences[0]) {
		s = strings.TrimSpace(s[len(sentences[0]):])
		for _, next := range sentences[1:] {
			if !strings.HasPrefix(next, "All rights reserved") && !strings.HasPrefix(next, "Published by") {
				break
			}
			s = strings.TrimSpace(strings.TrimPrefix(s, next))
		}
	}
	return s
}

// maxNotice is how many sentences a publisher's notice at the end may have.
const maxNotice = 8

func isNotice(sentence string) bool {
	lower := strings.ToLower(strings.TrimLeft(sentence, "([ "))
	for _, prefix := range []string{"©", "copyright ", "crown copyright", "(c) ", "c) 1", "c) 2", "all rights reserved", "this article is protected by copyright",
		"psycinfo database record", "published by elsevier", "copyright©"} {
		if strings.HasPrefix(lower, prefix) {
			return strings.ContainsAny(lower, "0123456789©") || strings.Contains(lower, "reserved") || strings.Contains(lower, "property of") ||
				strings.Contains(lower, "protected by") || strings.HasPrefix(lower, "published by")
		}
	}
	return false
}

// goesOnNotice reports whether a sentence can follow a publisher's notice and be part
// of it.
func goesOnNotice(sentence string) bool {
	lower := strings.ToLower(strings.TrimLeft(sentence, "([ "))
	for _, start := range []string{"all rights", "published", "users ", "however, users", "this abstract may", "no warranty", "no claim", "copyright", "inc.", "ltd", "elsevier", "john wiley",
		"springer", "on behalf of", "the authors", "the author(s)", "license", "distributed under", "this is an open access"} {
		if strings.HasPrefix(lower, start) {
			return true
		}
	}
	return false
}

// isPlaceholder reports whether s stands for a text that is not there, or is blank.
func isPlaceholder(s string) bool {
	if len(s) > maxPlaceholder {
		return false
	}
	folded := Fold(s)
	return folded == "" || strings.Contains(placeholders, " "+folded+" ")
}

// maxPlaceholder is the length in bytes up to which a text can stand for none.
const maxPlaceholder = 80

const noTitles = " nan null none notitle notitleavailable titlenotavailable untitled "

const placeholders = " na nan nil none null abstract noabstract noabstractavailable noabstractprovided noabstractisavailable" +
	" abstractnotavailable abstractisnotavailable abstractunavailable abstractnotprovided abstractnotfound abstractmissing" +
	" notavailable notapplicable unavailable noabstractavailableforthisarticle abstractnotavailableforthisarticle" +
	" noabstractisavailableforthisarticle thisarticlehasnoabstract noabstractfound noabstractentered noabstractsupplied" +
	" nodescription nodescriptionavailable nosummaryavailable tba tbd missing" +
	" anabstractisnotavailable abstractavailablefrompublisher anabstractisnotavailableforthiscontent withoutabstract keineangabe" +
	" therehasbeennoabstract undefined "
