package cli

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// A mapping is the value of --map: a field of a paper to what a file calls it. A name
// with a comma stands in quotation marks, as in CSV.
type mapping map[string]string

// Set takes FIELD=NAME,... ; it may be given more than once.
func (m *mapping) Set(text string) error {
	pairs, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil {
		return fmt.Errorf("it takes FIELD=NAME, as in title=Titel, not %q", text)
	}
	for _, pair := range pairs {
		field, name, ok := strings.Cut(pair, "=")
		field, name = strings.ToLower(strings.TrimSpace(field)), strings.TrimSpace(name)
		if !ok || field == "" || name == "" {
			return fmt.Errorf("it takes FIELD=NAME, as in title=Titel, not %q", pair)
		}
		if fields := engine.Fields(); !slices.Contains(fields, field) {
			return fmt.Errorf("there is no field %q; the fields are %s", field, strings.Join(fields, ", "))
		}
		for has, its := range *m {
			switch {
			case has == field && its != name:
				return fmt.Errorf("%s is both %q and %q", field, its, name)
			case has != field && strings.EqualFold(its, name):
				return fmt.Errorf("%q is both %s and %s", name, min(has, field), max(has, field))
			}
		}
		if *m == nil {
			*m = mapping{}
		}
		(*m)[field] = name
	}
	return nil
}

// String gives the pairs, by field.
func (m *mapping) String() string {
	var pairs []string
	for _, field := range slices.Sorted(maps.Keys(*m)) {
		pairs = append(pairs, field+"="+(*m)[field])
	}
	return strings.Join(pairs, ",")
}

// Type is what the value is called where a flag's help names none.
func (m *mapping) Type() string { return "FIELD=NAME" }
