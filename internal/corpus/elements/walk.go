package elements

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/seed-9f29d379/akin/internal/corpus"
	"github.com/seed-9f29d379/akin/internal/corpus/fields"
)

const (
	// maxBytes of one record; a whole book fits.
	maxBytes = 64 << 20
	// maxDepth of the elements of a record; what is deeper is read as text of those above.
	maxDepth = 64
	// nodeBytes is about what a node takes.
	nodeBytes = 128
	// checkEvery is after how many tokens the context is asked.
	checkEvery = 4096
)

// Walk yields the elements whose name isRecord accepts, outermost first; what is in
// one is part of it. With a *corpus.Rejected error a record could not be read and the
// walk goes on; any other error is the end. warn is told once about characters that no
// XML may have.
func Walk(ctx context.Context, src corpus.Source, isRecord func(name string) bool) iter.Seq2[*Node, error] {
	return func(yield func(*Node, error) bool) {
		t := &tokens{body: bufio.NewReaderSize(src.Body, 64<<10), line: 1, warn: src.Warn}
		var around root
		for n := 0; ; n++ {
			token, err := t.next(false)
			if err == nil && n%checkEvery == 0 {
				err = ctx.Err()
			}
			if err == io.EOF && around.depth > 0 {
				err = corpus.Cut("list", around.line)
			}
			if err != nil {
				if err != io.EOF {
					yield(nil, err)
				}
				return
			}
			if token.kind == end || token.kind == start && !token.empty && !isRecord(token.name) {
				around.follow(token)
			}
			if token.kind != start || !isRecord(token.name) {
				continue
			}
			node, err := t.tree(ctx, token)
			var rejected *corpus.Rejected
			if !yield(node, err) || err != nil && !errors.As(err, &rejected) {
				return
			}
		}
	}
}

// A root is the element around all others: a text that ends within it is cut short.
type root struct {
	name  string
	line  int
	depth int // of elements of its name
}

func (r *root) follow(token token) {
	switch {
	case token.kind == start && r.depth == 0:
		r.name, r.line, r.depth = token.name, token.line, 1
	case token.name != r.name:
	case token.kind == start:
		r.depth++
	case r.depth > 0:
		r.depth--
	}
}

// Records yields what toRecord makes of the elements that Walk yields. Records without
// any text are rejected.
func Records(ctx context.Context, src corpus.Source, isRecord func(name string) bool, toRecord func(*Node) corpus.Record) iter.Seq2[corpus.Record, error] {
	return func(yield func(corpus.Record, error) bool) {
		for node, err := range Walk(ctx, src, isRecord) {
			var record corpus.Record
			if err == nil {
				record = toRecord(node)
				record.Line = node.Line
				err = fields.Reject(record)
			}
			if !yield(record, err) {
				return
			}
		}
	}
}

// tree reads the element that token begins.
func (t *tokens) tree(ctx context.Context, token token) (*Node, error) {
	root := &Node{Name: token.name, Attrs: token.attrs, Line: token.line}
	if token.empty {
		return root, nil
	}
	stack := []*Node{root}
	deeper := 0 // elements that are open below maxDepth
	size := 0
	for n := 0; ; n++ {
		if n%checkEvery == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		tooLong := size > maxBytes
		token, err := t.next(!tooLong)
		if err == io.EOF {
			return nil, corpus.Cut("record", root.Line)
		}
		if err != nil {
			return nil, err
		}
		top := stack[len(stack)-1]
		size += len(token.text) + nodeBytes
		switch token.kind {
		case text:
			if !tooLong && token.text != "" {
				top.Children = append(top.Children, &Node{Text: token.text, Line: token.line})
			}
		case start:
			switch {
			case token.empty:
			case len(stack) >= maxDepth:
				deeper++
			default:
				node := &Node{Name: token.name, Attrs: token.attrs, Line: token.line}
				if !tooLong {
					top.Children = append(top.Children, node)
				}
				stack = append(stack, node)
			}
		case end:
			if deeper > 0 {
				deeper--
				continue
			}
			at := len(stack) - 1
			for at > 0 && stack[at].Name != token.name {
				at--
			}
			if stack[at].Name != token.name {
				continue // an end without a start
			}
			stack = stack[:at]
			if at == 0 {
				if tooLong {
					return nil, &corpus.Rejected{Line: root.Line, Reason: fmt.Sprintf("is longer than %d MB", maxBytes>>20)}
				}
				return root, nil
			}
		}
	}
}

// Join gives the texts that are not blank, one a line.
func Join(texts []string) string {
	kept := texts[:0]
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			kept = append(kept, text)
		}
	}
	return strings.Join(kept, "\n")
}
