package engine

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-9f29d379/akin/index"
	"github.com/seed-9f29d379/akin/internal/number"
	"github.com/seed-9f29d379/akin/internal/store"
)

// graphML is the format of an export for programs that draw and measure graphs (Gephi,
// Cytoscape, yEd, networkx).
const graphML = "graphml"

// graphNeighbours is how many of the papers nearest to it each paper is linked with.
const graphNeighbours = 10

// graphKeys are what a GraphML file says of nodes and edges.
var graphKeys = [...]struct{ name, of, kind string }{
	{"title", "node", "string"},
	{"authors", "node", "string"}, // separated by semicolons
	{"year", "node", "int"},
	{"venue", "node", "string"},
	{"url", "node", "string"},
	{"keys", "node", "string"}, // separated by spaces
	{"theme", "node", "string"},
	{"theme_label", "node", "string"},
	{"subtheme", "node", "string"},
	{"subtheme_label", "node", "string"},
	{"fit", "node", "double"},
	{"weight", "edge", "double"}, // the cosine
}

// exportGraph writes papers with their themes, and which papers are near to which: each
// is linked with the ten nearest of those that are written. Papers without a vector have
// no links.
func (e *Engine) exportGraph(ctx context.Context, w io.Writer, req ExportRequest) (int, error) {
	sh, err := e.papers(ctx)
	if err != nil {
		return 0, err
	}
	chosen, err := e.chosen(ctx, sh, req)
	if err == nil && len(chosen) == 0 {
		err = e.noneExported(ctx, sh, req)
	}
	if err != nil || len(chosen) == 0 {
		return 0, err
	}
	links, err := e.links(ctx, sh, chosen) // whatever may fail does before anything is written
	if err != nil {
		return 0, err
	}
	if _, err := e.tellUnencoded(ctx, "written without theme or links"); err != nil {
		return 0, err
	}
	g, err := e.standing(ctx)
	if errors.Is(err, errNoThemes) {
		if g, err = e.grouping(ctx, ThemesRequest{}); err == nil {
			e.warn("the library had no themes yet: %s %s found now, and akin themes shows them", number.Of(g.K, "theme"), number.Pick(g.K, "is", "are"))
		}
	}
	if err != nil {
		return 0, err
	}
	x := &graphWriter{enc: xml.NewEncoder(w), written: make(map[string]bool), themes: make(map[int64]store.Theme), places: make(map[uint32][]store.Placement)}
	for _, t := range g.themes {
		x.themes[t.N] = t
	}
	for _, p := range g.placements {
		if t := x.themes[p.Theme]; t.Level != store.Resting && chosen[p.Paper] != "" {
			x.places[p.Paper] = append(x.places[p.Paper], p)
		}
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return 0, err
	}
	x.enc.Indent("", " ")
	x.start("graphml", "xmlns", "http://graphml.graphdrawing.org/xmlns")
	for _, k := range graphKeys {
		x.start("key", "id", k.name, "for", k.of, "attr.name", k.name, "attr.type", k.kind)
		x.end("key")
	}
	x.start("graph", "edgedefault", "undirected")
	err = eachByID(ctx, sh, func(p *store.Paper) error {
		if chosen[p.N] != "" {
			x.node(p)
		}
		return x.err
	})
	if err != nil {
		return len(x.written), err
	}
	for _, l := range links {
		x.edge(l)
	}
	x.end("graph")
	x.end("graphml")
	if x.err == nil {
		x.err = x.enc.Close()
	}
	if x.err == nil {
		_, x.err = io.WriteString(w, "\n")
	}
	if x.err != nil {
		x.err = fmt.Errorf("writing the graph: %w", x.err)
	}
	return len(x.written), x.err
}

// chosen are the ids, by number, of the papers that an export names, or of all, as far as
// its filters let them through.
func (e *Engine) chosen(ctx context.Context, sh shelf, req ExportRequest) (map[uint32]string, error) {
	filters, err := e.within(ctx, sh, req.Filters)
	if err != nil {
		return nil, err
	}
	chosen, keep := make(map[uint32]string), filter(filters)
	choose := func(p *store.Paper) error {
		if keep(p) {
			chosen[p.N] = p.ID
		}
		return nil
	}
	if len(req.Names) > 0 {
		return chosen, eachNamed(ctx, sh, req.Names, choose)
	}
	return chosen, sh.Each(ctx, choose)
}

// link is two papers that are near to each other; the id of a comes first.
type link struct {
	a, b   string
	cosine float32
}

