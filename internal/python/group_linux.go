package python

import "syscall"

// newProcessGroup puts a child in a group of its own; the kernel kills the child when
// this process dies without the time to do so.
func newProcessGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
