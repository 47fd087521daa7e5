package fetch

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// Source asks one server under its policy. It is safe for concurrent use.
type Source struct {
	client  *Client
	policy  Policy
	limiter *limiter
}

// Get asks, or answers from the disk. What is kept is held to the Kind and Check of r
// as an answer of the server is: a copy that is none is asked for anew, and stands in
// for nothing. The error is a *market.SourceError, but for a cancelled context. The
// body may be shared with other callers: read it, do not change it.
func (s *Source) Get(ctx context.Context, r Request) (Response, error) {
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	if err := ctx.Err(); err != nil {
		return Response{}, s.ended(r, err)
	}
	target, err := url.Parse(r.URL)
	if err != nil || target.Host == "" || target.Scheme != "https" && target.Scheme != "http" {
		// Without the address: it may hold a key.
		return Response{}, s.refused(r, market.ErrUnavailable, "malformed address")
	}
	if !r.kept() {
		return s.ask(ctx, r, target, nil)
	}
	kept := s.client.disk.load(s.policy, r, target)
	if kept.within(r.Fresh, s.client.o.Now()) {
		answer, found := s.sound(r, target, kept.response(market.CacheHit))
		if found == nil {
			return answer, nil
		}
		if !useless(found) {
			return Response{}, found
		}
		kept = nil // nor is a server to be shown its version, which it would confirm
	}
	answer, err := s.client.flights.share(ctx, s.sharing(r, target, kept), func(ctx context.Context) (Response, error) {
		return s.renew(ctx, r, target, kept)
	})
	if err != nil && ctx.Err() != nil {
		return Response{}, s.ended(r, ctx.Err())
	}
	return answer, err
}

// renew asks, keeps the answer, and falls back on what is kept where the source
// does not answer.
func (s *Source) renew(ctx context.Context, r Request, target *url.URL, kept *entry) (Response, error) {
	answer, err := s.ask(ctx, r, target, kept)
	if err == nil {
		s.client.disk.keep(s.policy, r, target, answer)
		return answer, nil
	}
	if ctx.Err() == nil && silent(err) && kept.within(r.stale(), s.client.o.Now()) {
		older, found := s.sound(r, target, kept.response(market.CacheStale))
		if found == nil {
			s.client.o.Log.Debug().Str("source", s.policy.Source).Str("doing", r.Doing).Err(err).Msg("answered from an older copy")
			return older, nil
		}
		if !useless(found) {
			return Response{}, found
		}
	}
	return Response{}, err
}

// sound is an answer from the disk, or what is wrong with it: another program may have
// kept it, or this one for another caller.
func (s *Source) sound(r Request, target *url.URL, kept Response) (Response, error) {
	if found := s.finding(r, target, kept); found != nil {
		return Response{}, found
	}
	return kept, nil
}

// silent reports whether the source gave no answer at all. What it said of the
// symbol or of the key stands, whatever it said yesterday.
func silent(err error) bool {
	return errors.Is(err, market.ErrUnavailable) || errors.Is(err, market.ErrRateLimited) || errors.Is(err, market.ErrMalformed)
}

// Bounds of asking again.
const (
	retries = 2
	// patience is how long a server that says when to come back is waited for.
	// Beyond it the next source is the better answer.
	patience = 10 * time.Second
	// firstPause doubles with each attempt; half of it is chance, so that callers
	// that failed together do not come back together.
	firstPause = 250 * time.Millisecond
)

// ask asks until there is an answer, or no hope of one.
func (s *Source) ask(ctx context.Context, r Request, target *url.URL, kept *entry) (Response, error) {
	for tried := 0; ; tried++ {
		answer, no := s.once(ctx, r, target, kept)
		if no == nil {
			return answer, nil
		}
		if no.useless {
			kept = nil
			continue
		}
		wait := firstPause << tried
		wait = no.after + wait/2 + rand.N(wait/2)
		if !no.again || tried >= retries || r.Method != http.MethodGet && r.Method != http.MethodHead || tooLate(ctx, wait) {
			return Response{}, no.err
		}
		if err := pause(ctx, wait); err != nil {
			return Response{}, s.ended(r, err)
		}
	}
}

// Key is the key for one question, looked up once. Without one, ask nil or empty,
// it yields market.ErrNotConfigured with what to do; a caller that has left ends
// with the error of its context.
func (s *Source) Key(ctx context.Context, doing string, ask func() string, howTo string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if ask != nil {
		if key := ask(); key != "" {
			return key, nil
		}
	}
	return "", s.Failed(doing, market.ErrNotConfigured, howTo)
}

// Failed is the error of an answer that Get let pass and its provider could not
// use.
func (s *Source) Failed(doing string, err error, detail string) error {
	if inner, ok := errors.AsType[*market.SourceError](err); ok && detail == "" {
		err, detail = inner.Err, quoted(clean(inner.Detail))
	}
	return &market.SourceError{Source: s.policy.Source, Doing: doing, Err: err, Detail: clean(detail[:min(len(detail), mostRead)])}
}

func (s *Source) refused(r Request, err error, detail string) error {
	return &market.SourceError{Source: s.policy.Source, Doing: r.Doing, Err: err, Detail: detail}
}

// ended is the error of a call that its caller gave up.
func (s *Source) ended(r Request, err error) error {
	return fmt.Errorf("%s from %s: %w", r.Doing, s.policy.Source, err)
}
