// Command akin finds research papers that are akin, and groups them into themes.
package main

import (
	"os"

	"github.com/seed-9f29d379/akin/internal/cli"
)

func main() { os.Exit(cli.Main()) }
