//go:build !unix

package mapped

import (
	"errors"
	"os"
)

// Map cannot map here: the file is to be read instead.
func Map(*os.File, int64) (data []byte, unmap func() error, err error) {
	return nil, nil, errors.ErrUnsupported
}
