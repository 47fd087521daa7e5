package main

import (
	"fmt"
	"io"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/markdown"
)

// textAnswer prints the answer alone, as it comes. Text of steps that end in
// tool calls is part of it: it was meant to be read.
type textAnswer struct {
	refusals
	out, err  io.Writer
	sanitizer markdown.Sanitizer
	midLine   bool
}

func (a *textAnswer) begin(_, _ string) {}

func (a *textAnswer) warning(text string) {
	fmt.Fprintln(a.err, "nfa: "+markdown.Sanitize(text))
}

func (a *textAnswer) event(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		a.print(a.sanitizer.Clean(e.Text))
	case agent.StepDone:
		a.endLine()
	}
}

func (a *textAnswer) finish(done agent.TurnDone, err error) error {
	a.endLine()
	return a.exit(done, err)
}

func (a *textAnswer) print(text string) {
	if text != "" {
		// A reader that has gone ends the program by its signal.
		_, _ = io.WriteString(a.out, text)
		a.midLine = text[len(text)-1] != '\n'
	}
}

func (a *textAnswer) endLine() {
	a.print(a.sanitizer.Close())
	if a.midLine {
		a.print("\n")
	}
}
