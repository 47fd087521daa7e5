package client

import (
	"bytes"
	"context"
	"net/http"

	"github.com/nfa-cli/nfa/internal/market"
)

// Getter sends the requests of GetParsed: a Source, or several that take turns.
type Getter interface {
	Get(ctx context.Context, r Request) (Response, error)
	NewError(op string, err error, detail string) error
}

// GetParsed asks for r and returns what parse makes of the answer. A body that parse
// turns away is not kept, and an older copy may stand in for it as for a silence.
// The Check of r, where there is one, looks at an answer of any status before; parse
// sees bodies of status 200 alone. Its errors are in the sentinels of market, or
// mean ErrMalformed. What it returns is of this caller alone.
func GetParsed[T any](ctx context.Context, getter Getter, r Request, parse func(body []byte) (T, error)) (T, Response, error) {
	var checked, zero T
	var checkedBody []byte // what checked was made of
	first := r.Check
	// Long histories take as long to parse as to fetch.
	isChecked := func(body []byte) bool { return checkedBody != nil && bytes.Equal(checkedBody, body) }
	r.Check = func(answer Response) error {
		if first != nil {
			if err := first(answer); err != nil {
				return err
			}
		}
		if answer.Status != http.StatusOK || isChecked(answer.Body) {
			return nil
		}
		parsed, err := parse(answer.Body)
		if err == nil {
			checked, checkedBody = parsed, answer.Body
		}
		return err
	}
	answer, err := getter.Get(ctx, r)
	if err != nil {
		return zero, Response{}, err
	}
	if isChecked(answer.Body) { // and not by another caller
		return checked, answer, nil
	}
	parsed, err := recoverParse(func() (T, error) { return parse(answer.Body) })
	if err != nil {
		return zero, Response{}, getter.NewError(r.Op, err, "")
	}
	return parsed, answer, nil
}

// isDiscardable reports whether err, which a check says of a kept body, means that nothing could be
// read of it. What it says of the question itself, such as a symbol that it does not have, stands;
// what a server said of who asked, or of itself, was of that day.
func isDiscardable(err error) bool {
	switch sentinelOf(err) {
	case market.ErrUnknownSymbol, market.ErrNoData, market.ErrAmbiguous:
		return false
	}
	return err != nil
}

// Stamp returns p with when the answer was fetched and whether it was kept,
// flagged stale where it stands in for a source that did not answer.
func (r Response) Stamp(p market.Provenance) market.Provenance {
	p.FetchedAt, p.Cache = r.FetchedAt, r.Cache
	if r.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return p
}
