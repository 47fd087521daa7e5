package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market/client"
	"github.com/nfa-cli/nfa/internal/market/feed"
)

// SourceCheck checks the sources of market data.
type SourceCheck struct {
	// SampleReason is why only sample data is used, or "". If it is set, Market may be nil.
	SampleReason string
	Market       *feed.Market
	Keys         map[string]string // origins of the keys, by source
}

// Findings reports the sources in use, and how to add more. It sends no request.
func (s SourceCheck) Findings() []Finding {
	if s.SampleReason != "" {
		return []Finding{noteFinding("data", "only sample data ("+feed.SampleCoverage+"): "+s.SampleReason, "")}
	}
	var used, keyed, missing []string
	contact := true
	for _, p := range s.Market.Probes() {
		if from := s.Keys[p.Name]; from != "" {
			keyed = append(keyed, p.Name+" from "+from)
		}
		switch {
		case !s.missingRequirement(p):
			used = append(used, p.Name)
		case p.Requires == client.RequiresKey:
			missing = append(missing, p.Name)
		case p.Requires == client.RequiresContact:
			contact = false
		}
	}
	found := []Finding{okFinding("data", "live (not tested): "+strings.Join(used, ", ")+"; if none responds, sample data ("+feed.SampleCoverage+")", "test them: nfa doctor --live")}
	if !contact {
		found = append(found, noteFinding("data", "SEC EDGAR (US filings and statements) requires a contact email", "nfa config set sec.contact you@example.com"))
	}
	if len(keyed) > 0 {
		found = append(found, okFinding("data", "keys: "+strings.Join(keyed, ", "), ""))
	}
	if len(missing) > 0 {
		found = append(found, okFinding("data", "optional sources that need a key: "+strings.Join(missing, ", "), "nfa auth set NAME"))
	}
	return found
}

func (s SourceCheck) missingRequirement(p feed.Probe) bool {
	return s.Market.MissingSetup(p, s.Keys[p.Name] != "")
}

// Probe sends a request to each configured source, concurrently. Market must not use a cache,
// because a cached response says nothing about the server.
func (s SourceCheck) Probe(ctx context.Context) []Finding {
	if s.SampleReason != "" {
		return []Finding{noteFinding("sources", "no source was tested: "+s.SampleReason, "")}
	}
	probed := slices.DeleteFunc(s.Market.Probes(), s.missingRequirement)
	found := make([]Finding, len(probed))
	var probes crash.WaitGroup
	for i, p := range probed {
		probes.Go(func() { found[i] = probeFinding(p, p.Try(ctx)) })
	}
	probes.Wait()
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Probe.OK }) {
		found = append(found, problemFinding("sources", "no source responds; prices are the last stored ones", "check the internet connection and the clock"))
	}
	return found
}

// probeFinding returns the finding for a probed source.
func probeFinding(p feed.Probe, out feed.ProbeResult) Finding {
	f := noteFinding("sources", out.Error, "")
	switch {
	case out.OK:
		f = okFinding("sources", fmt.Sprintf("%s answers in %d ms (%s)", p.Name, out.Millis, p.Provides), "")
	case out.KeyRefused:
		f.Fix = "the key is wrong or the plan does not include this data; change it with nfa auth set " + p.Name
	}
	f.Probe = &out
	return f
}
