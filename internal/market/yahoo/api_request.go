package yahoo

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// apiRequest is a request and what its answer is good for.
type apiRequest struct {
	op           string
	url          string
	kind         client.BodyKind
	cookie       string
	fresh, stale time.Duration
}

// get asks q and parses the answer. An answer that does not parse is not kept.
func get[T any](ctx context.Context, s *Source, q apiRequest, parse func([]byte) (T, error)) (T, client.Response, error) {
	r := client.Request{Op: q.op, URL: q.url, Kind: q.kind, Fresh: q.fresh, Stale: q.stale, Check: responseError}
	if q.cookie != "" {
		r.Header = http.Header{"Cookie": {q.cookie}}
	}
	return client.GetParsed(ctx, rotatingAgents{s}, r, parse)
}

// rotatingAgents is Yahoo for fetch, asked under the names that s has.
type rotatingAgents struct{ s *Source }

func (n rotatingAgents) Get(ctx context.Context, r client.Request) (client.Response, error) {
	return n.s.getRotating(ctx, n.s.dataClients, r)
}

func (n rotatingAgents) NewError(op string, err error, detail string) error {
	return n.s.dataClients[0].NewError(op, err, detail)
}

// getRotating puts r under the name that worked last, and under the next one where Yahoo
// turns that away.
func (s *Source) getRotating(ctx context.Context, clients []*client.Source, r client.Request) (client.Response, error) {
	var stale client.Response
	var firstErr error
	first := s.session.agent()
	for step := range clients {
		i := (first + step) % len(clients)
		answer, err := clients[i].Get(ctx, r)
		switch {
		case err == nil && answer.Cache == market.CacheStale:
			stale = answer // good enough if no other name does better
		case err == nil || !isBlocked(err):
			if err == nil && step > 0 {
				s.session.preferAgent(i)
			}
			if err != nil && stale.Status != 0 {
				return stale, nil
			}
			return answer, err
		case firstErr == nil:
			firstErr = err
		}
	}
	if stale.Status != 0 {
		return stale, nil
	}
	return client.Response{}, firstErr
}

// isBlocked reports whether Yahoo refused whoever asks, whatever was asked.
func isBlocked(err error) bool {
	var sourceErr *market.SourceError
	return errors.Is(err, market.ErrRateLimited) || errors.As(err, &sourceErr) && sourceErr.Status == http.StatusForbidden
}

// maxErrorBody is more than any refusal has; data are longer or have none.
const maxErrorBody = 4 << 10

// responseError is the error that an answer is, nil where it is data or where its status
// says it all.
func responseError(answer client.Response) error {
	if answer.Status == http.StatusTooManyRequests || answer.Status >= 500 || answer.Status == http.StatusNotModified {
		return nil // the pace and the retries are not ours
	}
	if answer.Status == http.StatusOK && len(answer.Body) > maxErrorBody {
		return nil
	}
	if strings.Contains(string(answer.Body[:min(len(answer.Body), 64)]), "Too Many Requests") {
		return market.ErrRateLimited
	}
	serviceErr, ok := parseServiceError(answer.Body)
	if !ok {
		return nil
	}
	return serviceErr.Sentinel(answer.Status)
}

func parseServiceError(body []byte) (ServiceError, bool) {
	var services map[string]struct {
		Error *ServiceError `json:"error"`
	}
	if json.Unmarshal(body, &services) != nil {
		return ServiceError{}, false
	}
	for _, service := range services {
		if service.Error != nil {
			return *service.Error, true
		}
	}
	return ServiceError{}, false
}
