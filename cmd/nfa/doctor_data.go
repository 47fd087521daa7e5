package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/crash"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/sample"
)

const (
	contactMissing = "filings and statements of US companies come from the SEC, which wants an e-mail address with each request"
	contactMend    = "nfa config set sec.contact you@example.com"
)

// marketOf is the marketplace of a house of which no more stands.
func marketOf(g *globals, cfg *config.Config, home string, log zerolog.Logger) (*house, *marketplace) {
	h := &house{home: home, cfg: cfg, log: log}
	return h, newMarketplace(g, h)
}

// checkData says where market data come from, and what would make them more. It
// asks nobody.
func checkData(g *globals, cfg *config.Config, home string, log zerolog.Logger) []check {
	h, m := marketOf(g, cfg, home, log)
	defer h.close()
	if h.onSample() {
		return []check{{"data", statusNote, "sample data alone (" + sample.Coverage + "): " + h.sampleWhy(), ""}}
	}
	keys := keysOf(g, cfg, home, log)
	var used, keyed, lacking []string
	for _, p := range m.probes() {
		if from := keys[p.name]; from != "" {
			keyed = append(keyed, p.name+" from "+from)
		}
		switch {
		case !p.lacks(cfg, keys):
			used = append(used, p.name)
		case p.needs == needKey:
			lacking = append(lacking, p.name)
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
	stored, err := c.stored()
	if err != nil {
		stored = nil // likewise
	}
	for _, p := range dataProviders() {
		if place := c.keyFrom(p, stored); place != "" {
			from[p.Name] = place
		}
	}
	return from
}

// lacks reports whether a provider has not been given what it needs to be asked.
func (p probe) lacks(cfg *config.Config, keys map[string]string) bool {
	switch p.needs {
	case needKey:
		return keys[p.name] == ""
	case needContact:
		return cfg.Data.SECContact == ""
	case needServer:
		return cfg.Data.SearXNG == ""
	}
	return false
}

// finding is a check, and of a source that was tried what came of it.
type finding struct {
	check
	Probe *outcome `json:"probe,omitempty"`
}

// outcome is what came of asking one source.
type outcome struct {
	Source  string `json:"source"`
	Answers bool   `json:"answers"`
	Millis  int64  `json:"ms"`
	// AsOf is when the newest number of the answer was true.
	AsOf time.Time `json:"as_of,omitzero"`
	// RetryAt is when to ask again, where the source or its limiter says so.
	RetryAt time.Time `json:"retry_at,omitzero"`
	Error   string    `json:"error,omitempty"`
}

// probePatience is how long one source has for its answer.
const probePatience = 10 * time.Second

// tryData asks every source that is set up, all at once.
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
	h, m := marketOf(g, cfg, home, log)
	defer h.close()
	if h.onSample() {
		return []finding{{check: check{"sources", statusNote, "no source is tried: " + h.sampleWhy(), ""}}}
	}
	// Nothing is kept and nothing taken from what is kept: an older answer would
	// say nothing of a server.
	m.client, m.dir = fetch.New(fetch.Options{Now: clock, Log: m.log}), ""
	keys := keysOf(g, cfg, home, log)
	all := slices.DeleteFunc(m.probes(), func(p probe) bool { return p.lacks(cfg, keys) })
	found := make([]finding, len(all))
	var asked crash.WaitGroup
	for i, p := range all {
		asked.Go(func() { found[i] = p.try(ctx) })
	}
	asked.Wait()
	if !slices.ContainsFunc(found, func(f finding) bool { return f.Probe.Answers }) {
		found = append(found, finding{check: check{"sources", statusProblem, "none of them answers; what tools give is the embedded sample", "is this machine online, and its clock right?"}})
	}
	return found
}

// try asks once.
func (p probe) try(ctx context.Context) finding {
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	began := time.Now()
	origin, err := p.ask(ctx)
	took := time.Since(began)
	out := &outcome{Source: p.name, Answers: err == nil, Millis: took.Milliseconds(), AsOf: origin.AsOf}
	if err == nil {
		return finding{check{"sources", statusOK, fmt.Sprintf("%s answers in %d ms (%s)", p.name, out.Millis, p.gives), ""}, out}
	}
	c := check{"sources", statusNote, p.name + ": " + p.refused(ctx, err), ""}
	if from, ok := errors.AsType[*market.SourceError](err); ok {
		out.RetryAt = from.RetryAt
	}
	if errors.Is(err, market.ErrAuth) && p.keyed() {
		c.Mend = "its key is wrong, or its plan has no such data; for another: nfa auth set " + p.name
	}
	out.Error = c.Message
	return finding{c, out}
}

// refused is why there was no answer, without what was asked.
func (p probe) refused(ctx context.Context, err error) string {
	from, ok := errors.AsType[*market.SourceError](err)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("no answer within %.0f s", probePatience.Seconds())
	case !ok:
		return err.Error()
	}
	bare := *from
	bare.Doing = ""
	return strings.TrimPrefix(bare.Error(), bare.Source+": ")
}

// keyed reports whether the provider takes a key.
func (p probe) keyed() bool {
	for _, one := range dataProviders() {
		if one.Name == p.name {
			return true
		}
	}
	return false
}
