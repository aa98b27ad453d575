package vec

import "unsafe"

// A tile is the arguments of the kernels that multiply a few rows of A by one panel of
// B. A word is one float, or two 16-bit integers; steps count words. Strides are in bytes.
// One kernel takes a panel of 16-bit floats.
type tile struct {
	rows  int            // one block of most rows after the other; none are left then
	most  int            // at most tileRows
	a     unsafe.Pointer // [rows, steps]
	lda   int
	b     unsafe.Pointer // [steps, columns]
	bStep int
	steps int

	widened unsafe.Pointer // [steps, columns]: where a panel of 16-bit floats is left widened

	// The columns of the result by vector register: each register's columns have their
	// own place, so that a product can be written split by heads.
	c0, c1, c2 unsafe.Pointer
	ldc        int

	// What is added to the product, by vector register: the bias, the same for each row
	// (startStep is 0), or what the result was.
	start0, start1, start2 unsafe.Pointer
	startStep              int

	bScale unsafe.Pointer // [columns], of integers
	aScale unsafe.Pointer // [rows], of integers and of narrow tiles of floats

	// The panel that comes next, of which nextGroups groups of four steps fetch nextShare
	// steps' bytes each, 1, 2 or 4 (NEON fetches 4): the first blockGroups of each block of
	// rows, until all have been fetched.
	next        uintptr // an address only: it may lie in another object
	nextGroups  int
	blockGroups int
	nextShare   int
}

// A tile has three registers of columns, or two, or one.
const (
	tileColumns   = 3
	narrowColumns = 2
	singleColumn  = 1
)

// register is the number of floats of a vector register, 0 for the reference; a tile is
// tileColumns registers wide.
func (l Level) register() int {
	switch l {
	case AVX512, VNNI:
		return 16
	case AVX2, NEON: // NEON's are pairs
		return 8
	default:
		return 0
	}
}

// tileRows is how many rows a tile may have.
func (l Level) tileRows() int {
	if l == AVX2 || l == NEON {
		return 4
	}
	return 8
}

// referenceWidth is the width of the reference's panels.
const referenceWidth = 48

// panelWidth is the width of a panel at the level in use.
func panelWidth() int {
	if level == Reference {
		return referenceWidth
	}
	return tileColumns * level.register()
}

// floatWidth is the width of a panel of n columns of floats: one register where it is
// faster because fewer columns beyond n are multiplied.
func (l Level) floatWidth(n int) int {
	reg := l.register()
	if reg == 0 {
		return referenceWidth
	}
	single, wide := (n+reg-1)/reg, (n+tileColumns*reg-1)/(tileColumns*reg)
	if single*l.singleCost() < wide*tileColumns*8 {
		return reg
	}
	return tileColumns * reg
}

// singleCost is what a register of columns costs alone, in eighths of what it costs as one
// of three: 8 sums keep AVX-512 busy but for a load more for every 8 products; 4 wait for
// each other half of the time.
func (l Level) singleCost() int {
	if l.tileRows() == 8 {
		return 9
	}
	return 16
}

// A product is where the tiles of one matrix product read and write. Its words are 4
// bytes, whether floats or pairs of integers.
type product struct {
	a           unsafe.Pointer // [m, steps]
	b           unsafe.Pointer // [ceil(n/width), steps, width]
	half        []uint16       // b as 16-bit floats, or none
	wide        []float32      // [steps, width]: the present panel of half, widened
	dst         []float32      // [m, n], or [n/block, m, block]
	m, n, steps int
	width       int // columns a panel
	block       int
	bias        []float32 // [n], or none
	adds        bool      // the product is added to dst, and there is no bias
	after       uintptr   // the address of what the last panel fetches, or 0
	aScale      []float32 // [m], of integers
	bScale      []float32 // [n], of integers
}

