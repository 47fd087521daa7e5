package python

import "syscall"

// ownGroup puts a child in a group of its own; the kernel kills the child when
// this process dies without the time to do so.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
