package cluster

import (
	"unicode"
	"unicode/utf8"
)

// A paper gives its method a name, in capitals. What the name is made of is not what the
// paper is about.

// ownName says whether a term only stands in the name that one paper gives to a thing of
// its own ("Magnitude-Enhanced Gradient Descent").
func (t *term) ownName() bool {
	return len(t.papers) == 1 && t.own == t.atEnd+t.inRun
}

// inName says whether the n words at a place of paper p are a part of a longer name in
// capitals ("Magnitude-Enhanced Gradient Descent").
func (v *vocabulary) inName(p, at, n int) bool {
	if v.papers[p].titled && at < v.papers[p].opening {
		return false
	}
	surfaces := v.papers[p].surfaces
	capital := func(i int) bool {
		if i < 0 || i >= len(surfaces) || surfaces[i] < 0 {
			return false
		}
		first, _ := utf8.DecodeRuneInString(v.surfaces[surfaces[i]])
		return unicode.IsUpper(first)
	}
	for i := at; i < at+n; i++ {
		if !capital(i) {
			return false
		}
	}
	return capital(at-1) || capital(at+n)
}
