package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
)

// Options are the choices of [Read]; the zero value reads files, finds each format by
// itself and tells nobody.
type Options struct {
	Format  string            // the name of a format, instead of finding it from the content
	Columns map[string]string // --map: a field of a paper to a header of a table
	Stdin   io.Reader         // what the path "-" stands for
	// Warn is told what was read in spite of an oddity; line is 0 where it concerns the
	// whole file.
	Warn func(file string, line int, message string)
	// Progress is told how many of the files' bytes, as they lie on disk, are read; total
	// is 0 where it is not known (stdin).
	Progress func(read, total int64)
}

// Read yields the records of the files at paths, in order: a folder is walked in the
// order of its names, compressed files and archives are read through, "-" is
// [Options.Stdin]. Errors come between the records and say what is missing:
//
//   - *Rejected: one record, set aside; reading goes on
//   - *Fault: the rest of one file; reading goes on with the next
//   - *Skipped: a file of a folder that is no list of papers
//   - any other error (the context's, an unknown format's name) is the end
//
// Memory does not grow with the size of the files.
func Read(ctx context.Context, formats []Format, paths []string, options Options) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if options.Format != "" {
			chosen, err := byName(formats, options.Format)
			if err != nil {
				yield(Record{}, err)
				return
			}
			formats = []Format{chosen}
		}
		r := reader{ctx: ctx, formats: formats, options: options, yield: yield}
		files, faults := list(paths)
		for _, file := range files {
			r.total += file.size
		}
		for _, file := range files {
			if err := ctx.Err(); err != nil {
				yield(Record{}, err)
				return
			}
			if !r.file(file) {
				return
			}
		}
		for _, fault := range faults {
			if !yield(Record{}, fault) {
				return
			}
		}
	}
}

func byName(formats []Format, name string) (Format, error) {
	names := make([]string, len(formats))
	for i, format := range formats {
		if strings.EqualFold(format.Name, name) {
			return format, nil
		}
		names[i] = format.Name
	}
	return Format{}, fmt.Errorf("reading papers: there is no format %q; the formats are %s", name, strings.Join(names, ", "))
}

// A reader goes through the files of one [Read].
type reader struct {
	ctx     context.Context
	formats []Format
	options Options
	yield   func(Record, error) bool
	total   int64 // bytes of all files
	read    int64 // bytes of them that are read
}

// maxNesting bounds archives in archives.
const maxNesting = 3

// An entry is one stream of bytes that may hold papers: a file, or a member of an
// archive.
type entry struct {
	name     string
	body     io.Reader
	path     string // where it lies on disk as it is, "" for a member of an archive
	inFolder bool   // was found in a folder, not asked for by name
	nesting  int
	waits    bool // is a pipe, of which a read ends when the context does
	budget   *budget
}

// text reads an entry that is not compressed; it reports whether reading goes on.
func (r *reader) text(e entry) bool {
	head, body, err := decodeText(e.body, func(line int, message string) { r.warn(e.name, line, message) })
	if e.inFolder && (errors.Is(err, errBinary) || errors.Is(err, errPDF)) {
		kind := "other"
		if errors.Is(err, errPDF) {
			kind = "pdf"
		}
		return r.yield(Record{}, &Skipped{File: e.name, Kind: kind, Reason: err.Error()})
	}
	if err != nil {
		return r.fault(e, err)
	}
	if len(head) == 0 {
		return r.notRead(e, errEmpty)
	}
	if err := foreignText(head); err != nil {
		return r.notRead(e, err)
	}
	format, known := r.detect(head)
	if format.Binary != "" { // as --format says
		return r.notRead(e, &otherKindError{"text", format.Binary})
	}
	if table, isTable := r.table(e, known && format.Sure == nil); isTable && !isHTML(head) {
		format, known = table, true
	}
	if !known || isHTML(head) && format.Sure != nil {
		return r.unknown(e, head)
	}
	if e.inFolder && r.options.Format == "" && format.Sure != nil && !format.Sure(head) {
		return r.notRead(e, &unsureError{format.Name})
	}
	return r.records(e, format, body)
}

// ErrForeign is what a format's Read ends with where a file that looked like its own
// is another program's, or a list of something else.
var ErrForeign = errors.New("it holds no papers")

var (
	errEmpty   = errors.New("the file is empty")
	errHTML    = errors.New("this is an HTML page, not a list of papers")
	errBinary  = errors.New("this is not text, and no format of papers that is known")
	errUnknown = errors.New("no known format of papers")
	errPDF     = errors.New("this is a PDF, not a list of papers")
)

// An otherKindError says that a file is not of the format that --format names.
type otherKindError struct{ is, wanted string }

func (o *otherKindError) Error() string { return fmt.Sprintf("this is %s, not %s", o.is, o.wanted) }

