//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/nfa-cli/nfa/internal/app"
)

// Opening a pipe waits for a writer, whatever signal arrives, and a device may be endless.
func TestPortfolio_WhatIsNoFileIsRefusedAtOnce(t *testing.T) {
	nfa := runnerInFolder(t)
	if err := syscall.Mkfifo("pipe.csv", 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{"pipe.csv", "/dev/zero", "."} {
		code, _, errOut := nfa("portfolio", "import", path, "--yes")
		if code != exitUsage || !strings.Contains(errOut, path+" is not a regular file") {
			t.Errorf("import %s = %d, %s, want exit %d and that it is no file", path, code, errOut, exitUsage)
		}
	}
}

func TestReadArguments_AFileWithoutEndIsNotReadWhole(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip(err)
	}
	if _, err := app.ReadArguments("@/dev/zero", nil); err == nil || !strings.Contains(err.Error(), "larger than 1024 KB") {
		t.Errorf("readArguments of a file without end = %v, want that it is too large", err)
	}
}
