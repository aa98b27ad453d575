package mapped

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
)

// ErrUnreadable is in the error of reading a mapped file that was cut short, or that the
// system could not read.
var ErrUnreadable = errors.New("it was cut short or became unreadable while it was read")

// Guard makes a fault of a mapped file the error of the function that defers what Guard
// returns, and lets every other panic pass:
//
//	func read() (err error) {
//		defer mapped.Guard(&err)()
//
// It is of the goroutine that calls it alone: those that are started below it are a Group.
// A deferred unmap must come before it, so that it runs after it.
func Guard(err *error) (end func()) {
	before := debug.SetPanicOnFault(true)
	return func() {
		p := recover()
		debug.SetPanicOnFault(before)
		if p != nil {
			*err = Fault(p)
		}
	}
}

// Fault is the error of what was recovered, if that is a fault of a mapped file. Of
// anything else it panics again.
func Fault(recovered any) error {
	f := faultOf(recovered)
	if f == nil {
		panic(recovered)
	}
	return f
}

// Group is a sync.WaitGroup whose goroutines may read mapped files: Wait panics with the
// fault of one of them. Whoever reads beside them defers Wait, so that its own fault leaves
// none behind. The zero value is ready.
type Group struct {
	group sync.WaitGroup
	mu    sync.Mutex
	fault *fault // of a goroutine that has ended by one
}

// Go calls do in a goroutine of its own.
func (g *Group) Go(do func()) {
	g.group.Go(func() {
		debug.SetPanicOnFault(true)
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			f := faultOf(p)
			if f == nil {
				panic(p)
			}
			g.mu.Lock()
			defer g.mu.Unlock()
			g.fault = f
		}()
		do()
	})
}

// Wait waits for all goroutines.
func (g *Group) Wait() {
	g.group.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.fault != nil {
		panic(g.fault)
	}
}

// fault is what Wait panics with.
type fault struct{ path string }

func (f *fault) Error() string { return fmt.Sprintf("reading %s: %v", f.path, ErrUnreadable) }
func (f *fault) Unwrap() error { return ErrUnreadable }

// faultOf returns the fault that a panic is; nil if it is none of a mapped file.
func faultOf(recovered any) *fault {
	if f, ok := recovered.(*fault); ok {
		return f
	}
	// The runtime's own panics of faults have an address (see debug.SetPanicOnFault).
	at, ok := recovered.(interface {
		runtime.Error
		Addr() uintptr
	})
	if !ok {
		return nil
	}
	regions.Lock()
	defer regions.Unlock()
	for _, r := range regions.list {
		if r.from <= at.Addr() && at.Addr() < r.to {
			return &fault{r.path}
		}
	}
	return nil
}

// region is where a file is mapped.
type region struct {
	from, to uintptr
	path     string
}

// regions are all that are mapped now. They are the process's, as its addresses are.
var regions struct {
	sync.Mutex
	list []*region
}

// remember notes where a file is mapped, until forget.
func remember(data []byte, path string) (forget func()) {
	from := reflect.ValueOf(data).Pointer()
	r := &region{from, from + uintptr(len(data)), path}
	regions.Lock()
	defer regions.Unlock()
	regions.list = append(regions.list, r)
	return func() {
		regions.Lock()
		defer regions.Unlock()
		regions.list = slices.DeleteFunc(regions.list, func(other *region) bool { return other == r })
	}
}
