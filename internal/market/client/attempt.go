package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
)

// attemptFailure is why an attempt gave no answer.
type attemptFailure struct {
	err        error
	retryable  bool          // whether asking again may help
	retryAfter time.Duration // and how long the server wants to be left alone
	// discardCached is a copy that the server confirmed and that is none: the whole answer
	// is to be asked for.
	discardCached bool
}

// attempt asks one time, when its turn comes.
func (s *Source) attempt(ctx context.Context, r Request, target *url.URL, cached *entry) (Response, *attemptFailure) {
	leave, blockedFor, err := s.limiter.acquire(ctx, s.policy, !isLoopback(target))
	if err != nil {
		return Response{}, &attemptFailure{err: s.canceledError(r, err)}
	}
	if blockedFor > 0 {
		return Response{}, &attemptFailure{err: &market.SourceError{
			Source: s.policy.Source, Op: r.Op, Err: market.ErrRateLimited, RetryAt: s.client.o.Now().Add(blockedFor),
		}}
	}
	defer leave()
	began := time.Now()
	answer, err := s.roundTrip(ctx, r, target, cached)
	s.logRequest(r, target, answer, time.Since(began), err)
	if err != nil {
		return Response{}, s.connectionFailure(ctx, r, target, answer, err)
	}
	if answer.Status == http.StatusNotModified && cached != nil {
		// Unchanged at the server is not yet sound here: another program may have kept
		// it, and the same parser would turn it away next time too.
		revalidated := cached.revalidate(answer)
		if sourceErr := s.checkResponse(r, target, revalidated); sourceErr != nil {
			return Response{}, &attemptFailure{err: sourceErr, discardCached: true}
		}
		return revalidated, nil
	}
	return s.classify(r, target, answer)
}

// classify tells an answer from a refusal.
func (s *Source) classify(r Request, target *url.URL, answer Response) (Response, *attemptFailure) {
	sourceErr := s.checkResponse(r, target, answer)
	if sourceErr == nil {
		return answer, nil
	}
	failure := &attemptFailure{err: sourceErr}
	switch {
	case errors.Is(sourceErr, market.ErrRateLimited):
		wait, named := retryAfter(answer.Header, s.client.o.Now())
		if !sourceErr.RetryAt.IsZero() {
			wait, named = sourceErr.RetryAt.Sub(s.client.o.Now()), true
		}
		if !named {
			wait = s.policy.Breaker
		}
		wait = min(max(wait, time.Second), max(maxBlock, s.policy.Breaker))
		s.limiter.block(wait)
		sourceErr.RetryAt = s.client.o.Now().Add(wait)
		failure.retryable, failure.retryAfter = named && answer.Status == http.StatusTooManyRequests && wait <= maxRetryAfter, wait
	case errors.Is(sourceErr, market.ErrUnavailable):
		failure.retryable = answer.Status >= http.StatusBadGateway && answer.Status <= http.StatusGatewayTimeout
	}
	return Response{}, failure
}

// connectionFailure returns the error for a connection that gave no whole response. Only a
// caller that canceled is reported as such: the policy's timeout counts as a fault of the
// server.
func (s *Source) connectionFailure(ctx context.Context, r Request, target *url.URL, answer Response, err error) *attemptFailure {
	if ctx.Err() != nil {
		return &attemptFailure{err: s.canceledError(r, ctx.Err())}
	}
	sourceErr := &market.SourceError{Source: s.policy.Source, Op: r.Op, Err: market.ErrUnavailable, Status: answer.Status}
	switch {
	case errors.Is(err, market.ErrMalformed):
		sourceErr.Err = err // in words of our own
		return &attemptFailure{err: sourceErr}
	case errors.Is(err, context.DeadlineExceeded):
		sourceErr.Detail = "no answer within " + s.policy.Timeout.String()
		return &attemptFailure{err: sourceErr}
	}
	sourceErr.Detail = s.sanitize(networkReason(err), r, target)
	// The resolver has asked again itself. Without a network each source would
	// otherwise pay for its pauses before the next one is asked.
	_, unresolved := errors.AsType[*net.DNSError](err)
	return &attemptFailure{err: sourceErr, retryable: !unresolved}
}

func (s *Source) logRequest(r Request, target *url.URL, answer Response, took time.Duration, err error) {
	e := s.client.o.Log.Debug()
	if err != nil {
		e = e.Str("error", s.sanitize(err.Error(), r, target))
	}
	e.Str("source", s.policy.Source).Str("doing", r.Op).Str("method", r.Method).Str("url", s.policy.publicURL(target)).
		Int("status", answer.Status).Int("bytes", len(answer.Body)).Dur("took", took).Msg("asked")
}
