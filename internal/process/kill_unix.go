//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
)

// KillGroup ends a process and everything in its group.
func KillGroup(p *os.Process) error {
	err := syscall.Kill(-p.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
