//go:build unix && !linux

package process

import "syscall"

// NewGroup puts a child into its own group.
func NewGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
