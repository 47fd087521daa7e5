package files

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// MachineFacts describes the computer.
type MachineFacts struct {
	OS       string // Go's name: linux, darwin, windows
	Arch     string // that nfa was built for
	Go       string // version that built nfa
	Program  string // version of nfa
	CPUs     int    // available to nfa
	Memory   MachineMemory
	Terminal MachineTerminal
}

// MachineMemory is in bytes; zero means unknown.
type MachineMemory struct{ Total, Available uint64 }

// MachineTerminal describes the terminal that nfa writes to.
type MachineTerminal struct {
	Interactive   bool
	Type          string // TERM, or empty
	Program       string // TERM_PROGRAM, or empty
	Columns, Rows int    // zero without a terminal
}

// InspectMachine returns facts about the computer. program is nfa's version, env reads the
// environment, and out is the output of nfa.
func InspectMachine(program string, env func(string) string, out *os.File) MachineFacts {
	t := MachineTerminal{Type: safeTerminalName(env("TERM")), Program: safeTerminalName(env("TERM_PROGRAM"))}
	if columns, rows, err := term.GetSize(int(out.Fd())); err == nil {
		t.Interactive, t.Columns, t.Rows = true, columns, rows
	}
	return MachineFacts{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Program: program,
		CPUs: runtime.GOMAXPROCS(0), Memory: readMemory(), Terminal: t,
	}
}

// safeTerminalName returns s only if it looks like a terminal name, because the environment can
// hold anything.
func safeTerminalName(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"
	if len(s) > 40 || strings.Trim(s, plain) != "" {
		return ""
	}
	return s
}
