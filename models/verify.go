package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Report is what [Verify] found, one entry a section in the order of names.
type Report struct {
	Model    string
	Sections []SectionReport
}

// SectionReport is the state of one section.
type SectionReport struct {
	Name    string
	Size    int64  // bytes found
	SHA256  string // of the bytes found; "" for a missing section
	Problem string // "" where size and checksum are the manifest's
}

// OK reports whether every section is as the manifest says.
func (r Report) OK() bool {
	return !slices.ContainsFunc(r.Sections, func(s SectionReport) bool { return s.Problem != "" })
}

// Verify compares sections with the manifest of m: all present, no other, each of
// the stated size and checksum. What differs is in the report; the error is that of
// ctx alone. It reads every byte once (45 MB take some 30 ms with SHA instructions).
func Verify(ctx context.Context, m Model, sections map[string][]byte) (Report, error) {
	report := Report{Model: m.Name}
	known := make(map[string]bool, len(m.Sections))
	for _, want := range m.Sections {
		known[want.Name] = true
		got := SectionReport{Name: want.Name}
		data, ok := sections[want.Name]
		if !ok {
			got.Problem = "missing"
			report.Sections = append(report.Sections, got)
			continue
		}
		sum, err := checksum(ctx, data)
		if err != nil {
			return Report{}, fmt.Errorf("verifying %s of %s: %w", want.Name, m.Name, err)
		}
		got.Size, got.SHA256 = int64(len(data)), sum
		switch {
		case got.Size != want.Size:
			got.Problem = fmt.Sprintf("%d bytes, expected %d", got.Size, want.Size)
		case got.SHA256 != want.SHA256:
			got.Problem = fmt.Sprintf("sha256 %s, expected %s", got.SHA256, want.SHA256)
		}
		report.Sections = append(report.Sections, got)
	}
	for name, data := range sections {
		if !known[name] {
			report.Sections = append(report.Sections,
				SectionReport{Name: name, Size: int64(len(data)), Problem: "not in the manifest"})
		}
	}
	slices.SortFunc(report.Sections, func(a, b SectionReport) int { return strings.Compare(a.Name, b.Name) })
	return report, nil
}

// checksum is the SHA-256 of data in hexadecimal; between pieces it looks at ctx.
func checksum(ctx context.Context, data []byte) (string, error) {
	const piece = 4 << 20
	h := sha256.New()
	for len(data) > 0 {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n := min(len(data), piece)
		h.Write(data[:n])
		data = data[n:]
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
