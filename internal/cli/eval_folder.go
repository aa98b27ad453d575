package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// judgedFolder is a set of judged queries as BEIR has them: corpus.jsonl, queries.jsonl
// and qrels/test.tsv. Names may have more to them (corpus-part0.jsonl, qrels-dev.tsv),
// and files may be packed (.gz).
type judgedFolder struct {
	corpus         []string // none: the library is to have it
	queries, qrels string
}

// openJudgedFolder finds the files of a set. What the flags name is not looked for.
func openJudgedFolder(dir string, o evalOptions) (judgedFolder, error) {
	set := judgedFolder{queries: o.queries, qrels: o.qrels}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		if err == nil {
			err = fmt.Errorf("%s is a file", dir)
		}
		return set, &engine.Error{Kind: engine.Failed, Err: err, Hint: "a folder holds corpus.jsonl, queries.jsonl and qrels/test.tsv; --queries and --qrels name files"}
	}
	in := func(patterns ...string) []string {
		var found []string
		for _, pattern := range patterns {
			for _, packed := range []string{"", ".gz"} {
				some, _ := filepath.Glob(filepath.Join(escaped(dir), pattern+packed)) // the patterns are well-formed
				found = append(found, some...)
			}
		}
		slices.Sort(found)
		return found
	}
	set.corpus = in("corpus*.jsonl")
	var err error
	if set.qrels == "" {
		if set.qrels, err = onlyOne(in("qrels*.tsv", "qrels*.txt", "qrels/*.tsv", "qrels/*.txt"), dir, "qrels", "test", "dev"); err != nil {
			return set, err
		}
	}
	if set.queries == "" {
		splits := []string{"test", "dev"}
		if strings.Contains(filepath.Base(set.qrels), "dev") {
			slices.Reverse(splits)
		}
		set.queries, err = onlyOne(in("queries*.jsonl"), dir, "queries", splits...)
	}
	return set, err
}

// escaped is a path that a pattern matches as it is.
func escaped(path string) string {
	if os.PathSeparator == '\\' { // where it is no escape; a bracket matches itself in brackets
		return strings.ReplaceAll(path, "[", "[[]")
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// onlyOne chooses among files: that of the first split which one of them is named by.
func onlyOne(files []string, dir, what string, splits ...string) (string, error) {
	if len(files) == 1 {
		return files[0], nil
	}
	if len(files) == 0 {
		return "", &engine.Error{Kind: engine.Failed, Err: fmt.Errorf("there are no %s in %s", what, dir), Hint: "--" + what + " names a file"}
	}
	for _, split := range splits {
		of := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !strings.Contains(filepath.Base(f), split) })
		if len(of) == 1 {
			return of[0], nil
		}
	}
	return "", usagef("--"+what+" names one of them", "there are several %s in %s: %s", what, dir, strings.Join(baseNames(files), ", "))
}

func baseNames(files []string) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = filepath.Base(f)
	}
	return names
}

// openToJudge opens the library that --library names, or, where none is named, one of
// the folder's corpus, which closing removes.
func (s *session) openToJudge(ctx context.Context, o evalOptions, set judgedFolder) (e *engine.Engine, closing func() error, err error) {
	if len(set.corpus) == 0 || s.global.library != "" {
		if e, err = s.openToRead(ctx, o.engineOptions); err != nil {
			return nil, nil, err
		}
		return e, e.Close, nil
	}
	dir, err := os.MkdirTemp("", "akin-eval-")
	if err != nil {
		return nil, nil, fmt.Errorf("making a library for the corpus: %w", err)
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	cfg := s.config(o.engineOptions)
	cfg.Library = filepath.Join(dir, "library")
	if e, err = engine.Open(ctx, cfg); err != nil {
		return nil, nil, err
	}
	closing = func() error { return errors.Join(e.Close(), os.RemoveAll(dir)) }
	r, err := e.Add(ctx, engine.AddRequest{Paths: set.corpus})
	if err != nil {
		return nil, nil, errors.Join(err, closing())
	}
	if r.RejectedCount > 0 {
		s.notef("%s of the corpus set aside: %s", plural(r.RejectedCount, "document"), r.Rejected[0].Reason)
	}
	return e, closing, nil
}
