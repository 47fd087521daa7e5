//go:build unix

package python

import (
	"os"
	"syscall"
	"time"
)

func outOfProcessorTime(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}

func interpreterNames() []string { return []string{"python3"} }

// limitProcessorTime limits the CPU time of this process, so that it ends even if its parent has died. The
// slack is for compiling.
func limitProcessorTime(limit time.Duration) {
	const slack = 5 * time.Minute
	seconds := uint64((limit + slack) / time.Second)
	_ = syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds})
}
