//go:build unix

package mapped_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/seed-9f29d379/akin/internal/mapped"
	"github.com/seed-9f29d379/akin/internal/vec"
)

// pages of a file that is cut to one while it is mapped.
const pages = 64

// cutFile maps a file by mapping and cuts it: the bytes from the second page on cannot be
// read.
func cutFile(t *testing.T, mapping func(*os.File, int64) ([]byte, func() error, error)) (data []byte, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	size := int64(pages * os.Getpagesize())
	if err := os.WriteFile(path, make([]byte, size), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, unmap, err := mapping(file, size)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unmap() })
	if err := os.Truncate(path, int64(os.Getpagesize())); err != nil {
		t.Fatal(err)
	}
	return data, path
}

// unknown maps a file behind this package's back.
func unknown(file *os.File, size int64) ([]byte, func() error, error) {
	data, err := unix.Mmap(int(file.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_SHARED)
	return data, func() error { return unix.Munmap(data) }, err
}

// guarded is what do panics with as an error; an error of its own is none.
func guarded(do func()) (err error) {
	defer mapped.Guard(&err)()
	do()
	return nil
}

// kernels are all that read mapped vectors.
var kernels = map[string]func(data []byte){
	"Dot": func(data []byte) { f := vec.View[float32](data); vec.Dot(f, f) },
	"Dots": func(data []byte) {
		f := vec.View[float32](data)
		vec.Dots(make([]float32, len(f)/384), f[:384], f[:len(f)/384*384])
	},
	"DotsAt": func(data []byte) {
		f := vec.View[float32](data)
		vec.DotsAt(make([]float32, 3), f[:384], f, []uint32{0, 1, uint32(len(f)/384) - 1})
	},
	"Norm":  func(data []byte) { vec.Norm(vec.View[float32](data)) },
	"DotI8": func(data []byte) { c := vec.View[int8](data); vec.DotI8(c, c) },
	"DotsI8": func(data []byte) {
		c := vec.View[int8](data)
		vec.DotsI8(make([]int32, len(c)/384), make([]int8, 384), c[:len(c)/384*384])
	},
	"DotsI8At": func(data []byte) {
		c := vec.View[int8](data)
		vec.DotsI8At(make([]int32, 3), make([]int8, 384), c, []uint32{0, 1, uint32(len(c)/384) - 1})
	},
	"DotsI4At": func(data []byte) {
		vec.DotsI4At(make([]int32, 3), make([]int8, 384), data, []uint32{0, 1, uint32(len(data)/192) - 1})
	},
	"copy":   func(data []byte) { copy(make([]byte, len(data)), data) },
	"string": func(data []byte) { _ = strings.Count(string(data), "\n") },
}

// grow needs many times the stack that a goroutine begins with, above the frame of the
// kernel.
func grow(n int) int {
	var room [512]byte
	room[n%len(room)] = 1
	if n == 0 {
		return int(room[0])
	}
	return grow(n-1) + int(room[n%len(room)])
}

func TestAFaultOfAMappedFileIsAnErrorInEveryKernelAtEveryLevel(t *testing.T) {
	data, path := cutFile(t, mapped.Map)
	level, _ := vec.CPU()
	defer vec.Use(level)
	for _, level := range vec.Levels() {
		if err := vec.Use(level); err != nil {
			t.Fatal(err)
		}
		for name, read := range kernels {
			// In a goroutine with a small stack, which is moved and searched for pointers
			// while the faulting frame is on it.
			err := guarded(func() {
				var group mapped.Group
				group.Go(func() {
					defer func() { grow(1000); runtime.GC() }()
					read(data)
				})
				group.Wait()
			})
			if !errors.Is(err, mapped.ErrUnreadable) || !strings.Contains(err.Error(), path) {
				t.Errorf("%s at level %v: %v, want ErrUnreadable of %s", name, level, err, path)
			}
			if err := guarded(func() { read(data) }); !errors.Is(err, mapped.ErrUnreadable) {
				t.Errorf("%s at level %v, in the calling goroutine: %v, want ErrUnreadable", name, level, err)
			}
		}
	}
}

func TestWhatCanBeReadIsNoFault(t *testing.T) {
	data, _ := cutFile(t, mapped.Map)
	err := guarded(func() {
		var group mapped.Group
		defer group.Wait()
		group.Go(func() { copy(make([]byte, len(data)), data[:os.Getpagesize()]) })
	})
	if err != nil {
		t.Error(err)
	}
}

func TestAFaultOfTheOneThatWaitsLeavesNoGoroutineBehind(t *testing.T) {
	data, _ := cutFile(t, mapped.Map)
	begun, ended := make(chan bool), false
	err := guarded(func() {
		var group mapped.Group
		defer group.Wait()
		group.Go(func() {
			begun <- true
			ended = true
		})
		defer func() { <-begun }()
		kernels["copy"](data)
	})
	if !errors.Is(err, mapped.ErrUnreadable) || !ended {
		t.Errorf("%v, goroutine ended: %v; want ErrUnreadable, and true", err, ended)
	}
}

// others are panics that are no faults of a mapped file.
func others(t *testing.T) map[string]func() {
	elsewhere, _ := cutFile(t, unknown)
	var nothing *struct{ far [1 << 20]byte }
	return map[string]func(){
		"nil":       func() { nothing.far[len(nothing.far)-1]++ },
		"index":     func() { _ = make([]int, 1)[len(t.Name())] },
		"broken":    func() { panic("broken") },
		"elsewhere": func() { kernels["copy"](elsewhere) },
	}
}

func TestEveryOtherPanicPasses(t *testing.T) {
	for name, do := range others(t) {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			t.Errorf("%s became the error %v", name, guarded(do))
		}()
	}
}

// TestEveryOtherPanicOfAGroupEndsTheProcess runs itself.
func TestEveryOtherPanicOfAGroupEndsTheProcess(t *testing.T) {
	const child = "AKIN_TEST_PANIC"
	if name := os.Getenv(child); name != "" {
		err := guarded(func() {
			var group mapped.Group
			defer group.Wait()
			group.Go(others(t)[name])
		})
		t.Logf("still there: %v", err)
		return
	}
	for name := range others(t) {
		cmd := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), child+"="+name)
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "panic: ") {
			t.Errorf("%s: %v, want a panic:\n%s", name, err, out)
		}
	}
}

func TestAFileThatIsNotMappedAnyMoreIsForgotten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, os.Getpagesize()), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, unmap, err := mapped.Map(file, int64(os.Getpagesize()))
	if err != nil {
		t.Fatal(err)
	}
	if err := unmap(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	t.Errorf("reading after unmap is the error %v, want a panic: it is a fault of the program", guarded(func() { kernels["copy"](data) }))
}
