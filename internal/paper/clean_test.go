package paper_test

import (
	"strings"
	"testing"
	"time"

	"github.com/seed-9f29d379/akin/internal/paper"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain text", "We study caches.", "We study caches."},
		{"TeX bold", `we identify \textbf{conversational inertia}, a phenomenon`, "we identify conversational inertia, a phenomenon"},
		{"TeX bold, nested", `{\textbf{M{\"o}bius}} strips`, "Möbius strips"},
		{"TeX font declaration", `a 10\% {\em improvement}`, "a 10% improvement"},
		{"TeX small capitals", `\textsc{Llama}-2`, "Llama-2"},
		{"TeX unknown command with an argument", `the \foo{bar} baz`, "the bar baz"},
		{"TeX citation", `the bound of \cite{old} by`, "the bound of by"},
		{"TeX citation before a full stop", `as shown \citep[p. 3]{old}.`, "as shown."},
		{"TeX reference with a tie", `Theorem~\ref{t} holds`, "Theorem holds"},
		{"math: ell zero", `based on $\ell_0$ constraints`, "based on ℓ0 constraints"},
		{"math: ell p and a list", `regression---including Lasso, $\ell_p$-, and $\delta_p$-type`, "regression—including Lasso, ℓ_p-, and δ_p-type"},
		{"math: complexity", `in $\widetilde{O}(r\sqrt{mn}/\epsilon + \mathrm{poly}(n,1/\epsilon))$ time`, "in Õ(r√(mn)/ϵ + poly(n,1/ϵ)) time"},
		{"math: Greek before a hyphen", `on $\beta$-secretase`, "on β-secretase"},
		{"math: blackboard and hard wrap", "Bounds for $(p,\\ell)$-marble games on\n  $\\mathbb{Z}_{p}$ grids", "Bounds for (p,ℓ)-marble games on Z_p grids"},
		{"math: log without space", `$O(n\log n)$ steps`, "O(n log n) steps"},
		{"math: fraction", `$\frac{a+b}{2}$ and $\frac12$`, "(a+b)/2 and 1/2"},
		{"math: power", `about $10^{-5}$ and $n^{1/2}$`, "about 10^-5 and n^(1/2)"},
		{"math: script on the text before", `We use $\alpha$-divergence and H$_2$O.`, "We use α-divergence and H2O."},
		{"math: charge", `Ca$^{2+}$ and CD4$^+$ cells`, "Ca^2+ and CD4+ cells"},
		{"math: display", `so that $$x = y$$ holds`, "so that x = y holds"},
		{"math: in round brackets", `a \(k\)-partite graph`, "a k-partite graph"},
		{"math: relations", `for all $k \ge 2$, $a\leq b$`, "for all k ≥ 2, a≤ b"},
		{"math: percent inside", `by a factor of $\approx 10\%$`, "by a factor of ≈ 10%"},
		{"math: norm", `$\|x\|_2$`, "‖x‖2"},
		{"math: accents that no letter has", `$\bar\nu_e$ and $\hat{x}$`, "ν_e and x"},
		{"symbol without dollars", `decays to \pi and \alpha-mixing`, "decays to π and α-mixing"},
		{"escaped dollars", "Costs are \\$3 to \\$5\nper run.", "Costs are $3 to $5 per run."},
		{"plain dollars", "Costs are $3 to $5 per run, US$7 or A$9.", "Costs are $3 to $5 per run, US$7 or A$9."},
		{"dollar and tie", `costs \$5~per run`, "costs $5 per run"},
		{"one escaped dollar", `\$3`, "$3"},
		{"escaped set", `Set notation \{a, b\} must survive.`, "Set notation {a, b} must survive."},
		{"plain set", `the set {a, b} of`, "the set {a, b} of"},
		{"protected capitals", `{BERT}: Pre-training for {B}ayesian models`, "BERT: Pre-training for Bayesian models"},
		{"accents", `Nov{\'a}{\v{c}}kov{\'a}, J{\"u}rga and Mart{\'\i}n, Ren\'e`, "Nováčková, Jürga and Martín, René"},
		{"accents, nested and odd", `Tr{\~{\^e}}n, H{\'{\u a}}ng, {\O}rsk{\aa}r, K{\H o}v{\'a}ri, Gar\c{c}on, \L{}ada, Gro{\ss}`, "Trễn, Hắng, Ørskår, Kővári, Garçon, Łada, Groß"},
		{"accent that eats a space", `\O rsted and K\"onig`, "Ørsted and König"},
		{"escaped apostrophe", `It\'s what we don\'t know`, "It's what we don't know"},
		{"escaped quotes", `a \"reasoning\" model`, `a "reasoning" model`},
		{"TeX quotes", "``robust'' methods", "“robust” methods"},
		{"TeX dashes", "a range--angle--Doppler tensor --- here", "a range–angle–Doppler tensor — here"},
		{"escaped backslash", `\\textbf{X} is`, "X is"},
		{"TeX line break", `one\\two`, "one two"},
		{"TeX list", `\begin{itemize}\item one \item two\end{itemize}`, "one two"},
		{"ellipsis", `bound\ldots{} costs`, "bound… costs"},
		{"custom macro", `a mass of 4 \msun and $\XQM$`, "a mass of 4 msun and XQM"},
		{"path", `in C:\temp and and\or`, `in C:\temp and and\or`},
		{"escaped line end", `one.\nTwo`, "one. Two"},
		{"url alone is dropped", `Found at https://example.org/a_b in 2020 by us when we studied things that were there before all of this began and which went on for long after it.`, "Found at in 2020 by us when we studied things that were there before all of this began and which went on for long after it."},
		{"announcement of code", "It works. Code is available at https://github.com/a/b-c_d.", "It works."},
		{"announcement in TeX", `It works. The code is available at \url{https://github.com/yyuChen9/FACT}.`, "It works."},
		{"announcement in Markdown", "It works. Codes and data are avaialble at [Github](https://github.com/X/Y) and [HF](https://hf.co/X)", "It works. Codes and data are avaialble at Github and HF"},
		{"announcement without an end", "It works. Audio samples are available at https://regenvoice.github.io/demo/", "It works."},
		{"Markdown emphasis", "We evaluate *extrapolative generalization* to", "We evaluate extrapolative generalization to"},
		{"Markdown bold", "we propose **Pair2Scene**, a", "we propose Pair2Scene, a"},
		{"Markdown bold letters", "named **C**onflict-**A**verse **M**agnitude-**E**nhanced **Grad**ient Descent", "named Conflict-Averse Magnitude-Enhanced Gradient Descent"},
		{"Markdown underscores", "this is _very_ important", "this is very important"},
		{"Markdown code", "call `torch.compile` first", "call torch.compile first"},
		{"Markdown heading", "# Abstract graphs\nWe study", "Abstract graphs We study"},
		{"Markdown escaped star", `A\* search`, "A* search"},
		{"stars that are names", "C*-algebra and W*-algebras, A* and D* Lite", "C*-algebra and W*-algebras, A* and D* Lite"},
		{"stars that are products", "a*b*c and 2 * 3 * 4", "a*b*c and 2 * 3 * 4"},
		{"stars that are alleles", "CYP2C19*2, *3 and HLA-A*02:01", "CYP2C19*2, *3 and HLA-A*02:01"},
		{"powers in code", "2**n and 3**m", "2**n and 3**m"},
		{"snake case", "the snake_case_name and __init__ of _x", "the snake_case_name and __init__ of _x"},
		{"tilde", "about ~10 samples of x ~ y", "about ~10 samples of x ~ y"},
		{"less than", "x<5 and p<.001; 3 < 4 > 2; i<j>k", "x<5 and p<.001; 3 < 4 > 2; i<j>k"},
		{"less than, like a tag", "for a<b and c>d, if p<q>r", "for a<b and c>d, if p<q>r"},
		{"HTML", "<i>in situ</i> &amp; in theory", "in situ & in theory"},
		{"HTML list", "<p>Plain HTML paragraph.</p><ul><li>one</li><li>two</li></ul>", "Plain HTML paragraph. one two"},
		{"JATS", "<jats:title>Abstract</jats:title><jats:sec><jats:title>Objective</jats:title><jats:p>To study H<jats:sub>2</jats:sub>O and 10<jats:sup>3</jats:sup> cells where a &lt; b.</jats:p></jats:sec>", "Abstract: Objective: To study H2O and 10^3 cells where a < b."},
		{"MathML", `of <mml:math xmlns:mml="x"><mml:mi>n</mml:mi><mml:mo>+</mml:mo><mml:mn>1</mml:mn></mml:math> points`, "of n+1 points"},
		{"superscripts that read on", "Ca<sup>2+</sup>, CD4<sup>+</sup>, kg/m<sup>2</sup>", "Ca2+, CD4+, kg/m2"},
		{"escaped twice", "Tools for Data &amp;amp; People &amp;lt;i&amp;gt;in&amp;lt;/i&amp;gt; practice", "Tools for Data & People in practice"},
		{"escaped once, with comparisons", "If a &lt; b &amp;&amp; b &gt; c then stop.&#x0D; New&nbsp;line. &lt;p&gt;Tagged&lt;/p&gt;", "If a < b && b > c then stop. New line. Tagged"},
		{"ampersands that are text", "R&D and AT&T; Q&A", "R&D and AT&T; Q&A"},
		{"Greek of SGML", "TGF-&bgr; and NF-&kgr;B", "TGF-β and NF-κB"},
		{"ligatures", "Eﬃcient ﬂow classiﬁcation", "Efficient flow classification"},
		{"soft hyphens", "The pro\u00adposed clas\u00ad\nsifier", "The proposed classifier"},
		{"hyphens at line ends", "opti-\nmized code, state-of-the-\nart, non-\nlinear", "optimized code, state-of-the-art, non-linear"},
		{"letters that stay", "Œuvre, x² and ½", "Œuvre, x² and ½"},
		{"controls and zero width", "a\x1b[31mred\x00\u200b\ufeff b", "a[31mred b"},
		{"spaces of every kind", " a\u00a0\u3000b\t\nc ", "a b c"},
		{"Abstract as a term", "Abstract Meaning Representation is a graph", "Abstract Meaning Representation is a graph"},
		{"percent and hash", `2.3\% on C\# and 5% of #1`, "2.3% on C# and 5% of #1"},
		{"Markdown link beside a function", "f[x](y) and [1](2)", "f[x](y) and [1](2)"},
		{"script in braces without dollars", "10^{3} cells and x_{i}", "10^3 cells and x_i"},
		{"Springer's formula", `for \documentclass[12pt]{minimal} \usepackage{amsmath} \begin{document}$$\alpha$$\end{document} cells`, "for α cells"},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := paper.Clean(test.text)
			if got != test.want {
				t.Errorf("Clean(%q)\n got %q\nwant %q", test.text, got, test.want)
			}
			if again := paper.Clean(got); again != got {
				t.Errorf("cleaned again, %q becomes %q", got, again)
			}
		})
	}
}

