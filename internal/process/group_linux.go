package process

import "syscall"

// NewGroup puts a child into its own group. The kernel kills the child if the thread that started it
// ends, so the caller locks its thread until the child has ended.
func NewGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
