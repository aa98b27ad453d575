package layers

// module is the prefix of our own import paths.
const module = "github.com/seed-9f29d379/akin"

// layer is one row of the import table: the packages under a folder and what of ours
// they may import (with the packages under it). Tests are free to import more.
type layer struct {
	folder  string
	imports []string
}

// table lists every folder that holds Go code; the longest matching row decides. A
// package may always import what lies under its own row.
var table = []layer{
	{"cmd/akin", []string{"internal/cli"}},

	{"internal/vec", nil},
	{"internal/paper", nil},
	{"embed", []string{"internal/vec"}},
	{"embed/internal/wordpiece", nil},
	{"embed/internal/safetensors", nil},
	{"embed/internal/bert", []string{"internal/vec", "embed/internal/safetensors"}},
	{"embed/cybertron", []string{"embed", "internal/vec"}},
	{"index", []string{"internal/vec", "internal/mapped"}},
	{"index/hnsw", []string{"index", "internal/vec", "internal/mapped"}},
	{"index/indextest", []string{"index", "index/hnsw", "internal/vec"}},
	{"cluster", []string{"internal/vec", "internal/number", "internal/mapped"}},
	{"seeds", nil},
	{"models", nil},

	{"internal/corpus", []string{"internal/paper", "internal/stream", "internal/number"}},
	{"internal/keyword", []string{"internal/mapped"}},
	{"internal/mapped", nil},
	{"internal/facet", nil},
	{"internal/sentence", []string{"internal/vec"}},
	{"internal/eval", []string{"internal/stream"}},
	{"internal/number", nil},
	{"internal/stream", nil},
	{"internal/store", []string{"internal/paper", "internal/corpus", "internal/sentence", "internal/number"}},
	{"internal/engine", []string{
		"internal/paper", "internal/vec", "internal/corpus", "internal/store", "internal/number",
		"internal/keyword", "internal/facet", "internal/sentence", "internal/eval", "internal/stream", "internal/mapped",
		"embed", "index", "cluster", "seeds", "models",
	}},
	{"internal/cli", []string{"internal/engine", "internal/paper", "internal/number", "internal/stream"}},
	{"internal/layers", nil},
	{"internal/shareddata", nil},
}

// confined names what may be used only under certain folders.
var confined = []struct {
	what    string // an import path, or "pkg.Name" of the standard library
	folders []string
}{
	{"github.com/spf13/cobra", []string{"internal/cli"}},
	{"net/http", []string{"internal/server", "models"}},
	{"unsafe", []string{"internal/vec"}},
	{"os.Exit", []string{"cmd"}},
	{"os.Getenv", []string{"internal/cli", "internal/vec", "internal/shareddata"}},
	{"os.LookupEnv", []string{"internal/cli", "internal/vec"}},
	{"log.Fatal", []string{"internal/vec/gen"}},
}

// maxLines is the length over which a file is asked to be split by subject; tables and
// generated files are exempt.
const maxLines = 500
