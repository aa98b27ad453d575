package engine

import "github.com/seed-9f29d379/akin/internal/corpus/all"

// Formats names the formats that Add reads, as AddRequest.Format takes them.
func Formats() []string {
	var names []string
	for _, f := range all.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// Fields names the fields of a paper that AddRequest.Map takes, by name.
func Fields() []string { return all.Fields() }
