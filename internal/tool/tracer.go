package tool

import (
	"context"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/trace"
)

// TracedFigure is a figure with the call whose result it stood in.
type TracedFigure struct {
	Figure Figure
	Call   llm.ToolCall
}

// Tracer says where the numbers of a text come from: its figures in the order of
// the text, and what their notes name, the first of them as note 1. Numbers that
// need no source, such as the user's own, are not among the figures.
type Tracer func(text string) (numbers []trace.MatchedNumber, notes []TracedFigure)

type tracerKey struct{}

// WithTracer lets the calls made with ctx trace what they write to the figures of
// the conversation that they are made in. t may be called from several goroutines.
func WithTracer(ctx context.Context, t Tracer) context.Context {
	return context.WithValue(ctx, tracerKey{}, t)
}

// TracerOf is the Tracer of the conversation of a call, or nil for one made by
// hand: then no figures are known.
func TracerOf(ctx context.Context) Tracer {
	t, _ := ctx.Value(tracerKey{}).(Tracer)
	return t
}
