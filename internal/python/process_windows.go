package python

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// newProcessGroup keeps Ctrl+C in the terminal from reaching the child.
func newProcessGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// killGroup ends a process and its descendants, found through their parents: a child whose parent
// has ended is not found.
func killGroup(p *os.Process) error {
	taskkill := filepath.Join(os.Getenv("SystemRoot"), "System32", "taskkill.exe")
	if err := exec.Command(taskkill, "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run(); err == nil {
		return nil
	}
	return p.Kill()
}

// outOfProcessorTime always returns false, because Windows has such a limit only for jobs.
func outOfProcessorTime(*os.ProcessState) bool { return false }

func interpreterNames() []string { return []string{"python3", "python"} }

// limitProcessorTime does nothing, because Windows has such a limit only for jobs.
func limitProcessorTime(time.Duration) {}
