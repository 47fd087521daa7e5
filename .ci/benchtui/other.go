//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "benchtui: only Linux is supported")
	os.Exit(1)
}
