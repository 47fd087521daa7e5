package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/progress"
)

// Source sends requests to one server under its policy. It is safe for concurrent use.
type Source struct {
	client  *Client
	policy  Policy
	limiter *limiter
}

// Get returns a cached or new response. Cached responses must pass the Kind and Check of r too; one
// that fails is requested again and never used as stale. The error is a *market.SourceError, except
// for a canceled context. Do not change the body: it may be shared.
func (s *Source) Get(ctx context.Context, r Request) (Response, error) {
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	if err := ctx.Err(); err != nil {
		return Response{}, s.canceledError(r, err)
	}
	target, err := url.Parse(r.URL)
	if err != nil || target.Host == "" || target.Scheme != "https" && target.Scheme != "http" {
		// Omit the address, which may contain a key.
		return Response{}, s.requestError(r, market.ErrUnavailable, "malformed address")
	}
	if !r.cacheable() {
		s.reportProgress(ctx)
		return s.getWithRetry(ctx, r, target, nil)
	}
	cached := s.client.disk.load(s.policy, r, target)
	var cachedErr error
	if cached != nil {
		if cachedErr = s.checkCached(r, target, cached); isDiscardable(cachedErr) {
			cached = nil // and do not send its validators, which the server would confirm
		}
	}
	if cached.youngerThan(r.Fresh, s.client.o.Now()) {
		if cachedErr != nil {
			return Response{}, cachedErr
		}
		return cached.response(market.CacheHit), nil
	}
	s.reportProgress(ctx)
	answer, err := s.client.flights.share(ctx, s.flightKey(r, target, cached), func(ctx context.Context) (Response, error) {
		answer, err := s.getWithRetry(ctx, r, target, cached)
		if err == nil {
			s.client.disk.store(s.policy, r, target, answer)
			return answer, nil
		}
		if ctx.Err() == nil && IsUnreachable(err) && cached.youngerThan(r.maxStale(), s.client.o.Now()) {
			if cachedErr != nil {
				return Response{}, cachedErr
			}
			s.client.o.Log.Debug().Str("source", s.policy.Source).Str("doing", r.Op).Err(err).Msg("served a stale copy")
			return cached.response(market.CacheStale), nil
		}
		return Response{}, err
	})
	if err != nil && ctx.Err() != nil {
		return Response{}, s.canceledError(r, ctx.Err())
	}
	return answer, err
}

func (s *Source) reportProgress(ctx context.Context) {
	progress.Report(ctx, "asking "+market.SourceTitle(s.policy.Source))
}

// checkCached returns what is wrong with a cached response, which another program, or a caller with another
// Check, may have stored.
func (s *Source) checkCached(r Request, target *url.URL, cached *entry) error {
	if sourceErr := s.checkResponse(r, target, cached.response(market.CacheHit)); sourceErr != nil {
		return sourceErr
	}
	return nil
}

// IsUnreachable reports whether a source sent no usable response. Errors about the symbol or the key are
// valid responses and must not be replaced by cached data.
func IsUnreachable(err error) bool {
	return errors.Is(err, market.ErrUnavailable) || errors.Is(err, market.ErrRateLimited) || errors.Is(err, market.ErrMalformed)
}

// NewProvenance returns the provenance of an answer, dated asOf or else when it was fetched.
func (s *Source) NewProvenance(endpoint string, asOf time.Time, answer Response) market.Provenance {
	if asOf.IsZero() {
		asOf = answer.FetchedAt
	}
	return answer.Stamp(market.Provenance{
		Source: s.policy.Source, Endpoint: endpoint, License: s.policy.License, AsOf: asOf, Adjustment: market.AdjustmentUnknown,
	})
}

// NewPriceProvenance works like NewProvenance for prices in dollars.
func (s *Source) NewPriceProvenance(endpoint string, asOf time.Time, adjustment market.Adjustment, answer Response) market.Provenance {
	p := s.NewProvenance(endpoint, asOf, answer)
	p.Currency, p.Unit, p.Adjustment = "USD", "price", adjustment
	return p
}