// links finds the nearest of the chosen papers for each of them, each pair once, in the
// order of ids.
func (e *Engine) links(ctx context.Context, sh shelf, chosen map[uint32]string) ([]link, error) {
	in, err := e.vectors(ctx)
	if err != nil {
		return nil, err
	}
	var ns []uint32
	var vectors []float32
	allowed := new(index.Set)
	err = sh.Vectors(ctx, func(n uint32, v []float32) error {
		if chosen[n] != "" {
			ns, vectors = append(ns, n), append(vectors, v...)
			allowed.Add(n)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	near := make([][]link, len(ns))
	err = e.parallel(ctx, len(ns), "linking", func(i int) error {
		opts := index.SearchOptions{K: graphNeighbours + 1 + slack, Allow: allowed, Exact: e.cfg.Exact}
		hits, err := in.nearest(vectors[i*in.dim:(i+1)*in.dim], opts)
		for err == nil && len(hits) == opts.K && hits[opts.K-1].Score == hits[graphNeighbours].Score { // more may be as near
			opts.K *= 2
			hits, err = in.nearest(vectors[i*in.dim:(i+1)*in.dim], opts)
		}
		slices.SortFunc(hits, func(a, b index.Hit) int { // equal ones by id, not by when they came
			return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(chosen[a.ID], chosen[b.ID]))
		})
		own := chosen[ns[i]]
		for _, h := range hits {
			if other := chosen[h.ID]; other != own && len(near[i]) < graphNeighbours {
				near[i] = append(near[i], link{min(own, other), max(own, other), h.Score})
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(near...)
	slices.SortFunc(all, func(x, y link) int {
		return cmp.Or(strings.Compare(x.a, y.a), strings.Compare(x.b, y.b), cmp.Compare(y.cosine, x.cosine))
	})
	return slices.CompactFunc(all, func(x, y link) bool { return x.a == y.a && x.b == y.b }), nil
}

// graphWriter writes a GraphML file and keeps its first error.
type graphWriter struct {
	enc     *xml.Encoder
	written map[string]bool // the ids of the papers that are
	themes  map[int64]store.Theme
	places  map[uint32][]store.Placement
	err     error
}

func (x *graphWriter) token(t xml.Token) {
	if x.err == nil {
		x.err = x.enc.EncodeToken(t)
	}
}

// start begins an element with attributes, a name and a value in turn.
func (x *graphWriter) start(name string, attributes ...string) {
	t := xml.StartElement{Name: xml.Name{Local: name}}
	for pair := range slices.Chunk(attributes, 2) {
		t.Attr = append(t.Attr, xml.Attr{Name: xml.Name{Local: pair[0]}, Value: pair[1]})
	}
	x.token(t)
}

func (x *graphWriter) end(name string) { x.token(xml.EndElement{Name: xml.Name{Local: name}}) }

// data writes what a node or an edge says under a key; nothing where it says nothing.
func (x *graphWriter) data(key, value string) {
	if value == "" {
		return
	}
	x.start("data", "key", key)
	x.token(xml.CharData(value))
	x.end("data")
}

func (x *graphWriter) node(p *store.Paper) {
	s := shown(p)
	x.written[p.ID] = true
	x.start("node", "id", p.ID)
	x.data("title", s.Title)
	x.data("authors", strings.Join(s.Authors, "; "))
	if s.Year != 0 {
		x.data("year", strconv.Itoa(s.Year))
	}
	x.data("venue", s.Venue)
	x.data("url", s.URL)
	x.data("keys", strings.Join(s.Keys, " "))
	for _, place := range x.places[p.N] {
		t, ok := x.themes[place.Theme]
		switch {
		case !ok: // it fits none
		case t.Level == 1:
			x.data("theme", themeID(t.N))
			x.data("theme_label", themeLabel(t))
			x.data("fit", strconv.FormatFloat(place.Fit, 'f', 4, 64))
		default:
			x.data("subtheme", themeID(t.N))
			x.data("subtheme_label", themeLabel(t))
		}
	}
	x.end("node")
}

// edge writes a link between papers that are written.
func (x *graphWriter) edge(l link) {
	if !x.written[l.a] || !x.written[l.b] { // one went meanwhile
		return
	}
	x.start("edge", "source", l.a, "target", l.b)
	x.data("weight", strconv.FormatFloat(float64(l.cosine), 'f', 4, 32))
	x.end("edge")
}
