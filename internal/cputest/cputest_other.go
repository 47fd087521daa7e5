//go:build !unix

package cputest

import (
	"testing"
	"time"
)

// Least skips the test: the CPU time is measured on Unix only.
func Least(tb testing.TB, _ time.Duration, _ func()) time.Duration {
	tb.Helper()
	tb.Skip("the CPU time is measured on Unix only")
	return 0
}
