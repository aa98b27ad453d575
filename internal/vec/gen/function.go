package main

import (
	"fmt"
	"strings"
)

// A function is the Go declaration of a kernel, and where its arguments lie.
type function struct {
	name    string
	params  string // as in Go: "a, b []float32, n int"
	results string // "" or a named result: "sum float32"
	body    func(*kernel)
	vnni    bool // VNNI has its own form
	driven  bool // called by a driver in Go that has its own reference
}

// A slot is a name and its place in the frame of arguments.
type slot struct {
	name   string
	offset int
}

// slots lists the arguments as the assembler names them, and the size of the frame.
func (f function) slots() (slots []slot, size int) {
	for _, params := range []string{f.params, f.results} {
		if params != "" {
			size = align(size, 8)
		}
		for _, p := range splitParams(params) {
			switch name := p[0]; {
			case strings.HasPrefix(p[1], "[]"):
				size = align(size, 8)
				slots = append(slots, slot{name + "_base", size}, slot{name + "_len", size + 8})
				size += 24
			case p[1] == "float32" || p[1] == "int32" || p[1] == "uint32":
				slots = append(slots, slot{name, size})
				size += 4
			default: // int and pointers
				size = align(size, 8)
				slots = append(slots, slot{name, size})
				size += 8
			}
		}
	}
	return slots, size
}

func (f function) offset(name string) int {
	slots, _ := f.slots()
	for _, s := range slots {
		if s.name == name {
			return s.offset
		}
	}
	panic(fmt.Sprintf("%s has no argument %s", f.name, name))
}

// splitParams returns name and type of each parameter of a Go list.
func splitParams(params string) [][2]string {
	var out [][2]string
	if params == "" {
		return nil
	}
	fields := strings.Split(params, ", ")
	typ := ""
	for i := len(fields) - 1; i >= 0; i-- {
		name, t, ok := strings.Cut(fields[i], " ")
		if ok {
			typ = t
		}
		out = append([][2]string{{name, typ}}, out...)
	}
	return out
}

// has reports whether f has a form of its own at the level of m.
func (f function) has(m machine) bool { return m.level() != vnni.level() || f.vnni }

// result is the result list of the declaration.
func (f function) result() string {
	if f.results == "" {
		return ""
	}
	return " (" + f.results + ")"
}

// call is the list of arguments with which another level's form is called.
func (f function) call() string {
	var names []string
	for _, p := range splitParams(f.params) {
		names = append(names, p[0])
	}
	return strings.Join(names, ", ")
}

func align(n, to int) int { return (n + to - 1) / to * to }