// Hint says what finds the right one.
func (o *otherKindError) Hint() string {
	return "leave --format out: the format is found from the content"
}

// An unsureError says that a file of a folder may be papers, or any other text.
type unsureError struct{ format string }

func (e *unsureError) Error() string {
	return fmt.Sprintf("it does not look like a list of papers; name the file itself, with --format %s, to read it as one", e.format)
}

// detect gives the format that is most sure of head, the first of several.
func (r *reader) detect(head []byte) (Format, bool) {
	if r.options.Format != "" {
		return r.formats[0], true
	}
	best, bestScore := Format{}, 0
	for _, format := range r.formats {
		if score := format.Detect(head); score > bestScore {
			best, bestScore = format, score
		}
	}
	return best, bestScore > 0
}

// table gives the format of tables for a file that only its name or --map says to be one:
// its error lists the headers that are not known. isSure says that the content tells the
// format.
func (r *reader) table(e entry, isSure bool) (Format, bool) {
	if isSure || r.options.Format != "" {
		return Format{}, false
	}
	name := strings.ToLower(e.name)
	for _, packed := range []string{".gz", ".zst", ".bz2", ".xz"} {
		name = strings.TrimSuffix(name, packed)
	}
	if len(r.options.Columns) == 0 && !strings.HasSuffix(name, ".csv") && !strings.HasSuffix(name, ".tsv") {
		return Format{}, false
	}
	format, err := byName(r.formats, "csv")
	return format, err == nil
}

// unknown reports a text in no known format.
func (r *reader) unknown(e entry, head []byte) bool {
	fault := errUnknown
	if isHTML(head) {
		fault = errHTML
	}
	return r.notRead(e, fault)
}

// records passes on what the format reads in body.
func (r *reader) records(e entry, format Format, body io.Reader) bool {
	source := Source{
		Name: e.name, Body: body, Path: e.path, Columns: r.options.Columns,
		Warn:  func(line int, message string) { r.warn(e.name, line, message) },
		found: make(map[string]bool),
	}
	count := 0
	ctx := r.ctx
	if e.waits { // its body ends with the context: what came before that is read
		ctx = context.WithoutCancel(ctx)
	}
	for record, err := range format.Read(ctx, source) {
		var rejected *Rejected
		switch {
		case err == nil:
			count++
			record.File = e.name
			canonical(&record)
			if !r.yield(record, nil) {
				return false
			}
		case errors.As(err, &rejected):
			count++
			rejected.File = e.name
			if !r.yield(Record{}, rejected) {
				return false
			}
		case r.ctx.Err() != nil:
			r.yield(Record{}, r.ctx.Err())
			return false
		case errors.Is(err, ErrForeign):
			return r.notRead(e, err)
		default:
			return r.fault(e, err)
		}
	}
	if count == 0 {
		r.warn(e.name, 0, fmt.Sprintf("0 papers were found in it (read as %s)", format.Name))
		return true
	}
	r.tellUnmapped(e, format, source)
	return true
}

// tellUnmapped says what --map names and a file that was read does not have.
func (r *reader) tellUnmapped(e entry, format Format, source Source) {
	if !format.Maps {
		if len(source.Columns) > 0 && !e.inFolder { // beside other files of a folder it is of those
			r.warn(e.name, 0, fmt.Sprintf("--map changes nothing in it: %s has names of its own", format.Name))
		}
		return
	}
	var missing []string
	for field, name := range source.Columns {
		if !source.found[field] {
			missing = append(missing, fmt.Sprintf("%q", name))
		}
	}
	if slices.Sort(missing); len(missing) > 0 {
		r.warn(e.name, 0, fmt.Sprintf("no record has a %s, which --map names", strings.Join(missing, " or a ")))
	}
}

func (r *reader) warn(file string, line int, message string) {
	if r.options.Warn != nil {
		r.options.Warn(file, line, message)
	}
}

// hints say what to do about an error.
var hints = []struct {
	err  error
	hint string
}{
	{errEmpty, "export it again"},
	{errHTML, "open it in a browser: it is often an error or a login page of the site it came from"},
	{errPDF, "export the references from your reference manager (BibTeX, RIS, CSV) and add that file"},
	{errBinary, "export the papers as BibTeX, RIS, CSV or JSON and add that file"},
	{errUnknown, "give the format with --format"},
	{io.ErrUnexpectedEOF, "the file is cut short; download or export it again, then add it again: what is known stays"},
}

func (r *reader) fault(e entry, err error) bool {
	fault := &Fault{File: e.name, Err: err}
	for _, h := range hints {
		if errors.Is(err, h.err) {
			fault.Hint = h.hint
		}
	}
	var hinted interface{ Hint() string }
	if errors.As(err, &hinted) {
		fault.Hint = hinted.Hint()
	}
	return r.yield(Record{}, fault)
}
