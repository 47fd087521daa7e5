package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// maxRedirects is more than a well-configured server needs.
const maxRedirects = 5

// roundTrip sends the request and reads the whole response within the timeout. On an error, the
// response has the status, if any.
func (s *Source) roundTrip(ctx context.Context, r Request, target *url.URL, cached *entry) (Response, error) {
	ctx, cancel := context.WithTimeout(ctx, s.policy.Timeout)
	defer cancel()
	for range maxRedirects {
		req, err := s.newRequest(ctx, r, target, cached)
		if err != nil {
			return Response{}, err
		}
		res, err := s.client.o.Transport.RoundTrip(req)
		if err != nil {
			return Response{}, err
		}
		if next := s.redirectTarget(r, target, res); next != nil {
			_ = res.Body.Close()
			if next.Hostname() != target.Hostname() {
				r.Header, cached = nil, nil
			}
			target = next
			continue
		}
		return s.readResponse(res)
	}
	return Response{}, fmt.Errorf("%d redirects", maxRedirects)
}

// defaultUserAgent is the User-Agent unless the policy sets one.
const defaultUserAgent = "nfa (+https://github.com/nfa-cli/nfa)"

func (s *Source) newRequest(ctx context.Context, r Request, target *url.URL, cached *entry) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, r.Method, target.String(), bytes.NewReader(r.Body))
	if err != nil {
		return nil, errors.New("malformed address or method") // the cause quotes the address
	}
	// Decompressed here, so that broken compression differs from a broken connection.
	req.Header.Set("Accept-Encoding", "gzip")
	req.Header.Set("User-Agent", defaultUserAgent) // some servers reject Go's default
	original, err := url.Parse(r.URL)
	foreign := err != nil || original.Hostname() != target.Hostname()
	for name, values := range s.policy.Header {
		if !foreign || isPublicHeader(name) {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	for name, values := range r.Header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	if user := target.User; user != nil {
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	if cached != nil {
		cached.setValidators(req.Header)
	}
	return req, nil
}

// redirectTarget returns the target of an allowed redirect, or nil: also for hosts that the policy
// does not list, and for https to http.
func (s *Source) redirectTarget(r Request, from *url.URL, res *http.Response) *url.URL {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil
	}
	next, err := from.Parse(res.Header.Get("Location"))
	if err != nil || res.Header.Get("Location") == "" || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return nil
	}
	allowed := next.Hostname() == from.Hostname() || slices.Contains(s.policy.Hosts, next.Hostname())
	if !allowed || next.Scheme != "https" && next.Scheme != from.Scheme {
		return nil
	}
	return next
}

func (s *Source) readResponse(res *http.Response) (Response, error) {
	defer res.Body.Close()
	answer := Response{Status: res.StatusCode, Header: res.Header, FetchedAt: s.client.o.Now()}
	body, err := s.readLimited(res.Body)
	if err != nil {
		return answer, err
	}
	if strings.EqualFold(res.Header.Get("Content-Encoding"), "gzip") && len(body) > 0 {
		if body, err = s.gunzip(body); err != nil {
			return answer, err
		}
		answer.Header = res.Header.Clone()
		answer.Header.Del("Content-Encoding")
		answer.Header.Del("Content-Length")
	}
	answer.Body = body
	return answer, nil
}

func (s *Source) gunzip(packed []byte) ([]byte, error) {
	unpacker, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: broken gzip", market.ErrMalformed)
	}
	body, err := s.readLimited(unpacker)
	if err != nil && !errors.Is(err, market.ErrMalformed) {
		return nil, fmt.Errorf("%w: broken gzip", market.ErrMalformed)
	}
	return body, err
}

func (s *Source) readLimited(from io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(from, s.policy.MaxBytes+1))
	if err == nil && int64(len(body)) > s.policy.MaxBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", market.ErrMalformed, s.policy.MaxBytes)
	}
	return body, err
}

// isLoopback reports whether a server runs on this machine, such as a recording or the user's own mirror.
// Such a server has no rate limit.
func isLoopback(target *url.URL) bool {
	host := target.Hostname()
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// networkReason returns the part of a network error that a user can act on.
func networkReason(err error) string {
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		return "no address found for " + lookup.Name
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "connection ended early"
	}
	return err.Error()
}
