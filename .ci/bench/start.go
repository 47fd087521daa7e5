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

// start is the cost of starting a program, as .ci/benchtui prints it.
type start struct {
	Name   string  `json:"name"`
	Millis float64 `json:"ms"`      // wall time, minimum of the runs
	CPU    float64 `json:"cpu_ms"`  // CPU time of all processors, minimum of the runs
	MiB    float64 `json:"mib"`     // peak memory; 0 is unknown
	Base   bool    `json:"is_base"` // the empty program
}

// starts measures starts with .ci/benchtui. Without pseudo-terminals it returns none.
func (b *bench) starts(ctx context.Context, binary string) ([]start, error) {
	if runtime.GOOS != "linux" {
		return nil, nil
	}
	if _, err := os.Stat(b.terminals); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	// Not go run: if ctx ends, go run would stop but not the program it started.
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
	cmd.Env = append(os.Environ(), "TMPDIR="+b.work) // so that its files are removed, however it ends
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, stderr.Bytes())
	}
	return startsOf(stdout.Bytes())
}

// startsOf parses the output of benchtui. The first start is the empty program.
func startsOf(output []byte) ([]start, error) {
	var all []start
	if err := json.Unmarshal(output, &all); err != nil {
		return nil, fmt.Errorf("output of benchtui: %w", err)
	}
	if len(all) < 2 || !all[0].Base || all[0].Millis <= 0 {
		return nil, fmt.Errorf("benchtui measured %d starts, want the empty program first and at least one other", len(all))
	}
	return all, nil
}
