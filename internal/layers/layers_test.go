package layers

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the repository's root, seen from this package.
const root = "../.."

// source is one Go file of the tree.
type source struct {
	name  string // slash-separated, from the root
	dir   string
	file  *ast.File
	lines int
	test  bool
}

// sources parses every Go file of the main module.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(name, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		all = append(all, source{
			name:  rel,
			dir:   path.Dir(rel),
			file:  f,
			lines: bytes.Count(data, []byte("\n")),
			test:  strings.HasSuffix(rel, "_test.go"),
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("no Go file found")
	}
	return all
}

// skipped reports whether a folder holds nothing of the main module: hidden folders,
// test data, and modules of their own.
func skipped(name, base string) bool {
	if name == root {
		return false
	}
	if base == "testdata" || strings.HasPrefix(base, ".") {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	return err == nil
}

// under reports whether dir is folder or lies below it.
func under(dir, folder string) bool {
	return dir == folder || strings.HasPrefix(dir, folder+"/")
}

// row is the longest row of the table that dir lies under.
func row(dir string) (layer, bool) {
	var best layer
	for _, l := range table {
		if under(dir, l.folder) && len(l.folder) > len(best.folder) {
			best = l
		}
	}
	return best, best.folder != ""
}

func imports(f *ast.File) []string {
	var paths []string
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

func TestImportsFollowTheTable(t *testing.T) {
	for _, s := range sources(t) {
		l, ok := row(s.dir)
		if !ok {
			t.Errorf("%s: %s is not in the table of layers", s.name, s.dir)
			continue
		}
		if s.test {
			continue
		}
		for _, p := range imports(s.file) {
			of, ours := strings.CutPrefix(p, module+"/")
			if !ours || under(of, l.folder) {
				continue
			}
			if !slices.ContainsFunc(l.imports, func(allowed string) bool { return under(of, allowed) }) {
				t.Errorf("%s imports %s; the table allows %s only %v", s.name, of, l.folder, l.imports)
			}
		}
	}
}

func TestOurEmbedAndTheStandardEmbedNeverMeet(t *testing.T) {
	for _, s := range sources(t) {
		paths := imports(s.file)
		if slices.Contains(paths, "embed") && slices.Contains(paths, module+"/embed") {
			t.Errorf("%s imports both embed and %s/embed", s.name, module)
		}
	}
}

func TestConfinedThingsStayWhereTheyBelong(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		used := imports(s.file)
		ast.Inspect(s.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if pkg, ok := sel.X.(*ast.Ident); ok {
					used = append(used, pkg.Name+"."+sel.Sel.Name)
				}
			}
			return true
		})
		for _, c := range confined {
			allowed := slices.ContainsFunc(c.folders, func(f string) bool { return under(s.dir, f) })
			if !allowed && slices.Contains(used, c.what) {
				t.Errorf("%s uses %s, which belongs in %v only", s.name, c.what, c.folders)
			}
		}
	}
}

func TestPackagesKeepTheHouseRules(t *testing.T) {
	documented := map[string]bool{}
	for _, s := range sources(t) {
		documented[s.dir] = documented[s.dir] || path.Base(s.name) == "doc.go" || s.file.Name.Name == "main"
		for _, d := range s.file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s declares init()", s.name)
			}
		}
		if s.lines > maxLines && !ast.IsGenerated(s.file) && !strings.Contains(s.name, "table") {
			t.Errorf("%s has %d lines; split it by subject at %d", s.name, s.lines, maxLines)
		}
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("%s has no doc.go", dir)
		}
	}
}

func TestAssemblyIsInVecOnly(t *testing.T) {
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && skipped(name, d.Name()) {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if filepath.Ext(name) == ".s" && !under(filepath.ToSlash(rel), "internal/vec") {
			t.Errorf("%s: assembly belongs in internal/vec", rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// counted matches a count in a message that is not written by internal/number, which puts
// its thousands apart.
var counted = regexp.MustCompile(`%d (of |more |of the )*(papers?|records?|vectors?|queries|query|names?|items?|sentences?|terms?|files?|sources?|duplicates?|results?)\b`)

// notCounted are messages that repeat what was typed.
var notCounted = []string{"%d papers are asked for", "%d results are asked for"}

func TestCountsForPeopleAreGrouped(t *testing.T) {
	for _, s := range sources(t) {
		speaks := slices.ContainsFunc([]string{"internal/corpus", "internal/store", "internal/engine", "internal/cli"}, func(f string) bool { return under(s.dir, f) })
		if s.test || !speaks {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && counted.MatchString(text.Value) && !slices.Contains(notCounted, strings.Trim(text.Value, `"`)) {
				t.Errorf("%s writes %s: internal/number groups it", s.name, text.Value)
			}
			return true
		})
	}
}

// TestDirectRequirementsAreMarked: go.mod requires as direct what is imported, and as
// indirect what is not.
func TestDirectRequirementsAreMarked(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	imported := map[string]bool{}
	for _, s := range sources(t) {
		for _, i := range s.file.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			imported[name] = true
		}
	}
	requirement := regexp.MustCompile(`(?m)^\t(\S+) v\S+( // indirect)?$`)
	found := requirement.FindAllStringSubmatch(string(data), -1)
	if len(found) == 0 {
		t.Fatal("go.mod requires nothing: it is written otherwise than this test knows")
	}
	for _, r := range found {
		module, indirect, used := r[1], r[2] != "", false
		for name := range imported {
			used = used || under(name, module)
		}
		if used == indirect {
			t.Errorf("go.mod: %s is imported: %v, marked as indirect: %v", module, used, indirect)
		}
	}
}
