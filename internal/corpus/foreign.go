package corpus

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
)

// A foreignError says that a file is of a kind that holds no list of papers, or none
// that is read.
type foreignError struct{ what, hint string }

func (e *foreignError) Error() string { return fmt.Sprintf("this is %s, which is not read", e.what) }

// Hint says what to do instead.
func (e *foreignError) Hint() string { return e.hint }

// foreignKinds are kinds of files by their first bytes.
var foreignKinds = []struct {
	magic string
	kind  foreignError
}{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", foreignError{"a file of an old Office (.xls, .doc)", "save it as .xlsx or CSV and add that"}},
	{"PAR1", foreignError{"a Parquet file", "write it as JSON Lines; in pandas: read_parquet(path).to_json(out, orient=\"records\", lines=True)"}},
	{"ARROW1", foreignError{"an Arrow file", "write it as JSON Lines or CSV and add that"}},
	{"\x93NUMPY", foreignError{"a NumPy array", "write the papers as JSON Lines or CSV and add that"}},
	{"\x80\x04\x95", foreignError{"a Python pickle", "write the papers as JSON Lines or CSV and add that"}},
	{"\x80\x05\x95", foreignError{"a Python pickle", "write the papers as JSON Lines or CSV and add that"}},
	{"Rar!\x1a", foreignError{"a RAR archive", "unpack it and add the folder"}},
	{"7z\xbc\xaf\x27\x1c", foreignError{"a 7-Zip archive", "unpack it and add the folder"}},
	{"\x89PNG", foreignError{"a picture", ""}},
	{"\xff\xd8\xff", foreignError{"a picture", ""}},
	{"GIF8", foreignError{"a picture", ""}},
}

// errGraphML and errLibrary are of files that akin writes itself.
var (
	errGraphML = &foreignError{"a graph in GraphML", "akin writes it for other programs to draw; to take papers to another library: akin export --to jsonl, and add that"}
	errLibrary = &foreignError{"a library of akin or its backup", "akin restore FILE makes a library of a backup; to take papers to another library: akin export --to jsonl, and add that"}
)

// foreignText gives what kind of text head is, nil for none that is known not to be read.
func foreignText(head []byte) error {
	if start := bytes.TrimSpace(head[:min(len(head), 1000)]); len(start) > 0 && start[0] == '<' && bytes.Contains(start, []byte("<graphml")) {
		return errGraphML
	}
	return nil
}

// isLibrary reports whether a database that begins with magic is one of akin's.
func isLibrary(magic []byte) bool { return len(magic) >= 72 && string(magic[68:72]) == "akin" }

// foreign gives what kind of file begins with magic, nil for none of these.
func foreign(magic []byte) error {
	for i := range foreignKinds {
		if bytes.HasPrefix(magic, []byte(foreignKinds[i].magic)) {
			return &foreignKinds[i].kind
		}
	}
	return nil
}

// foreignArchive gives what kind of document a zip archive is, nil for a plain archive.
func foreignArchive(archive *zip.Reader) error {
	for _, member := range archive.File {
		switch member.Name {
		case "word/document.xml":
			return &foreignError{"a Word document", "copy the list into a text file, one paper a paragraph, or export the references"}
		case "ppt/presentation.xml":
			return &foreignError{"a PowerPoint file", ""}
		case "META-INF/manifest.xml":
			return &foreignError{"an OpenDocument file", "save it as .xlsx or CSV and add that"}
		case "META-INF/container.xml":
			return &foreignError{"an e-book", ""}
		}
	}
	return nil
}

// notRead reports a file that is not read: passed over in a folder, a fault where it
// was asked for by name.
func (r *reader) notRead(e entry, err error) bool {
	if !e.inFolder {
		return r.fault(e, err)
	}
	reason := err.Error()
	if hinted, ok := errors.AsType[interface {
		error
		Hint() string
	}](err); ok && hinted.Hint() != "" {
		reason += " (" + hinted.Hint() + ")"
	}
	return r.yield(Record{}, &Skipped{File: e.name, Kind: "other", Reason: reason})
}
