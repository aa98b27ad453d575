//go:build !amd64 && !arm64

package vec

// processorLevels: this architecture has the reference only.
func processorLevels() []Level { return nil }
