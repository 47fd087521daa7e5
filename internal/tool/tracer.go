package tool

import (
	"context"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/trace"
)

// TracedFigure is a figure and the call that returned it.
type TracedFigure struct {
	Figure Figure
	Call   llm.ToolCall
}

// Tracer finds the sources of the numbers in a text: the numbers in the order of the text, and the
// figures that their notes refer to, from note 1. Numbers that need no source, such as the user's
// own, are not included.
type Tracer func(text string) (numbers []trace.MatchedNumber, notes []TracedFigure)

type tracerKey struct{}

// WithTracer lets calls with ctx trace the numbers they write to the figures of their session. t
// must be safe for concurrent use.
func WithTracer(ctx context.Context, t Tracer) context.Context {
	return context.WithValue(ctx, tracerKey{}, t)
}

// TracerOf returns the Tracer of a call's session, or nil outside a session.
func TracerOf(ctx context.Context) Tracer {
	t, _ := ctx.Value(tracerKey{}).(Tracer)
	return t
}