// run multiplies panel by panel, and within a panel block by block of rows: the panel
// stays in the cache while the rows of A pass. The next panel is fetched meanwhile, an
// even share in each block: with few rows that is most of the speed.
func (p *product) run() {
	width := p.width
	columns := width / level.register()
	panels := (p.n + width - 1) / width
	blocks := (p.m + level.tileRows() - 1) / level.tileRows()
	t := tile{lda: p.steps * 4, bStep: width * 4, steps: p.steps}
	// Rows are spread evenly: 13 are 7 and 6, not 8 and 5.
	few := p.m / blocks
	more := p.m % blocks * (few + 1) // rows in blocks of one more
	lineSize := width * 4
	lines := p.steps // of lineSize bytes, that a panel has in memory
	if p.half != nil {
		lines = (p.steps + 1) / 2
	}
	t.nextShare = fetchShare(lines, blocks*p.steps)
	t.blockGroups = min((lines+blocks*t.nextShare-1)/(blocks*t.nextShare), p.steps/4)
	var start, scales [referenceWidth]float32
	var edge edgeTile
	for panel := range panels {
		j := panel * width
		cols := min(width, p.n-j)
		inMemory := p.panel(panel, width)
		t.b = inMemory
		if !p.adds {
			t.start0 = floatsOrPadded(p.bias, j, cols, width, &start)
			if columns == tileColumns {
				t.start1, t.start2 = unsafe.Add(t.start0, width/3*4), unsafe.Add(t.start0, width/3*8)
			}
		}
		if p.aScale != nil {
			t.bScale = floatsOrPadded(p.bScale, j, cols, width, &scales)
		}
		t.next = p.after
		if panel+1 < panels {
			t.next = uintptr(inMemory) + uintptr(lines*lineSize)
		}
		t.nextGroups = lines / t.nextShare
		if t.next == 0 || columns == singleColumn {
			t.nextGroups = 0
		}
		for i, rows := 0, 0; i < p.m; i += rows {
			t.most, rows = few+1, more-i
			if i >= more {
				t.most, rows = few, p.m-i
			}
			if cols < width || p.half != nil && i == 0 {
				rows = t.most
			}
			t.rows = rows
			t.a = unsafe.Add(p.a, i*t.lda)
			if p.aScale != nil {
				t.aScale = unsafe.Pointer(&p.aScale[i])
			}
			if cols < width {
				// Not a method: edge would be allocated.
				t.ldc = 4 * width
				t.c0 = unsafe.Pointer(&edge[0])
				if columns == tileColumns {
					t.c1, t.c2 = unsafe.Pointer(&edge[width/3]), unsafe.Pointer(&edge[width/3*2])
				}
				if p.adds {
					edge.load(p, i, j, rows, cols, width)
				}
			} else {
				p.place(&t, i, j)
			}
			if p.adds {
				t.start0, t.start1, t.start2, t.startStep = t.c0, t.c1, t.c2, t.ldc
			}
			p.multiply(&t, i)
			if cols < width {
				edge.store(p, i, j, rows, cols, width)
			}
		}
	}
}

// panel is where a panel lies in memory.
func (p *product) panel(panel, width int) unsafe.Pointer {
	n := panel * p.steps * width
	if p.half != nil {
		return unsafe.Pointer(&p.half[n])
	}
	return unsafe.Add(p.b, n*4)
}

// place points t at row i and column j of the result.
func (p *product) place(t *tile, i, j int) {
	reg := level.register()
	t.ldc = 4 * p.n
	if p.block > 0 {
		t.ldc = 4 * p.block
	}
	t.c0 = unsafe.Pointer(&p.dst[blockAt(i, j, p.m, p.n, p.block)])
	if p.width == reg {
		return
	}
	t.c1 = unsafe.Pointer(&p.dst[blockAt(i, j+reg, p.m, p.n, p.block)])
	t.c2 = unsafe.Pointer(&p.dst[blockAt(i, j+2*reg, p.m, p.n, p.block)])
}

// edgeTile takes the result of a tile that reaches beyond the columns.
type edgeTile [8 * referenceWidth]float32

// load takes the columns that there are from row i and column j of the result.
func (e *edgeTile) load(p *product, i, j, rows, cols, width int) {
	for r := range rows {
		for c := range cols {
			e[r*width+c] = p.dst[blockAt(i+r, j+c, p.m, p.n, p.block)]
		}
	}
}

// store moves them there.
func (e *edgeTile) store(p *product, i, j, rows, cols, width int) {
	for r := range rows {
		for c := range cols {
			p.dst[blockAt(i+r, j+c, p.m, p.n, p.block)] = e[r*width+c]
		}
	}
}

// fetchShare is how many lines of the next panel each group of four steps fetches, so that
// all steps together fetch it whole, as evenly as may be: a burst would stall the loads.
func fetchShare(lines, steps int) int {
	switch perGroup := (4*lines + steps - 1) / max(steps, 1); {
	case perGroup > 2 || level == NEON:
		return 4
	case perGroup == 2:
		return 2
	default:
		return 1
	}
}

// multiply runs the kernel for what the panel holds. The block of the first rows leaves a
// panel of 16-bit floats widened, and the others find it so.
func (p *product) multiply(t *tile, first int) {
	switch {
	case p.aScale != nil:
		tileI16(t)
	case p.half != nil && first == 0:
		step := t.bStep
		t.widened, t.bStep = unsafe.Pointer(&p.wide[0]), step/2
		tileF16(t)
		t.b, t.bStep = t.widened, step
	case p.width == level.register():
		tileF32Single(t)
	default:
		tileF32(t)
	}
}

// floatsOrPadded points at x[j:j+cols], or at a copy in buf where that is shorter than
// the width.
func floatsOrPadded(x []float32, j, cols, width int, buf *[referenceWidth]float32) unsafe.Pointer {
	if len(x) > 0 && cols == width {
		return unsafe.Pointer(&x[j])
	}
	clear(buf[:])
	if len(x) > 0 {
		copy(buf[:cols], x[j:])
	}
	return unsafe.Pointer(&buf[0])
}
