package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
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

// starts has .ci/benchtui start the program. Where there is no pseudo-terminal that
// it knows, there are none, and the page says so.
func (b *bench) starts(ctx context.Context, binary string) ([]start, error) {
	if runtime.GOOS != "linux" {
		return nil, nil
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./.ci/benchtui", "-nfa", binary, "-starts")
	cmd.Dir = b.root
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
