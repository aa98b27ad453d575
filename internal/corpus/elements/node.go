package elements

import (
	"iter"
	"strings"
)

// A Node is an element, or a piece of text (Name is "").
type Node struct {
	Name     string // without a prefix
	Text     string // of a piece of text
	Attrs    []Attr
	Children []*Node
	Line     int // on which it begins
}

// Attr is an attribute of an element.
type Attr struct{ Name, Value string }

// Attr is the value of the attribute, "" where there is none.
func (n *Node) Attr(name string) string {
	if n != nil {
		for _, attr := range n.Attrs {
			if attr.Name == name {
				return attr.Value
			}
		}
	}
	return ""
}

// All yields the elements that a path of names leads to from n, in order.
func (n *Node) All(path ...string) iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.all(path, yield) }
}

func (n *Node) all(path []string, yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	if len(path) == 0 {
		return yield(n)
	}
	for _, child := range n.Children {
		if child.Name == path[0] && !child.all(path[1:], yield) {
			return false
		}
	}
	return true
}

// Find is the first element that the path leads to, nil where there is none.
func (n *Node) Find(path ...string) *Node {
	for found := range n.All(path...) {
		return found
	}
	return nil
}

// Plain is the text of n and everything in it, without tags and white space around it.
func (n *Node) Plain() string {
	var b strings.Builder
	n.plain(&b)
	return strings.TrimSpace(b.String())
}

func (n *Node) plain(b *strings.Builder) {
	if n == nil {
		return
	}
	b.WriteString(n.Text)
	for _, child := range n.Children {
		child.plain(b)
	}
}

// Markup is the text of n with the tags that are in it, as package paper cleans them:
// a "<" that is text stays one. Without any tags it is the text itself.
func (n *Node) Markup() string {
	if n == nil {
		return ""
	}
	if !n.hasMarkup() {
		return n.Plain()
	}
	var b strings.Builder
	for _, child := range n.Children {
		child.markup(&b)
	}
	return strings.TrimSpace(b.String())
}

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;")

// hasMarkup reports whether tags are written for anything in n.
func (n *Node) hasMarkup() bool {
	for _, child := range n.Children {
		if child.tag() != "" || child.hasMarkup() {
			return true
		}
	}
	return false
}

// tag is the name of the tag that is written for n, "" for none.
func (n *Node) tag() string {
	if n.Name != "style" {
		return n.Name
	}
	switch n.Attr("face") { // EndNote's
	case "superscript":
		return "sup"
	case "subscript":
		return "sub"
	}
	return ""
}

func (n *Node) markup(b *strings.Builder) {
	name := n.tag()
	if n.Name == "" {
		b.WriteString(escaper.Replace(n.Text))
		return
	}
	if name != "" {
		b.WriteString("<" + name + ">")
	}
	for _, child := range n.Children {
		child.markup(b)
	}
	if name != "" {
		b.WriteString("</" + name + ">")
	}
}
