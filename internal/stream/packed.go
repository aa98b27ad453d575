package stream

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// ErrDamaged: a packed file is not what its packer wrote, or not all of it.
var ErrDamaged = errors.New("the compressed file is damaged")

// Unpacked reads through gzip where body begins as such a file does; other bytes are
// passed on. The error of a file that is cut short, or damaged, wraps [ErrDamaged].
func Unpacked(body io.Reader) *Packed { return &Packed{plain: bufio.NewReader(body)} }

// Packed reads what may be packed. It is not safe for concurrent use.
type Packed struct {
	plain *bufio.Reader
	body  io.Reader // nil before the first read
	err   error     // that ended the reading
}

// Read implements io.Reader.
func (p *Packed) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	if p.body == nil {
		p.body = p.plain
		if start, _ := p.plain.Peek(2); string(start) == "\x1f\x8b" {
			unpacking, err := gzip.NewReader(p.plain)
			if err != nil {
				p.err = damage(err)
				return 0, p.err
			}
			p.body = unpacking
		}
	}
	n, err := p.body.Read(b)
	if err != nil && p.body != p.plain {
		err = damage(err)
	}
	p.err = err
	return n, err
}

// Damage is the error that wraps [ErrDamaged], once it was met; what is read last before
// it is cut somewhere.
func (p *Packed) Damage() error {
	if errors.Is(p.err, ErrDamaged) {
		return p.err
	}
	return nil
}

// damage says which errors of unpacking are a fault of the file. io.EOF is its end.
func damage(err error) error {
	_, corrupt := errors.AsType[flate.CorruptInputError](err)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is cut short", ErrDamaged)
	case corrupt, errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}
