//go:build unix

// Package cputest measures the CPU time of code in tests. Elapsed time depends on what else the machine
// runs, and a limit in seconds on how fast it is. Tests therefore compare the CPU times of two inputs.
package cputest

import (
	"syscall"
	"testing"
	"time"
)

// Least returns the least CPU time of this program during three runs of f, or during the first run
// that takes at most enough. Do not call it while tests run in parallel.
func Least(tb testing.TB, enough time.Duration, f func()) time.Duration {
	tb.Helper()
	least := time.Duration(1<<63 - 1)
	for i := 0; i < 3 && least > enough; i++ {
		before := used(tb)
		f()
		least = min(least, used(tb)-before)
	}
	return least
}

func used(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
