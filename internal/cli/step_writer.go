package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

// StepWriter prints the steps of a skill as they finish, or a summary when all are done.
type StepWriter interface {
	Started(call llm.ToolCall)
	Finished(o tool.Outcome)
	// End prints the remaining output.
	End(o tool.Outcome) error
}

// NewStepWriter returns a writer for one of the formats of NewTurnWriter.
func NewStepWriter(form string, out io.Writer, painter Painter) StepWriter {
	switch form {
	case FormatJSON:
		return stepsJSON{out: out}
	case FormatStreamJSON:
		return stepsStream{&streamWriter{out: out}}
	}
	return stepsText{out: out, painter: painter}
}

type stepsText struct {
	out     io.Writer
	painter Painter
}

func (w stepsText) Started(llm.ToolCall) {}

func (w stepsText) Finished(o tool.Outcome) {
	mark, text := "+", w.painter.Result(o.Result, nil)
	if o.Result.IsError {
		// The error is printed above this line, and again at the end.
		mark, text = "✗", w.painter.Markdown(strings.TrimPrefix(o.Result.ForUser, o.Result.ErrorText()))
	}
	fmt.Fprintln(w.out, markdown.SanitizeLine(fmt.Sprintf("%s %s  %s  %s  %d ms", mark, tool.StepName(o.Call.ID), o.Call.Name, o.Result.Summary, o.Duration.Milliseconds())))
	if strings.TrimSpace(text) != "" {
		fmt.Fprintf(w.out, "\n%s\n\n", text)
	}
}

func (w stepsText) End(o tool.Outcome) error {
	if o.Result.IsError {
		return fmt.Errorf("%s: %s", o.Call.Name, o.Result.ErrorText())
	}
	return nil
}

type stepsJSON struct{ out io.Writer }

func (w stepsJSON) Started(llm.ToolCall) {}

func (w stepsJSON) Finished(tool.Outcome) {}

func (w stepsJSON) End(o tool.Outcome) error {
	return WriteJSON(w.out, NewToolResult(o))
}

// stepsStream prints a line for each event, as ask does.
type stepsStream struct{ *streamWriter }

func (w stepsStream) Started(call llm.ToolCall) { w.Event(agent.ToolStarted{Call: call}) }

func (w stepsStream) Finished(o tool.Outcome) { w.Event(agent.ToolFinished{Outcome: o}) }

func (w stepsStream) End(o tool.Outcome) error {
	reason := "completed"
	if o.Result.IsError {
		if reason = o.Result.Code; reason == "" {
			reason = "error"
		}
		w.writeLine("error", map[string]any{"code": o.Result.Code, "message": o.Result.ErrorText()})
	}
	w.writeLine("done", map[string]any{"stop_reason": reason, "result": resultValue(o.Result), "answer": o.Result.UserText(), "figures": NewToolResult(o).Figures})
	if w.writeErr != nil {
		return fmt.Errorf("write the result: %w", w.writeErr)
	}
	return nil
}
