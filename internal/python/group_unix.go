//go:build unix && !linux

package python

import "syscall"

// ownGroup puts a child in a group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
