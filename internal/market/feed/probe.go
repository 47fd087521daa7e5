package feed

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Probe is one cheap request that tests whether a provider responds.
type Probe struct {
	client.Provider
	// Run sends the request and returns the provenance of the answer.
	Run func(context.Context) (market.Provenance, error)
}

// Probes returns one probe per provider, in the order of Providers.
func (m *Market) Probes() []Probe {
	var all []Probe
	for _, p := range m.built() {
		all = append(all, Probe{p.Provider, func(ctx context.Context) (market.Provenance, error) {
			return p.Probe(ctx, p.source, m.o.Now())
		}})
	}
	return all
}

// MissingSetup reports whether a provider lacks its required setup. hasKey says whether there is a key for
// it.
func (m *Market) MissingSetup(p Probe, hasKey bool) bool {
	switch p.Requires {
	case client.RequiresKey:
		return !hasKey
	case client.RequiresContact:
		return m.o.Contact == ""
	case client.RequiresServer:
		return m.o.SearXNG == ""
	}
	return false
}

// ProbeTimeout is the time limit of one probe.
const ProbeTimeout = 10 * time.Second

// ProbeResult is the result of one probe.
type ProbeResult struct {
	Source string `json:"source"`
	OK     bool   `json:"answers"`
	Millis int64  `json:"ms"`
	// AsOf is the date of the newest figure in the response.
	AsOf time.Time `json:"as_of,omitzero"`
	// RetryAt is when to try again, if the source or its limiter says so.
	RetryAt time.Time `json:"retry_at,omitzero"`
	// Error contains the source and the reason, without the operation.
	Error string `json:"error,omitempty"`
	// KeyRefused means that the source rejected the key.
	KeyRefused bool `json:"-"`
}

// Try sends one request and waits at most ProbeTimeout.
func (p Probe) Try(ctx context.Context) ProbeResult {
	ctx, cancel := context.WithTimeout(ctx, ProbeTimeout)
	defer cancel()
	began := time.Now()
	origin, err := p.Run(ctx)
	elapsed := time.Since(began)
	result := ProbeResult{Source: p.Name, OK: err == nil, Millis: elapsed.Milliseconds(), AsOf: origin.AsOf}
	if err == nil {
		return result
	}
	result.Error = p.Name + ": " + probeFailure(ctx, err)
	if sourceErr, ok := errors.AsType[*market.SourceError](err); ok {
		result.RetryAt = sourceErr.RetryAt
	}
	result.KeyRefused = len(p.KeyVars) > 0 && errors.Is(err, market.ErrAuth)
	return result
}

// probeFailure returns the reason of a failure, without the operation.
func probeFailure(ctx context.Context, err error) string {
	sourceErr, ok := errors.AsType[*market.SourceError](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("no response within %.0f s", ProbeTimeout.Seconds())
	case !ok:
		return err.Error()
	}
	bare := *sourceErr
	bare.Op = ""
	return strings.TrimPrefix(bare.Error(), bare.Source+": ")
}
