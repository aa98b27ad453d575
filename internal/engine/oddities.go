package engine

import (
	"fmt"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/number"
)

// oddities tells what was read in spite of something, without flooding a person.
type oddities struct {
	warn     func(format string, args ...any)
	told     int
	pdfs     int
	firstPDF string
	others   []*corpus.Skipped // the first of them
	more     int               // of those
	passed   []PassedOver      // the first of all that were passed over, for programs
}

// toldAtMost oddities are told one by one, the others counted.
const toldAtMost = 20

// oddity is one that concerns a line of a file, or the whole of it (line 0).
func (o *oddities) oddity(file string, line int, message string) {
	if o.told++; o.told > toldAtMost {
		return
	}
	where := file
	if line > 0 {
		where = fmt.Sprintf("%s:%d", file, line)
	}
	o.warn("%s: %s", where, message)
}

// skipped is a file of a folder that holds no papers.
func (o *oddities) skipped(s *corpus.Skipped) {
	if len(o.passed) < toldAtMost {
		o.passed = append(o.passed, PassedOver{File: s.File, Reason: s.Reason})
	}
	switch {
	case s.Kind == "pdf":
		if o.pdfs == 0 {
			o.firstPDF = s.File
		}
		o.pdfs++
	case len(o.others) < toldAtMost:
		o.others = append(o.others, s)
	default:
		o.more++
	}
}

// count is how many files were passed over.
func (o *oddities) count() int { return o.pdfs + len(o.others) + o.more }

// rest tells what was only counted.
func (o *oddities) rest() {
	if more := o.told - toldAtMost; more > 0 {
		o.warn("%s more of this kind", number.Grouped(more))
	}
	if o.pdfs == 1 {
		o.warn("1 PDF file was not read (%s): export its reference from your reference manager (BibTeX, RIS, CSV) and add that file", o.firstPDF)
	} else if o.pdfs > 1 {
		o.warn("%s PDF files were not read (%s is the first): export their references from your reference manager (BibTeX, RIS, CSV) and add that file", number.Grouped(o.pdfs), o.firstPDF)
	}
	for _, s := range o.others {
		o.warn("passed over %s: %s", s.File, s.Reason)
	}
	if o.more > 0 {
		o.warn("passed over %s more without papers", number.Of(o.more, "file"))
	}
}
