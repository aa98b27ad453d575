//go:build !unix

package snapshot

import (
	"errors"
	"os"
)

// mapFile cannot map here: the file is read instead.
func mapFile(*os.File, int64) ([]byte, func() error, error) {
	return nil, nil, errors.ErrUnsupported
}
