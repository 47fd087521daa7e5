package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/marketplace"
)

const (
	contactMissing = "filings and statements of US companies come from the SEC, which wants an e-mail address with each request"
	contactMend    = "nfa config set sec.contact you@example.com"
)

// sampleWhy says what keeps the program from live sources.
func sampleWhy(cfg *config.Config) string {
	if cfg.Offline {
		return "offline is set, " + cfg.Origin("offline")
	}
	return "data is " + cfg.Data.Mode + ", " + cfg.Origin("data")
}

// checkData says where market data come from, and what would make them more. It
// asks nobody.
func checkData(g *globals, cfg *config.Config, home string, log zerolog.Logger) []check {
	if onSample(cfg) {
		return []check{{"data", statusNote, "sample data alone (" + sample.Coverage + "): " + sampleWhy(cfg), ""}}
	}
	m := marketOf(g, cfg, home, log, false)
	keys := keysOf(g, cfg, home, log)
	var used, keyed, lacking []string
	for _, p := range m.Probes() {
		if from := keys[p.Name]; from != "" {
			keyed = append(keyed, p.Name+" from "+from)
		}
		switch {
		case !m.Lacks(p, keys[p.Name] != ""):
			used = append(used, p.Name)
		case p.Needs == marketplace.NeedKey:
			lacking = append(lacking, p.Name)
		}
	}
	checks := []check{{"data", statusOK, "live (not tried): " + strings.Join(used, ", ") + "; where none answers, embedded sample data (" + sample.Coverage + ")", "to try them: nfa doctor --live"}}
	if cfg.Data.SECContact == "" {
		checks = append(checks, check{"data", statusNote, contactMissing, contactMend})
	}
	if len(keyed) > 0 {
		checks = append(checks, check{"data", statusOK, "keys: " + strings.Join(keyed, ", "), ""})
	}
	if len(lacking) > 0 {
		checks = append(checks, check{"data", statusOK, "more sources, each with a key of yours: " + strings.Join(lacking, ", "), "nfa auth set NAME; none is needed"})
	}
	return checks
}

// keysOf says where the keys of sources are from, by the source's name. No keyring
// is asked for one.
func keysOf(g *globals, cfg *config.Config, home string, log zerolog.Logger) map[string]string {
	from := map[string]string{}
	c, err := newConnections(g, cfg, home, log)
	if err != nil {
		return from // the check of models says it
	}
	stored, err := c.Stored()
	if err != nil {
		stored = nil // likewise
	}
	for _, p := range dataProviders() {
		if place := c.KeyFrom(p, stored); place != "" {
			from[p.Name] = place
		}
	}
	return from
}

// finding is a check, and of a source that was tried what came of it.
type finding struct {
	check
	Probe *marketplace.Outcome `json:"probe,omitempty"`
}

// tryData asks every source that is set up, all at once. Nothing is kept and nothing
// taken from what is kept: an older answer would say nothing of a server.
func tryData(ctx context.Context, g *globals) []finding {
	cfg, home, err := g.settings(wiring{})
	if err != nil {
		return nil // the checks have said it
	}
	log, logFile, err := openLog(home, cfg)
	if err != nil {
		return nil // likewise
	}
	defer logFile.Close()
	if onSample(cfg) {
		return []finding{{check: check{"sources", statusNote, "no source is tried: " + sampleWhy(cfg), ""}}}
	}
	m := marketOf(g, cfg, home, log, false)
	keys := keysOf(g, cfg, home, log)
	all := slices.DeleteFunc(m.Probes(), func(p marketplace.Probe) bool { return m.Lacks(p, keys[p.Name] != "") })
	found := make([]finding, len(all))
	var asked crash.WaitGroup
	for i, p := range all {
		asked.Go(func() { found[i] = answered(p, p.Try(ctx)) })
	}
	asked.Wait()
	if !slices.ContainsFunc(found, func(f finding) bool { return f.Probe.Answers }) {
		found = append(found, finding{check: check{"sources", statusProblem, "none of them answers; what tools give is the embedded sample", "is this machine online, and its clock right?"}})
	}
	return found
}

// answered is what is told of a source that was asked.
func answered(p marketplace.Probe, out marketplace.Outcome) finding {
	switch {
	case out.Answers:
		return finding{check{"sources", statusOK, fmt.Sprintf("%s answers in %d ms (%s)", p.Name, out.Millis, p.Gives), ""}, &out}
	case out.KeyRefused:
		return finding{check{"sources", statusNote, out.Error, "its key is wrong, or its plan has no such data; for another: nfa auth set " + p.Name}, &out}
	}
	return finding{check{"sources", statusNote, out.Error, ""}, &out}
}
