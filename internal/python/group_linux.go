package python

import "syscall"

// newProcessGroup puts a child into its own group. The kernel kills the child if this process dies
// unexpectedly.
func newProcessGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
