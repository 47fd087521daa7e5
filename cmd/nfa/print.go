package main

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// printDone prints the result of a command: value with --json, else a line of text.
func (g *globals) printDone(value any, format string, args ...any) error {
	if g.json {
		return cli.WriteJSON(g.out, value)
	}
	return g.printLine(fmt.Sprintf(format, args...))
}

// printLine prints a line of text without control characters.
func (g *globals) printLine(text string) error {
	_, err := fmt.Fprintln(g.out, markdown.SanitizeLine(text))
	return err
}
