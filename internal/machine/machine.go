// Package machine tells what the program runs on, as far as a bug report needs
// it. Nothing in it says whose computer it is: no names of users or hosts, no
// addresses, no paths, no other part of the environment.
package machine

import (
	"os"
	"runtime"
	"strings"

	"golang.org/x/term"
)

// Facts are what is known of the computer at this moment.
type Facts struct {
	OS       string // as Go names it: linux, darwin, windows
	Arch     string // that the program was built for
	Go       string // version that built it
	Program  string // version of nfa
	CPUs     int    // that the program may use
	Memory   Memory
	Terminal Terminal
}

// Memory is in bytes; zero is not known.
type Memory struct{ Total, Available uint64 }

// Terminal is what the program writes to.
type Terminal struct {
	Interactive   bool
	Type          string // TERM, or empty
	Program       string // TERM_PROGRAM, or empty
	Columns, Rows int    // zero without a terminal
}

// Look gathers the facts. program is nfa's version, env reads the environment,
// and out is where the program writes to.
func Look(program string, env func(string) string, out *os.File) Facts {
	t := Terminal{Type: word(env("TERM")), Program: word(env("TERM_PROGRAM"))}
	if columns, rows, err := term.GetSize(int(out.Fd())); err == nil {
		t.Interactive, t.Columns, t.Rows = true, columns, rows
	}
	return Facts{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Program: program,
		CPUs: runtime.GOMAXPROCS(0), Memory: memory(), Terminal: t,
	}
}

// word lets through what looks like the name of a kind of terminal: the
// environment can hold anything.
func word(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"
	if len(s) > 40 || strings.Trim(s, plain) != "" {
		return ""
	}
	return s
}
