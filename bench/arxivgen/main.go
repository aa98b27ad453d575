// Command arxivgen writes invented records in the form of arXiv's metadata dump, one a
// line, for measuring imports: the same number and seed give the same bytes.
//
//	go run ./arxivgen -n 1000000 > arxiv.jsonl
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"strings"
)

func main() {
	n := flag.Int("n", 1000, "records")
	seed := flag.Uint64("seed", 1, "seed")
	flag.Parse()
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	if err := generate(w, *n, *seed); err != nil {
		log.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
}

// vocabularySize words are about what a thousand abstracts hold.
const vocabularySize = 20_000

type generator struct {
	r     *rand.Rand
	words []string
	zipf  *rand.Zipf
}

func generate(w io.Writer, n int, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 0))
	g := &generator{r: r, words: vocabulary(r), zipf: rand.NewZipf(r, 1.1, 8, vocabularySize-1)}
	for i := range n {
		if _, err := io.WriteString(w, g.record(i)); err != nil {
			return err
		}
	}
	return nil
}

// perMonth is about how many papers a month had in 2007; ids have five digits from 2015.
const perMonth = 9000

// record is one line. Three of ten have a DOI, as in the dump.
func (g *generator) record(i int) string {
	month := i / perMonth
	year, number := 7+month/12, i%perMonth+1
	id := fmt.Sprintf("%02d%02d.%04d", year, month%12+1, number)
	if year >= 15 {
		id = fmt.Sprintf("%02d%02d.%05d", year, month%12+1, number)
	}
	doi := "null"
	if g.r.IntN(10) < 3 {
		doi = fmt.Sprintf(`"10.%d/%s.%d.%06d"`, 1000+g.r.IntN(9000), g.word(), 2007+month/12, i)
	}
	authors := make([]string, 1+g.r.IntN(6))
	parsed := make([]string, len(authors))
	for a := range authors {
		family, given := g.name(), g.name()
		authors[a] = given + " " + family
		parsed[a] = fmt.Sprintf(`[%q,%q,""]`, family, given)
	}
	date := fmt.Sprintf("20%02d-%02d-%02d", year, month%12+1, 1+g.r.IntN(28))
	return fmt.Sprintf(`{"id":"%s","submitter":%q,"authors":%q,"title":"%s","comments":"%d pages","journal-ref":null,"doi":%s,"report-no":null,"categories":"%s.%s","license":null,"abstract":"  %s\n","versions":[{"version":"v1","created":"Mon, 2 Apr 2007 19:18:42 GMT"}],"update_date":"%s","authors_parsed":[%s]}`+"\n",
		id, authors[0], strings.Join(authors, ", "), g.title(), 4+g.r.IntN(40), doi, "cs", "LG", g.abstract(), date, strings.Join(parsed, ","))
}

func (g *generator) word() string { return g.words[g.zipf.Uint64()] }

func (g *generator) name() string {
	w := g.words[1000+g.r.IntN(vocabularySize-1000)]
	return strings.ToUpper(w[:1]) + w[1:]
}

func (g *generator) title() string { return capital(g.run(5 + g.r.IntN(8))) }

// abstract is hard-wrapped as in the dump, with a formula here and there.
func (g *generator) abstract() string {
	var b strings.Builder
	line := 0
	for range 5 + g.r.IntN(6) {
		sentence := capital(g.run(12+g.r.IntN(16))) + "."
		if g.r.IntN(4) == 0 {
			sentence = strings.Replace(sentence, " ", ` $\\alpha_{`+fmt.Sprint(g.r.IntN(9))+`}$ `, 1)
		}
		for w := range strings.SplitSeq(sentence, " ") {
			if line+len(w) > 72 {
				b.WriteString(`\n`)
				line = 0
			} else if line > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
			line += len(w) + 1
		}
	}
	return b.String()
}

func (g *generator) run(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = g.word()
	}
	return strings.Join(words, " ")
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// vocabulary is invented words of two to four syllables, short ones first.
func vocabulary(r *rand.Rand) []string {
	syllables := strings.Fields("an be con de er fi gra hy in jo ka lin mo ne or pre qua ri sta tion un ver wa xi yo ze al ber cla dor em fra gen")
	seen := make(map[string]bool)
	var words []string
	for len(words) < vocabularySize {
		var b strings.Builder
		for range 1 + len(words)/4000 + r.IntN(2) {
			b.WriteString(syllables[r.IntN(len(syllables))])
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			words = append(words, w)
		} else if r.IntN(3) == 0 {
			words = append(words, w+syllables[r.IntN(len(syllables))])
		}
	}
	return words
}
