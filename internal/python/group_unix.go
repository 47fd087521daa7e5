//go:build unix && !linux

package python

import "syscall"

// newProcessGroup puts a child in a group of its own.
func newProcessGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
