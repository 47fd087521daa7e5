package feed

import (
	"context"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Probe is one cheap request to a provider, which shows whether it answers.
type Probe struct {
	client.Provider
	// Run sends the request and returns the provenance of the answer.
	Run func(context.Context) (market.Provenance, error)
}

// Probes returns one for each provider, in the order of Providers.
func (m *Market) Probes() []Probe {
	var all []Probe
	for _, p := range m.built() {
		all = append(all, Probe{p.Provider, func(ctx context.Context) (market.Provenance, error) {
			return p.Probe(ctx, p.source, m.o.Now())
		}})
	}
	return all
}

// MissingSetup reports whether a provider has not been given what it needs to be asked;
// key says whether there is one for it.
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