// Key looks up the key once. If there is none, or lookup is nil, the error is market.ErrNotConfigured. For a
// canceled context it returns the context's error.
func (s *Source) Key(ctx context.Context, op string, lookup func() string) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if lookup != nil {
		if key := lookup(); key != "" {
			return key, nil
		}
	}
	name := s.policy.Source
	return "", &market.SourceError{Source: name, Op: op, Err: market.ErrNotConfigured, NeedsKey: true,
		Detail: "set a key with: nfa auth set " + name + ", or " + strings.ToUpper(name) + "_API_KEY"}
}

// NewError returns the error for a response that Get accepted but the provider could not use.
func (s *Source) NewError(op string, err error, detail string) error {
	if inner, ok := errors.AsType[*market.SourceError](err); ok && detail == "" {
		err, detail = inner.Err, quoteServer(cleanLine(inner.Detail))
	}
	return &market.SourceError{Source: s.policy.Source, Op: op, Err: err, Detail: cleanLine(detail[:min(len(detail), maxInspected)])}
}

func (s *Source) requestError(r Request, err error, detail string) error {
	return &market.SourceError{Source: s.policy.Source, Op: r.Op, Err: err, Detail: detail}
}

// canceledError returns the error of a canceled call.
func (s *Source) canceledError(r Request, err error) error {
	return fmt.Errorf("%s from %s: %w", r.Op, s.policy.Source, err)
}

// attemptFailure is the reason why an attempt failed.
type attemptFailure struct {
	err        error
	retryable  bool          // whether another attempt may help
	retryAfter time.Duration // minimum wait before a retry
}

// attempt sends the request once, when its turn comes.
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
		answer = cached.revalidate(answer)
	}
	return s.classify(r, target, answer)
}

// classify distinguishes data from errors.
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

// connectionFailure returns the error for a connection that did not deliver a whole response. Only
// cancellation by the caller is reported as such; exceeding the policy's timeout is an error of the server.
func (s *Source) connectionFailure(ctx context.Context, r Request, target *url.URL, answer Response, err error) *attemptFailure {
	if ctx.Err() != nil {
		return &attemptFailure{err: s.canceledError(r, ctx.Err())}
	}
	sourceErr := &market.SourceError{Source: s.policy.Source, Op: r.Op, Err: market.ErrUnavailable, Status: answer.Status}
	switch {
	case errors.Is(err, market.ErrMalformed):
		sourceErr.Err = err // our own message
		return &attemptFailure{err: sourceErr}
	case errors.Is(err, context.DeadlineExceeded):
		sourceErr.Waited = s.policy.Timeout
		return &attemptFailure{err: sourceErr}
	}
	sourceErr.Detail = s.sanitize(networkReason(err), r, target)
	// The resolver has already retried. Without a network, retries here would delay each
	// of the sources.
	_, unresolved := errors.AsType[*net.DNSError](err)
	sourceErr.Unreachable = unresolved || errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ECONNREFUSED)
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

// Limits of a retry.
const (
	maxRetries = 2
	// maxRetryAfter is the longest pause requested by a server that is worth waiting for. If it is longer,
	// trying the next source is better.
	maxRetryAfter = 10 * time.Second
	// initialBackoff doubles with each attempt; half of it is random, so that callers that failed together do
	// not retry together.
	initialBackoff = 250 * time.Millisecond
)

// getWithRetry sends the request until it succeeds or retrying cannot help.
func (s *Source) getWithRetry(ctx context.Context, r Request, target *url.URL, cached *entry) (Response, error) {
	for tried := 0; ; tried++ {
		answer, failure := s.attempt(ctx, r, target, cached)
		if failure == nil {
			return answer, nil
		}
		wait := initialBackoff << tried
		wait = failure.retryAfter + wait/2 + rand.N(wait/2)
		if !failure.retryable || tried >= maxRetries || r.Method != http.MethodGet && r.Method != http.MethodHead || exceedsDeadline(ctx, wait) {
			if sourceErr, ok := errors.AsType[*market.SourceError](failure.err); ok {
				sourceErr.URL = s.policy.publicURL(target)
			}
			return Response{}, failure.err
		}
		if err := sleep(ctx, wait); err != nil {
			return Response{}, s.canceledError(r, err)
		}
	}
}
