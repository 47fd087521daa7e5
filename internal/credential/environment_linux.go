package credential

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// eraseVariables overwrites the values of variables in the memory that the kernel shows as
// /proc/PID/environ. Unsetting a variable does not change that memory. Errors are ignored: then only
// protectProcess keeps other programs out.
func eraseVariables(names []string) {
	if len(names) == 0 {
		return
	}
	start, end, err := environmentMemory()
	if err != nil {
		return
	}
	memory, err := os.OpenFile("/proc/self/mem", os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer func() { _ = memory.Close() }()
	block := make([]byte, end-start)
	if _, err := memory.ReadAt(block, start); err != nil {
		return
	}
	at := start
	for variable := range bytes.SplitSeq(block, []byte{0}) {
		name, value, _ := bytes.Cut(variable, []byte("="))
		if slices.Contains(names, string(name)) {
			_, _ = memory.WriteAt(make([]byte, len(value)), at+int64(len(name))+1)
		}
		at += int64(len(variable)) + 1
	}
}

// environmentMemory returns where the kernel put the environment of this process.
func environmentMemory() (start, end int64, err error) {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return 0, 0, err
	}
	// The name of the program, in parentheses, may contain spaces. The fields after it begin with the
	// third; env_start is the 50th, env_end the 51st (proc(5)).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const envStart = 50 - 3
	if len(fields) <= envStart+1 {
		return 0, 0, fmt.Errorf("%d fields in /proc/self/stat", len(fields))
	}
	if start, err = strconv.ParseInt(fields[envStart], 10, 64); err == nil {
		end, err = strconv.ParseInt(fields[envStart+1], 10, 64)
	}
	if err == nil && (start <= 0 || end <= start || end-start > 8<<20) {
		err = fmt.Errorf("environment at %d to %d", start, end)
	}
	return start, end, err
}

// protectProcess keeps other programs of the user from reading the memory of this one.
func protectProcess() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }
