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

// GetParsed requests r and returns the result of parse. A body that parse rejects is not cached,
// and an older copy may replace it as if the source were unreachable. The Check of r, if any, sees
// responses of any status before that; parse sees only status 200. Errors wrap a sentinel of
// market, by default ErrMalformed. Results are not shared between callers.
func GetParsed[T any](ctx context.Context, getter Getter, r Request, parse func(body []byte) (T, error)) (T, Response, error) {
	var checked, zero T
	var checkedBody []byte // the body that checked was parsed from
	first := r.Check
	// Do not parse a body twice: for long histories, parsing takes as long as fetching.
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

// isDiscardable reports whether err means that a cached body is useless. Errors about the request, such as an
// unknown symbol, remain valid. Errors about the user's key or the server applied only when the body was
// fetched.
func isDiscardable(err error) bool {
	switch sentinelOf(err) {
	case market.ErrUnknownSymbol, market.ErrNoData, market.ErrAmbiguous:
		return false
	}
	return err != nil
}

// Stamp returns p with the time of the fetch and the cache state, flagged stale if the response
// replaces one of an unreachable source.
func (r Response) Stamp(p market.Provenance) market.Provenance {
	p.FetchedAt, p.Cache = r.FetchedAt, r.Cache
	if r.Cache == market.CacheStale {
		p = p.With(market.FlagStale)
	}
	return p
}
