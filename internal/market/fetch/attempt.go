package fetch

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// refusal is why an attempt gave no answer.
type refusal struct {
	err   error
	again bool          // whether asking again may help
	after time.Duration // and how long the server wants to be left alone
	// useless is a copy that the server confirmed and that is none: the whole answer
	// is to be asked for.
	useless bool
}

// once asks one time, when its turn comes.
func (s *Source) once(ctx context.Context, r Request, target *url.URL, kept *entry) (Response, *refusal) {
	leave, closed, err := s.limiter.enter(ctx, s.policy, !loopback(target))
	if err != nil {
		return Response{}, &refusal{err: s.ended(r, err)}
	}
	if closed > 0 {
		return Response{}, &refusal{err: &market.SourceError{
			Source: s.policy.Source, Doing: r.Doing, Err: market.ErrRateLimited, RetryAt: s.client.o.Now().Add(closed),
		}}
	}
	defer leave()
	began := time.Now()
	answer, err := s.exchange(ctx, r, target, kept)
	s.log(r, target, answer, time.Since(began), err)
	if err != nil {
		return Response{}, s.broken(ctx, r, target, answer, err)
	}
	if answer.Status == http.StatusNotModified && kept != nil {
		// Unchanged at the server is not yet sound here: another program may have kept
		// it, and the same parser would turn it away next time too.
		whole := kept.confirmed(answer)
		if found := s.finding(r, target, whole); found != nil {
			return Response{}, &refusal{err: found, useless: true}
		}
		return whole, nil
	}
	return s.judge(r, target, answer)
}

// judge tells an answer from a refusal.
func (s *Source) judge(r Request, target *url.URL, answer Response) (Response, *refusal) {
	found := s.finding(r, target, answer)
	if found == nil {
		return answer, nil
	}
	no := &refusal{err: found}
	switch {
	case errors.Is(found, market.ErrRateLimited):
		wait, said := retryAfter(answer.Header, s.client.o.Now())
		if !found.RetryAt.IsZero() {
			wait, said = found.RetryAt.Sub(s.client.o.Now()), true
		}
		if !said {
			wait = s.policy.Breaker
		}
		wait = min(max(wait, time.Second), max(longestShut, s.policy.Breaker))
		s.limiter.shut(s.policy, wait)
		found.RetryAt = s.client.o.Now().Add(wait)
		no.again, no.after = said && answer.Status == http.StatusTooManyRequests && wait <= patience, wait
	case errors.Is(found, market.ErrUnavailable):
		no.again = answer.Status >= http.StatusBadGateway && answer.Status <= http.StatusGatewayTimeout
	}
	return Response{}, no
}

// broken is the refusal where the connection gave no whole answer. Only the
// caller's own end is told apart: the policy's time-out is the server's fault.
func (s *Source) broken(ctx context.Context, r Request, target *url.URL, answer Response, err error) *refusal {
	if ctx.Err() != nil {
		return &refusal{err: s.ended(r, ctx.Err())}
	}
	found := &market.SourceError{Source: s.policy.Source, Doing: r.Doing, Err: market.ErrUnavailable, Status: answer.Status}
	switch {
	case errors.Is(err, market.ErrMalformed):
		found.Err = err // in words of our own
		return &refusal{err: found}
	case errors.Is(err, context.DeadlineExceeded):
		found.Detail = "no answer within " + s.policy.Timeout.String()
		return &refusal{err: found}
	}
	found.Detail = s.told(reason(err), r, target)
	// The resolver has asked again itself. Without a network each source would
	// otherwise pay for its pauses before the next one is asked.
	_, unresolved := errors.AsType[*net.DNSError](err)
	return &refusal{err: found, again: !unresolved}
}

func (s *Source) log(r Request, target *url.URL, answer Response, took time.Duration, err error) {
	e := s.client.o.Log.Debug()
	if err != nil {
		e = e.Str("error", s.told(err.Error(), r, target))
	}
	e.Str("source", s.policy.Source).Str("doing", r.Doing).Str("method", r.Method).Str("url", s.policy.public(target)).
		Int("status", answer.Status).Int("bytes", len(answer.Body)).Dur("took", took).Msg("asked")
}
