package stream

import (
	"context"
	"io"
	"os"
)

// Open opens a file to read. What is no regular file is waited for no longer than ctx
// allows, and read through [Reader].
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() || info.IsDir() {
		return os.Open(path)
	}
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened)
	go func() {
		file, err := os.Open(path) // of a pipe: waits for a writer
		select {
		case done <- opened{file, err}:
		case <-ctx.Done():
			if err == nil {
				file.Close()
			}
		}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return &waited{Reader(ctx, o.file), o.file}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// waited is a file that is read with a context.
type waited struct {
	io.Reader
	file *os.File
}

func (w *waited) Close() error { return w.file.Close() }

// Reader gives a reader of body whose Read ends with the error of ctx when that ends. A
// read of body that nobody waits for any more goes on in its goroutine until it ends by
// itself: a blocked read cannot be stopped.
func Reader(ctx context.Context, body io.Reader) io.Reader {
	return &reader{ctx: ctx, body: body}
}

type reader struct {
	ctx  context.Context
	body io.Reader
	read chan []byte // nil before the first read
	err  error       // of body, set before read is closed
	rest []byte
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.read == nil {
		r.read = make(chan []byte)
		go r.pump()
	}
	if len(r.rest) == 0 {
		select {
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		case b, ok := <-r.read:
			if !ok {
				return 0, r.err
			}
			r.rest = b
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// pumpBytes are read at once.
const pumpBytes = 64 << 10

func (r *reader) pump() {
	defer close(r.read)
	for {
		b := make([]byte, pumpBytes)
		n, err := r.body.Read(b)
		if n > 0 {
			select {
			case r.read <- b[:n]:
			case <-r.ctx.Done():
				r.err = r.ctx.Err()
				return
			}
		}
		if err != nil {
			r.err = err
			return
		}
	}
}
