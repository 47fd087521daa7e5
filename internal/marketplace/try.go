package marketplace

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Patience is how long one source has for its answer to a probe.
const Patience = 10 * time.Second

// Outcome is what came of asking one source.
type Outcome struct {
	Source  string `json:"source"`
	Answers bool   `json:"answers"`
	Millis  int64  `json:"ms"`
	// AsOf is when the newest number of the answer was true.
	AsOf time.Time `json:"as_of,omitzero"`
	// RetryAt is when to ask again, where the source or its limiter says so.
	RetryAt time.Time `json:"retry_at,omitzero"`
	// Error says who did not answer and why, without what was asked.
	Error string `json:"error,omitempty"`
	// KeyRefused means that the source took a key and does not accept it.
	KeyRefused bool `json:"-"`
}

// Try asks once, and waits no longer than Patience.
func (p Probe) Try(ctx context.Context) Outcome {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	began := time.Now()
	origin, err := p.Ask(ctx)
	took := time.Since(began)
	out := Outcome{Source: p.Name, Answers: err == nil, Millis: took.Milliseconds(), AsOf: origin.AsOf}
	if err == nil {
		return out
	}
	out.Error = p.Name + ": " + refused(ctx, err)
	if from, ok := errors.AsType[*market.SourceError](err); ok {
		out.RetryAt = from.RetryAt
	}
	_, keyed := takesKey(p.Name)
	out.KeyRefused = keyed && errors.Is(err, market.ErrAuth)
	return out
}

// refused is why there was no answer, without what was asked.
func refused(ctx context.Context, err error) string {
	from, ok := errors.AsType[*market.SourceError](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %.0f s", Patience.Seconds())
	case !ok:
		return err.Error()
	}
	bare := *from
	bare.Doing = ""
	return strings.TrimPrefix(bare.Error(), bare.Source+": ")
}
