package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// workflowWriter prints the steps of a workflow as they come, or their sum when
// they are done.
type workflowWriter interface {
	started(call llm.ToolCall)
	finished(o tool.Outcome)
	// end prints what is left of the whole.
	end(o tool.Outcome) error
}

func (h *house) workflowWriter(g *globals, form string) workflowWriter {
	switch form {
	case outputJSON:
		return workflowJSON{out: g.out}
	case outputStreamJSON:
		return workflowStream{&streamAnswer{out: g.out}}
	}
	return workflowText{out: g.out, paint: h.painter(g)}
}

// painter lays Markdown out for a terminal; in a pipe it stays as it is.
func (h *house) painter(g *globals) func(text string) string {
	if !isTerminal(g.out) {
		return markdown.Sanitize
	}
	theme := g.printTheme(h)
	return func(text string) string {
		return strings.Join(markdown.Render(text, markdown.Options{Width: columns(g.out), Theme: theme}), "\n")
	}
}

type workflowText struct {
	out   io.Writer
	paint func(text string) string
}

func (w workflowText) started(llm.ToolCall) {}

func (w workflowText) finished(o tool.Outcome) {
	mark, text := "+", shown(o.Result)
	if o.Result.IsError {
		// The error is in the line above it, and at the end.
		mark, text = "✗", strings.TrimPrefix(o.Result.ForUser, o.Result.ErrorText())
	}
	fmt.Fprintln(w.out, markdown.SanitizeLine(fmt.Sprintf("%s %s  %s  %s  %d ms", mark, tool.StepOf(o.Call.ID), o.Call.Name, o.Result.Summary, o.Duration.Milliseconds())))
	if text = strings.Trim(w.paint(text), "\n"); strings.TrimSpace(text) != "" {
		fmt.Fprintf(w.out, "\n%s\n\n", text)
	}
}

func (w workflowText) end(o tool.Outcome) error {
	if o.Result.IsError {
		return fmt.Errorf("%s: %s", o.Call.Name, o.Result.ErrorText())
	}
	return nil
}

type workflowJSON struct{ out io.Writer }

func (w workflowJSON) started(llm.ToolCall) {}

func (w workflowJSON) finished(tool.Outcome) {}

func (w workflowJSON) end(o tool.Outcome) error {
	return printJSON(w.out, outcomeOf(o))
}

// workflowStream prints a line for each event, as ask does.
type workflowStream struct{ *streamAnswer }

func (w workflowStream) started(call llm.ToolCall) { w.event(agent.ToolStarted{Call: call}) }

func (w workflowStream) finished(o tool.Outcome) { w.event(agent.ToolFinished{Outcome: o}) }

func (w workflowStream) end(o tool.Outcome) error {
	reason := "completed"
	if o.Result.IsError {
		if reason = o.Result.Code; reason == "" {
			reason = "error"
		}
		w.line("error", map[string]any{"code": o.Result.Code, "message": o.Result.ErrorText()})
	}
	w.line("done", map[string]any{"stop_reason": reason, "result": resultOf(o.Result), "answer": o.Result.ForUser, "figures": outcomeOf(o).Figures})
	if w.failed != nil {
		return fmt.Errorf("writing the result: %w", w.failed)
	}
	return nil
}

// exitOfWorkflow is the error that a finished run ends the program with; printed
// is what the writer left to say.
func exitOfWorkflow(o tool.Outcome, printed error) error {
	code := exitOfResult(o.Result)
	if code == exitOK {
		return printed
	}
	return &exitError{code, printed}
}
