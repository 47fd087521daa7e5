package files

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// MachineFacts are what is known of the computer at this moment.
type MachineFacts struct {
	OS       string // as Go names it: linux, darwin, windows
	Arch     string // that the program was built for
	Go       string // version that built it
	Program  string // version of nfa
	CPUs     int    // that the program may use
	Memory   MachineMemory
	Terminal MachineTerminal
}

// MachineMemory is in bytes; zero is not known.
type MachineMemory struct{ Total, Available uint64 }

// MachineTerminal is what the program writes to.
type MachineTerminal struct {
	Interactive   bool
	Type          string // TERM, or empty
	Program       string // TERM_PROGRAM, or empty
	Columns, Rows int    // zero without a terminal
}

// InspectMachine gathers the facts. program is nfa's version, env reads the environment,
// and out is where the program writes to.
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

// safeTerminalName lets through what looks like the name of a kind of terminal: the
// environment can hold anything.
func safeTerminalName(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"
	if len(s) > 40 || strings.Trim(s, plain) != "" {
		return ""
	}
	return s
}
