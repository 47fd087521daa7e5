package main

import (
	"errors"
	"fmt"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill/install"
)

// notice prints a notice for the user to stderr, because stdout holds only what the command was
// asked for.
func (g *globals) notice(text string) {
	fmt.Fprintln(g.err, "nfa: "+markdown.SanitizeLine(text))
}

// withFlagHint names the flags that settle a conflict.
func withFlagHint(err error, flags string) error {
	var conflict *install.ConflictError
	if errors.As(err, &conflict) && !conflict.Final {
		return fmt.Errorf("%w (%s)", err, flags)
	}
	return err
}

// printInstalled says what became of a skill, and all that was changed on the way.
func (g *globals) printInstalled(done string, i install.Result) {
	line := func(format string, args ...any) {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
	}
	line("%s %s: %s", done, i.Name, i.Path)
	if i.StoreNote != "" {
		line("  kept %s", i.StoreNote)
	}
	switch {
	case i.From == "":
	case done == "cloned":
		line("  a copy of %s", i.From)
	case done == "imported" && !i.Renamed:
		// From is but the folder that it lay in.
	default:
		line("  it was %s before", i.From)
	}
	if i.Replaced {
		line("  it replaced yours of that name")
	}
	if i.Hides != "" {
		line("  it hides the %s skill of that name", i.Hides)
	}
	for _, repair := range i.Repaired {
		line("  repaired: %s", repair)
	}
	for _, warning := range i.Warnings {
		line("  ! %s", warning)
	}
	for _, file := range i.LeftOut {
		line("  left out: %s", file)
	}
}
