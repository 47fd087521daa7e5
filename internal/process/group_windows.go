package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

// NewGroup keeps Ctrl+C in the terminal from reaching the child.
func NewGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// KillGroup ends a process and its descendants, found through their parents: a child whose parent
// has ended is not found.
func KillGroup(p *os.Process) error {
	taskkill := filepath.Join(os.Getenv("SystemRoot"), "System32", "taskkill.exe")
	if err := exec.Command(taskkill, "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run(); err == nil {
		return nil
	}
	return p.Kill()
}
