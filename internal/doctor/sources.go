package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/marketplace"
)

// Sources are where market data come from.
type Sources struct {
	// SampleAlone is why nobody but the embedded sample is asked, or "". Where it is,
	// there need be no Market.
	SampleAlone string
	Market      *marketplace.Market
	Keys        map[string]string // where the keys are from, by the names of their sources
}

// Findings say who would be asked, and what would make them more. Nobody is asked.
func (s Sources) Findings() []Finding {
	if s.SampleAlone != "" {
		return []Finding{note("data", "sample data alone ("+sample.Coverage+"): "+s.SampleAlone, "")}
	}
	var used, keyed, lacking []string
	contact := true
	for _, p := range s.Market.Probes() {
		if from := s.Keys[p.Name]; from != "" {
			keyed = append(keyed, p.Name+" from "+from)
		}
		switch {
		case !s.lacks(p):
			used = append(used, p.Name)
		case p.Needs == marketplace.NeedKey:
			lacking = append(lacking, p.Name)
		case p.Needs == marketplace.NeedContact:
			contact = false
		}
	}
	found := []Finding{ok("data", "live (not tried): "+strings.Join(used, ", ")+"; where none answers, embedded sample data ("+sample.Coverage+")", "to try them: nfa doctor --live")}
	if !contact {
		found = append(found, note("data", "filings and statements of US companies come from the SEC, which wants an e-mail address with each request", "nfa config set sec.contact you@example.com"))
	}
	if len(keyed) > 0 {
		found = append(found, ok("data", "keys: "+strings.Join(keyed, ", "), ""))
	}
	if len(lacking) > 0 {
		found = append(found, ok("data", "more sources, each with a key of yours: "+strings.Join(lacking, ", "), "nfa auth set NAME; none is needed"))
	}
	return found
}

func (s Sources) lacks(p marketplace.Probe) bool { return s.Market.Lacks(p, s.Keys[p.Name] != "") }

// Try asks every source that is set up, all at once. The Market should keep nothing and
// take nothing from what is kept: an older answer would say nothing of a server.
func (s Sources) Try(ctx context.Context) []Finding {
	if s.SampleAlone != "" {
		return []Finding{note("sources", "no source is tried: "+s.SampleAlone, "")}
	}
	all := slices.DeleteFunc(s.Market.Probes(), s.lacks)
	found := make([]Finding, len(all))
	var asked crash.WaitGroup
	for i, p := range all {
		asked.Go(func() { found[i] = answered(p, p.Try(ctx)) })
	}
	asked.Wait()
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Probe.Answers }) {
		found = append(found, problem("sources", "none of them answers; what tools give is the embedded sample", "is this machine online, and its clock right?"))
	}
	return found
}

// answered is what is told of a source that was asked.
func answered(p marketplace.Probe, out marketplace.Outcome) Finding {
	f := note("sources", out.Error, "")
	switch {
	case out.Answers:
		f = ok("sources", fmt.Sprintf("%s answers in %d ms (%s)", p.Name, out.Millis, p.Gives), "")
	case out.KeyRefused:
		f.Mend = "its key is wrong, or its plan has no such data; for another: nfa auth set " + p.Name
	}
	f.Probe = &out
	return f
}
