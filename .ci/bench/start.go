package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// start is what starting a program takes, as .ci/benchtui prints it.
type start struct {
	Name   string  `json:"name"`
	Millis float64 `json:"ms"`      // by the clock, the least of its runs
	CPU    float64 `json:"cpu_ms"`  // of all processors, likewise
	MiB    float64 `json:"mib"`     // the most memory that one run took; 0 is not known
	Base   bool    `json:"is_base"` // the yardstick of the others
}

// starts has .ci/benchtui start the program. Where there are no pseudo-terminals, or
// none that it knows, there are no starts, and the page says so.
func (b *bench) starts(ctx context.Context, binary string) ([]start, error) {
	if runtime.GOOS != "linux" {
		return nil, nil
	}
	if _, err := os.Stat(b.terminals); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// Not go run: where ctx ends, it alone would, and what it runs would go on.
	benchtui, err := filepath.Abs(filepath.Join(b.work, "benchtui"))
	if err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-o", benchtui, "./.ci/benchtui")
	build.Dir = b.root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("compiling benchtui: %w\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, benchtui, "-nfa", binary, "-starts")
	cmd.Dir = b.root
	cmd.Env = append(os.Environ(), "TMPDIR="+b.work) // whose files go with it, however it ends
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return startsOf(stdout.Bytes())
}

// startsOf reads them. The first is the yardstick.
func startsOf(output []byte) ([]start, error) {
	var all []start
	if err := json.Unmarshal(output, &all); err != nil {
		return nil, fmt.Errorf("what benchtui printed: %w", err)
	}
	if len(all) < 2 || !all[0].Base || all[0].Millis <= 0 {
		return nil, fmt.Errorf("benchtui measured %d starts, want the empty program and others", len(all))
	}
	return all, nil
}
