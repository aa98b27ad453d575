package engine_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-9f29d379/akin/internal/engine"
)

// graphML is a GraphML file as a program reads it.
type graphML struct {
	XMLName xml.Name `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
	Keys    []struct {
		ID   string `xml:"id,attr"`
		For  string `xml:"for,attr"`
		Kind string `xml:"attr.type,attr"`
	} `xml:"key"`
	Graph struct {
		Directed string `xml:"edgedefault,attr"`
		Nodes    []struct {
			ID   string      `xml:"id,attr"`
			Data []graphData `xml:"data"`
		} `xml:"node"`
		Edges []struct {
			Source string      `xml:"source,attr"`
			Target string      `xml:"target,attr"`
			Data   []graphData `xml:"data"`
		} `xml:"edge"`
	} `xml:"graph"`
}

type graphData struct {
	Key   string `xml:"key,attr"`
	Value string `xml:",chardata"`
}

// exportGraph exports a graph and checks what must hold of every one.
func exportGraph(t *testing.T, e *engine.Engine, req engine.ExportRequest) (graphML, map[string]map[string]string) {
	t.Helper()
	req.To = "graphml"
	var out bytes.Buffer
	n, err := e.Export(t.Context(), &out, req)
	if err != nil {
		t.Fatal(err)
	}
	var g graphML
	if err := xml.Unmarshal(out.Bytes(), &g); err != nil {
		t.Fatalf("%v in\n%.2000s", err, out.String())
	}
	kinds := make(map[string]string)
	for _, k := range g.Keys {
		kinds[k.For+" "+k.ID] = k.Kind
	}
	check := func(of string, list []graphData) map[string]string {
		m := make(map[string]string)
		for _, d := range list {
			kind, known := kinds[of+" "+d.Key]
			_, again := m[d.Key]
			_, notNumber := strconv.ParseFloat(d.Value, 64)
			if !known || again || kind != "string" && notNumber != nil {
				t.Errorf("a %s says %s = %q, of kind %q", of, d.Key, d.Value, kind)
			}
			m[d.Key] = d.Value
		}
		return m
	}
	nodes := make(map[string]map[string]string)
	for _, node := range g.Graph.Nodes {
		nodes[node.ID] = check("node", node.Data)
	}
	if len(nodes) != n || len(g.Graph.Nodes) != n || g.Graph.Directed != "undirected" {
		t.Errorf("%d papers, %d nodes of %d names, %s", n, len(g.Graph.Nodes), len(nodes), g.Graph.Directed)
	}
	seen := make(map[[2]string]bool)
	for _, edge := range g.Graph.Edges {
		ends := [2]string{min(edge.Source, edge.Target), max(edge.Source, edge.Target)}
		if nodes[ends[0]] == nil || nodes[ends[1]] == nil || ends[0] == ends[1] || seen[ends] {
			t.Errorf("an edge between %q and %q", edge.Source, edge.Target)
		}
		seen[ends] = true
		if check("edge", edge.Data)["weight"] == "" {
			t.Errorf("the edge between %q and %q has no weight", edge.Source, edge.Target)
		}
	}
	return g, nodes
}

func TestExportOfAGraph(t *testing.T) {
	awkward := `{"id":"]]><x","title":"A \"title\" <b>with</b> \u0001 & ]]> 深層 \ud835\udd38","abstract":"graph node edge","authors":["O'Neil & Sons","B"],"venue":"<venue>","year":1999}`
	e, _ := library(t, append(planted(0, 60, 3), awkward)...)
	g, nodes := exportGraph(t, e, engine.ExportRequest{})
	if len(nodes) != 61 || len(g.Graph.Edges) < 61*10/2 || len(g.Graph.Edges) > 61*10 {
		t.Errorf("%d nodes, %d edges; want 61, and ten neighbours each", len(nodes), len(g.Graph.Edges))
	}
	th := themesOf(t, e, engine.ThemesRequest{})
	for _, theme := range th.Themes {
		for _, p := range theme.Papers {
			if got := nodes[p.ID]; got["theme"] != theme.ID || got["theme_label"] != theme.Label || got["fit"] != fmt.Sprintf("%.4f", p.Fit) || got["title"] != p.Title {
				t.Errorf("%s of %s is %v", p.ID, theme.ID, got)
			}
		}
	}
	p, err := e.Show(t.Context(), "]]><x")
	if err != nil {
		t.Fatal(err)
	}
	if got := nodes[p.ID]; got["authors"] != "O'Neil & Sons; B" || got["venue"] != "<venue>" || got["year"] != "1999" || got["keys"] != "]]><x" {
		t.Errorf("the awkward paper is %v", got)
	}
	_, again := exportGraph(t, e, engine.ExportRequest{})
	if diff := cmp.Diff(nodes, again); diff != "" {
		t.Errorf("exported again:\n%s", diff)
	}

	part := engine.Filters{Theme: []string{"t1"}}
	if g, nodes := exportGraph(t, e, engine.ExportRequest{Filters: part}); len(nodes) != th.Themes[0].Size || len(g.Graph.Edges) < len(nodes)*5 {
		t.Errorf("one theme: %d nodes, %d edges; want %d, each with ten neighbours among them", len(nodes), len(g.Graph.Edges), th.Themes[0].Size)
	}
	if g, nodes := exportGraph(t, e, engine.ExportRequest{Names: []string{"k0", "k3"}}); len(nodes) != 2 || len(g.Graph.Edges) != 1 {
		t.Errorf("two papers: %d nodes, %d edges; want 2 and 1", len(nodes), len(g.Graph.Edges))
	}
}

func TestExportOfAGraphOfTwoLevelsAndOfTheSeeds(t *testing.T) {
	e, _ := library(t, planted(0, 120, 6)...)
	themesOf(t, e, engine.ThemesRequest{K: 2, Levels: 2})
	_, nodes := exportGraph(t, e, engine.ExportRequest{})
	for id, node := range nodes {
		if node["theme"] == "" || node["subtheme"] == "" || node["subtheme_label"] == "" || node["theme"] == node["subtheme"] {
			t.Errorf("%s is %v", id, node)
		}
	}
	if _, nodes := exportGraph(t, openWith(t, engine.Config{}), engine.ExportRequest{}); len(nodes) != 19 {
		t.Errorf("the seeds have %d nodes, want 19", len(nodes))
	}
}

var errFull = errors.New("the disk is full")

// full takes so many bytes.
type full int

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestExportOfAGraphTellsThatItCannotBeWritten(t *testing.T) {
	e, _ := library(t, planted(0, 60, 3)...)
	for _, room := range []full{0, 10, 500, 20000} {
		if _, err := e.Export(t.Context(), &room, engine.ExportRequest{To: "graphml"}); !errors.Is(err, errFull) {
			t.Errorf("got %v", err)
		}
	}
}