func TestDisplay(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"links stay", "Code: https://example.org/a_b.", "Code: https://example.org/a_b."},
		{"powers are raised", "H<sub>2</sub>O, 10<sup>3</sup>, $10^{-5}$", "H2O, 10³, 10⁻⁵"},
		{"no escape sequence", "\x1b]0;owned\x07 title \u202eevil", "]0;owned title evil"},
		{"joiners", "می\u200cخواهم, 👩\u200d👧, ❤\ufe0f but a\u200d\u200cb and β\u200dγ", "می\u200cخواهم, 👩\u200d👧, ❤\ufe0f but ab and βγ"},
		{"no C1 control", "a\u009b31mb", "a31mb"},
		{"TeX", `$\ell_0$ and \textbf{X}`, "ℓ0 and X"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := paper.Display(test.text); got != test.want {
				t.Errorf("Display(%q)\n got %q\nwant %q", test.text, got, test.want)
			}
		})
	}
}

func TestCleanTakesLinearTime(t *testing.T) {
	for _, unit := range []string{"{", "$", "\\", "*a", "_", "<", "&amp;", "[", "](", "`", "a-\n", "\\'", "<sub>", "$x", "\\textbf{", "<i ", "{\\'", "http://", "&", "$$", "``", "\\[", "\\\"", "</", "<b", "</b:", "\\documentclass", "<script>"} {
		text := strings.Repeat(unit, 200_000/len(unit))
		start := time.Now()
		got := paper.Clean(text)
		if took := time.Since(start); took > 3*time.Second {
			t.Errorf("cleaning 200 kB of %q took %v", unit, took)
		}
		if len(got) > 2*len(text)+16 {
			t.Errorf("cleaning %d bytes of %q gave %d", len(text), unit, len(got))
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{`\textbf{$\ell_0$} **b** <i>x</i> &amp;lt; {A} ~ -- "`, "a-\nb *c* [d](http://e) `f`", `\'{\i}\$a\$ \(x\) _y_`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, clean := range map[string]func(string) string{"Clean": paper.Clean, "Display": paper.Display} {
			got := clean(text)
			if again := clean(got); again != got {
				t.Errorf("%s(%q) = %q, cleaned again %q", name, text, got, again)
			}
			if len(got) > 4*len(text)+16 {
				t.Errorf("%s made %d bytes of %d", name, len(got), len(text))
			}
			for _, r := range got {
				if r < ' ' || 0x7f <= r && r < 0xa0 || r == 0x202e {
					t.Errorf("%s(%q) = %q holds the control %U", name, text, got, r)
				}
			}
		}
	})
}

func BenchmarkClean(b *testing.B) {
	text := "We study $\\ell_0$ constraints. " + strings.Repeat("Many existing approaches rely on online message passing; when communication is removed, agents often fall back to local planning. ", 8)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		paper.Clean(text)
	}
}
