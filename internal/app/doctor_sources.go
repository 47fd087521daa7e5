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
	// SampleReason says why only sample data is used, or is "". If it is set, Market may be nil.
	SampleReason string
	Market       *feed.Market
	Keys         map[string]string // where the keys are from, by the names of their sources
}

// Findings reports the sources in use and what would add more. It makes no request.
func (s SourceCheck) Findings() []Finding {
	if s.SampleReason != "" {
		return []Finding{noteFinding("data", "sample data alone ("+feed.SampleCoverage+"): "+s.SampleReason, "")}
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
	found := []Finding{okFinding("data", "live (not tried): "+strings.Join(used, ", ")+"; where none answers, embedded sample data ("+feed.SampleCoverage+")", "to try them: nfa doctor --live")}
	if !contact {
		found = append(found, noteFinding("data", "filings and statements of US companies come from the SEC, which wants an e-mail address with each request", "nfa config set sec.contact you@example.com"))
	}
	if len(keyed) > 0 {
		found = append(found, okFinding("data", "keys: "+strings.Join(keyed, ", "), ""))
	}
	if len(missing) > 0 {
		found = append(found, okFinding("data", "more sources, each with a key of yours: "+strings.Join(missing, ", "), "nfa auth set NAME; none is needed"))
	}
	return found
}

func (s SourceCheck) missingRequirement(p feed.Probe) bool {
	return s.Market.MissingSetup(p, s.Keys[p.Name] != "")
}

// Probe sends a request to every configured source, all at the same time. Market should neither
// read nor write a cache, because a cached answer says nothing about the server.
func (s SourceCheck) Probe(ctx context.Context) []Finding {
	if s.SampleReason != "" {
		return []Finding{noteFinding("sources", "no source is tried: "+s.SampleReason, "")}
	}
	probed := slices.DeleteFunc(s.Market.Probes(), s.missingRequirement)
	found := make([]Finding, len(probed))
	var probes crash.WaitGroup
	for i, p := range probed {
		probes.Go(func() { found[i] = probeFinding(p, p.Try(ctx)) })
	}
	probes.Wait()
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Probe.OK }) {
		found = append(found, problemFinding("sources", "none of them answers; what tools give is the embedded sample", "is this machine online, and its clock right?"))
	}
	return found
}

// probeFinding returns the finding about a source that was probed.
func probeFinding(p feed.Probe, out feed.ProbeResult) Finding {
	f := noteFinding("sources", out.Error, "")
	switch {
	case out.OK:
		f = okFinding("sources", fmt.Sprintf("%s answers in %d ms (%s)", p.Name, out.Millis, p.Provides), "")
	case out.KeyRefused:
		f.Fix = "its key is wrong, or its plan has no such data; for another: nfa auth set " + p.Name
	}
	f.Probe = &out
	return f
}
