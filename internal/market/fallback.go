package market

import (
	"context"
	"errors"
	"fmt"
)

// Sources lists who is asked for what, the best first. A list may be empty; what
// it would give then yields ErrNotConfigured.
type Sources struct {
	Quotes     []QuoteSource
	Bars       []BarSource
	Statements []StatementSource
	Profiles   []ProfileSource
	Filings    []FilingSource
	Insiders   []InsiderSource
	News       []NewsSource
	Series     []SeriesSource
	Curves     []CurveSource
	Rates      []RateSource
	Options    []OptionSource
	Searches   []SearchSource
	Web        []WebSource
}

// Fallback asks each source in turn until one answers, and says in the answer
// which were asked before it. An answer is always of one source alone. What no
// source answers yields an *ExhaustedError; a cancelled call ends at once.
type Fallback struct {
	sources Sources
}

// NewFallback returns the sources as one.
func NewFallback(s Sources) *Fallback { return &Fallback{sources: s} }

// attempts are the sources before the one that answered: those that were asked,
// and those that could not be since they are not set up.
type attempts struct{ tried, unset []Attempt }

// firstAnswer asks one source after the other.
func firstAnswer[S, T any](ctx context.Context, op string, sources []S, ask func(S) (T, error)) (T, attempts, error) {
	var none T
	exhausted := &ExhaustedError{Op: op}
	for _, s := range sources {
		if err := ctx.Err(); err != nil {
			return none, attempts{}, fmt.Errorf("%s: %w", op, err)
		}
		answer, err := ask(s)
		if err == nil {
			return answer, attempts{exhausted.Tried, exhausted.Unset}, nil
		}
		if ctx.Err() != nil {
			return none, attempts{}, err
		}
		exhausted.add(err)
	}
	if len(sources) == 0 {
		none := &SourceError{Source: "no source", Op: op, Err: ErrNotConfigured}
		exhausted.Tried, exhausted.errs = []Attempt{attemptFor(none)}, []error{none}
	}
	return none, attempts{}, exhausted
}

// add notes an attempt. A source that is itself several tells of each; one that
// does not deal in what was asked for was none, and one that is not set up stands
// apart: neither is worth a word beside an answer.
func (e *ExhaustedError) add(err error) {
	var inner *ExhaustedError
	switch {
	case errors.As(err, &inner):
		e.Tried, e.errs = append(e.Tried, inner.Tried...), append(e.errs, inner.errs...)
		e.Unset, e.unset = append(e.Unset, inner.Unset...), append(e.unset, inner.unset...)
	case errors.Is(err, ErrNotCovered):
	case errors.Is(err, ErrNotConfigured):
		e.Unset, e.unset = append(e.Unset, attemptFor(err)), append(e.unset, err)
	default:
		e.Tried, e.errs = append(e.Tried, attemptFor(err)), append(e.errs, err)
	}
}
