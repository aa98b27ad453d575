//go:build !linux

package vec

// useLargePages: here the system decides by itself.
func useLargePages([]byte) {}
