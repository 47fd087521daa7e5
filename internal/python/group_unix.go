//go:build unix && !linux

package python

import "syscall"

// newProcessGroup puts a child into its own group.
func newProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
