package yahoo

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/yahoo/chart"
)

// question is a request and what its answer is good for.
type question struct {
	doing        string
	url          string
	kind         fetch.Kind
	cookie       string
	fresh, stale time.Duration
}

// get asks q and parses the answer. An answer that does not parse is not kept.
func get[T any](ctx context.Context, s *Source, q question, parse func([]byte) (T, error)) (T, fetch.Response, error) {
	r := fetch.Request{Doing: q.doing, URL: q.url, Kind: q.kind, Fresh: q.fresh, Stale: q.stale, Check: refusal}
	if q.cookie != "" {
		r.Header = http.Header{"Cookie": {q.cookie}}
	}
	return fetch.Parsed(ctx, names{s}, r, parse)
}

// names is Yahoo for fetch, asked under the names that s has.
type names struct{ s *Source }

func (n names) Get(ctx context.Context, r fetch.Request) (fetch.Response, error) {
	return n.s.ask(ctx, n.s.taps, r)
}

func (n names) Failed(doing string, err error, detail string) error {
	return n.s.taps[0].Failed(doing, err, detail)
}

// ask puts r under the name that worked last, and under the next one where Yahoo
// turns that away.
func (s *Source) ask(ctx context.Context, taps []*fetch.Source, r fetch.Request) (fetch.Response, error) {
	var aged fetch.Response
	var firstErr error
	first := s.kept.agent()
	for step := range taps {
		i := (first + step) % len(taps)
		answer, err := taps[i].Get(ctx, r)
		switch {
		case err == nil && answer.Cache == market.CacheStale:
			aged = answer // good enough if no other name does better
		case err == nil || !turnedAway(err):
			if err == nil && step > 0 {
				s.kept.prefer(i)
			}
			if err != nil && aged.Status != 0 {
				return aged, nil
			}
			return answer, err
		case firstErr == nil:
			firstErr = err
		}
	}
	if aged.Status != 0 {
		return aged, nil
	}
	return fetch.Response{}, firstErr
}

// turnedAway reports whether Yahoo refused whoever asks, whatever was asked.
func turnedAway(err error) bool {
	var from *market.SourceError
	return errors.Is(err, market.ErrRateLimited) || errors.As(err, &from) && from.Status == http.StatusForbidden
}

// longestComplaint is more than any refusal has; data are longer or have none.
const longestComplaint = 4 << 10

// refusal is the error that an answer is, nil where it is data or where its status
// says it all.
func refusal(answer fetch.Response) error {
	if answer.Status == http.StatusTooManyRequests || answer.Status >= 500 || answer.Status == http.StatusNotModified {
		return nil // the pace and the retries are not ours
	}
	if answer.Status == http.StatusOK && len(answer.Body) > longestComplaint {
		return nil
	}
	if strings.Contains(string(answer.Body[:min(len(answer.Body), 64)]), "Too Many Requests") {
		return market.ErrRateLimited
	}
	said, ok := complained(answer.Body)
	if !ok {
		return nil
	}
	return said.Meaning(answer.Status)
}

func complained(body []byte) (chart.Complaint, bool) {
	var services map[string]struct {
		Error *chart.Complaint `json:"error"`
	}
	if json.Unmarshal(body, &services) != nil {
		return chart.Complaint{}, false
	}
	for _, service := range services {
		if service.Error != nil {
			return *service.Error, true
		}
	}
	return chart.Complaint{}, false
}
