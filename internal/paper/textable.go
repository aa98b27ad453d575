package paper

import "strings"

// accentMarks are the combining marks of the commands with a sign for a name: \'e.
var accentMarks = map[byte]rune{
	'\'': 0x301, '`': 0x300, '^': 0x302, '"': 0x308, '~': 0x303, '=': 0x304, '.': 0x307,
}

// letterAccents are the combining marks of the commands with a letter for a name: \v{c}.
var letterAccents = map[string]rune{
	"v": 0x30c, "u": 0x306, "H": 0x30b, "c": 0x327, "k": 0x328, "r": 0x30a, "d": 0x323, "b": 0x331, "t": 0x361,
	"h": 0x309, "G": 0x30f, "U": 0x30e,
}

// mathAccents are the combining marks over a letter in mathematics.
var mathAccents = map[string]rune{
	"hat": 0x302, "widehat": 0x302, "tilde": 0x303, "widetilde": 0x303, "bar": 0x304, "overline": 0x304, "vec": 0x20d7,
	"dot": 0x307, "ddot": 0x308, "check": 0x30c, "breve": 0x306, "acute": 0x301, "grave": 0x300, "mathring": 0x30a,
	"overrightarrow": 0x20d7,
}

// A behaviour says how a command is rendered that is not replaced by a symbol.
type behaviour int

const (
	drops         behaviour = iota + 1 // nothing is written: \left, \bf
	spaces                             // a space: \quad, \item
	dropsArgument                      // nothing, and its arguments neither: \cite{…}
	dropsFirst                         // its first argument is no text: \textcolor{red}{…}
	isAddress                          // its argument is written as it stands: \url{…}
	isFraction
	isRoot
	isPreamble // a whole document of TeX around one formula, as Springer writes it
)

var behaviours = behavioursOf(map[behaviour]string{
	drops: "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr middle limits nolimits displaystyle textstyle" +
		" scriptstyle bf it em rm sf tt sc sl cal bfseries itshape mdseries rmfamily sffamily ttfamily scshape slshape upshape" +
		" normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge boldmath unboldmath noindent" +
		" centering protect relax xspace nobreak allowbreak selectfont null phantomsection nonumber",
	spaces: "quad qquad par newline linebreak item thinspace enspace space hfill newpage bigskip medskip smallskip indent",
	dropsArgument: "cite citep citet citealp citealt citeauthor citeyear citeyearpar Cite Citep Citet parencite textcite autocite footcite nocite" +
		" ref eqref pageref autoref cref Cref label tag footnote footnotetext footnotemark thanks vspace hspace begin end" +
		" bibliography bibliographystyle index color phantom hphantom vphantom setlength includegraphics usepackage pagestyle",
	dropsFirst: "textcolor colorbox fontsize href raisebox foreignlanguage",
	isAddress:  "url path nolinkurl",
	isFraction: "frac dfrac tfrac cfrac nicefrac sfrac",
	isRoot:     "sqrt",
	isPreamble: "documentclass",
})

func behavioursOf(lists map[behaviour]string) map[string]behaviour {
	table := map[string]behaviour{}
	for b, names := range lists {
		for name := range strings.FieldsSeq(names) {
			table[name] = b
		}
	}
	return table
}

// isLetterCommand reports whether a command stands for a letter of a word.
func isLetterCommand(name string) bool { return strings.Contains(letterCommands, " "+name+" ") }

const letterCommands = " aa AA ae AE oe OE o O l L ss i j dh DH th TH ng NG dj DJ SS "

