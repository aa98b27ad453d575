package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-9f29d379/akin/internal/stream"
)

// A listed file is one that [Read] will open.
type listed struct {
	path     string // "-" for stdin
	size     int64
	inFolder bool
}

// list gives the files at paths; folders are walked in the order of their names,
// without hidden files. What cannot be listed is told.
func list(paths []string) (files []listed, faults []*Fault) {
	for _, path := range paths {
		if path == "-" {
			files = append(files, listed{path: path})
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			faults = append(faults, &Fault{File: path, Err: cause(err), Hint: "check the path"})
			continue
		}
		if !info.IsDir() {
			files = append(files, listed{path: path, size: info.Size()})
			continue
		}
		before := len(files)
		err = filepath.WalkDir(path, func(at string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				faults = append(faults, &Fault{File: at, Err: cause(err)})
				return nil
			case at != path && strings.HasPrefix(d.Name(), "."):
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case d.IsDir():
				return nil
			}
			info, err := os.Stat(at)
			if err != nil || !info.Mode().IsRegular() {
				return nil // a dangling link, a device, or a link to a folder (walked where it lies)
			}
			files = append(files, listed{path: at, size: info.Size(), inFolder: true})
			return nil
		})
		if err != nil {
			faults = append(faults, &Fault{File: path, Err: cause(err)})
		}
		if len(files) == before {
			faults = append(faults, &Fault{File: path, Err: errors.New("the folder holds no files"), Hint: "name a file or folder with papers"})
		}
	}
	return files, faults
}

// cause drops the path that the standard library puts into its errors: a [Fault] has it.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// file opens one file and reads it; it reports whether reading goes on.
func (r *reader) file(f listed) bool {
	e := entry{name: f.path, path: f.path, inFolder: f.inFolder}
	if f.path == "-" {
		e.name, e.path, e.waits = "stdin", "", true
		if r.options.Stdin == nil {
			return r.fault(e, errEmpty)
		}
		e.body = &counted{r: r, body: stream.Reader(r.ctx, r.options.Stdin)}
		return r.open(e)
	}
	if strings.EqualFold(filepath.Ext(f.path), ".pdf") && f.inFolder {
		return r.yield(Record{}, &Skipped{File: f.path, Kind: "pdf", Reason: errPDF.Error()})
	}
	file, err := stream.Open(r.ctx, f.path)
	switch {
	case r.ctx.Err() != nil:
		r.yield(Record{}, r.ctx.Err())
		return false
	case err != nil:
		return r.fault(e, fmt.Errorf("opening it: %w", cause(err)))
	}
	defer file.Close()
	if _, isRegular := file.(*os.File); !isRegular {
		e.path, e.waits = "", true // it can be read once
	}
	e.body = &counted{r: r, body: file}
	return r.open(e)
}
