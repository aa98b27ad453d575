package main

const fetchParams = "lines []uint32"

var fetchKernel = function{
	name: "fetch", params: fetchParams,
	body: func(k *kernel) {
		eachLine(k, func(at string) { k.emit("PREFETCHT0 (%s)", at) })
	},
}

var neonFetch = function{
	name: "fetch", params: fetchParams,
	body: func(k *kernel) {
		eachLine(k, func(at string) { k.emit("PRFM (%s), PLDL1KEEP", at) })
	},
}

// eachLine calls body with the address of every 16th word.
func eachLine(k *kernel, body func(at string)) {
	at, left := k.arg("lines_base"), k.arg("lines_len")
	loop, done := k.label(), k.label()
	k.mark(loop)
	k.branchLess(k, left, 1, done)
	body(at)
	k.addImm(k, at, 16*4)
	k.addImm(k, left, -16)
	k.jump(k, loop)
	k.mark(done)
}

// askAhead asks for the line that is ahead bytes behind an address, where that is not 0, and
// not in tails. Not on arm64, which is not timed.
func (k *kernel) askAhead(address string, ahead int) {
	if _, ok := k.machine.(x86); ok && ahead > 0 && !k.tail {
		k.emit("PREFETCHT0 %d%s", ahead, address)
	}
}