// symbols are the characters that commands stand for.
var symbols = symbolsOf(
	// letters
	`aa å AA Å ae æ AE Æ oe œ OE Œ o ø O Ø l ł L Ł ss ß SS ẞ i ı j ȷ dh ð DH Ð th þ TH Þ ng ŋ NG Ŋ dj đ DJ Đ
	imath ı jmath ȷ ell ℓ hbar ℏ hslash ℏ wp ℘ Re ℜ Im ℑ aleph ℵ beth ℶ`,
	// Greek
	`alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ lambda λ
	mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
	Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω digamma ϝ
	Alpha A Beta B Epsilon E Zeta Z Eta H Iota I Kappa K Mu M Nu N Rho P Tau T Chi X
	textmu µ textalpha α textbeta β textgamma γ textdelta δ textlambda λ textpi π textsigma σ textomega ω`,
	// relations
	`le ≤ leq ≤ leqslant ≤ ge ≥ geq ≥ geqslant ≥ ne ≠ neq ≠ ll ≪ gg ≫ lesssim ≲ gtrsim ≳ lessapprox ⪅ gtrapprox ⪆ la ≲ ga ≳ lsim ≲ gsim ≳
	approx ≈ approxeq ≊ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝ prec ≺ succ ≻ preceq ⪯ succeq ⪰ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇
	subsetneq ⊊ supsetneq ⊋ in ∈ notin ∉ ni ∋ mid | parallel ∥ perp ⊥ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ asymp ≍ doteq ≐ triangleq ≜
	coloneqq ≔ lt < gt > trianglelefteq ⊴ unlhd ⊴ sqsubseteq ⊑ nsubseteq ⊈ nmid ∤ not ¬`,
	// operators
	`pm ± mp ∓ times × div ÷ cdot · ast * star ⋆ circ ∘ bullet • oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ cap ∩ cup ∪ sqcup ⊔ sqcap ⊓ wedge ∧ land ∧
	vee ∨ lor ∨ neg ¬ lnot ¬ setminus ∖ backslash \ amalg ⨿ dagger † ddagger ‡ wr ≀ uplus ⊎ bigcap ⋂ bigcup ⋃ bigoplus ⨁ bigotimes ⨂
	bigwedge ⋀ bigvee ⋁ sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ partial ∂ nabla ∇ infty ∞ emptyset ∅ varnothing ∅ forall ∀
	exists ∃ nexists ∄ angle ∠ triangle △ square □ Box □ Diamond ◇ diamond ⋄ surd √ top ⊤ bot ⊥ prime ′ ltimes ⋉ rtimes ⋊ boxtimes ⊠ therefore ∴`,
	// arrows
	`to → rightarrow → longrightarrow ⟶ leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Longrightarrow ⇒ implies ⇒ Leftarrow ⇐ iff ⇔
	Leftrightarrow ⇔ mapsto ↦ longmapsto ⟼ uparrow ↑ downarrow ↓ Uparrow ⇑ Downarrow ⇓ updownarrow ↕ nearrow ↗ searrow ↘ hookrightarrow ↪
	rightharpoonup ⇀ rightleftharpoons ⇌ rightsquigarrow ⇝ leadsto ⇝ ra → xrightarrow → twoheadrightarrow ↠`,
	// brackets and dots
	`langle ⟨ rangle ⟩ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lbrace { rbrace } lbrack [ rbrack ] vert | Vert ‖ lVert ‖ rVert ‖ lvert | rvert |
	ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ dotsc … dotsb ⋯ textellipsis … colon : lq ‘ rq ’`,
	// signs of the text
	`S § P ¶ copyright © textcopyright © textregistered ® texttrademark ™ pounds £ textsterling £ euro € texteuro € EUR € textyen ¥
	textdegree ° degree ° degrees ° textdollar $ textbackslash \ textasciitilde ~ textasciicircum ^ textunderscore _ textbar |
	textless < textgreater > textbraceleft { textbraceright } textquotedblleft “ textquotedblright ” textquoteleft ‘ textquoteright ’
	textquotesingle ' textquotedbl " textendash – textemdash — textpm ± texttimes × textdiv ÷ textbullet • textperiodcentered ·
	textsuperscript ^ guillemotleft « guillemotright » checkmark ✓ dag † ddag ‡ slash / textrightarrow → textleftarrow ← textordmasculine º
	textordfeminine ª textonehalf ½ textasteriskcentered * LaTeX LaTeX TeX TeX BibTeX BibTeX`,
	// operators that are words
	`log log ln ln lg lg exp exp sin sin cos cos tan tan cot cot sec sec csc csc arcsin arcsin arccos arccos arctan arctan sinh sinh cosh cosh tanh tanh
	max max min min sup sup inf inf lim lim limsup lim\u00a0sup liminf lim\u00a0inf arg arg argmax argmax argmin argmin det det dim dim ker ker deg deg
	gcd gcd hom hom Pr Pr mod mod bmod mod`,
)

func symbolsOf(lists ...string) map[string]string {
	table := map[string]string{}
	for _, list := range lists {
		fields := strings.Fields(list)
		for i := 0; i+1 < len(fields); i += 2 {
			table[fields[i]] = strings.ReplaceAll(fields[i+1], `\u00a0`, " ")
		}
	}
	delete(table, "textsuperscript")
	return table
}
