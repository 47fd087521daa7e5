//go:build unix

package python

import (
	"errors"
	"os"
	"syscall"
)

// killGroup ends a process and everything in its group.
func killGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}

func outOfProcessorTime(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGXCPU
}

func interpreterNames() []string { return []string{"python3"} }
