//go:build unix

package python

import (
	"syscall"
	"time"
)

// limitProcessorTime ends this process in the end when nobody is left to kill
// it. The slack covers compiling.
func limitProcessorTime(limit time.Duration) {
	const slack = 5 * time.Minute
	seconds := uint64((limit + slack) / time.Second)
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds})
}
