package publication_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/publication"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

// keptDeps are the tools over sources that had to fall back on their disk, after
// another had failed.
func keptDeps(t *testing.T) publication.Deps {
	t.Helper()
	kept := func(p *market.Provenance) {
		p.Cache, p.Tried = market.CacheStale, []market.Attempt{{Source: "edgar", Reason: "rate limited"}}
	}
	section := markettest.Section("VTI", first, "10-K", toolboxtest.Day(t, "2022-12-31"), market.FilingItem{Part: "I", Item: "1A"}, "risks")
	news := article(t, "2026-11-19T08:00:00Z", "fund grows")
	news.Provenance.FetchedAt = news.Published
	kept(&section.Filing.Provenance)
	kept(&news.Provenance)
	d := paper(t, news)
	d.Filings = markettest.NewFilingSource(section)
	return d
}

func TestTools_SayWhereTheirTextsAreFrom(t *testing.T) {
	for _, tc := range []struct {
		name, asOf string
		in         args
	}{
		{"filings", "2023-01-31", args{"symbol": "VTI"}},
		{"filing_section", "2023-01-31", args{"accession": first, "item": "1A"}},
		{"news", "2026-11-19T08:00:00Z", args{"symbol": "VTI"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, got := answered(t, keptDeps(t), tc.name, tc.in)
			toolboxtest.WantFields(t, got, map[string]any{
				"as_of": tc.asOf, "cache": "stale", "flags": []any{}, "tried": []any{map[string]any{"source": "edgar", "reason": "rate limited"}},
			})
			if got["source"] == nil || got["fetched_at"] == nil || got["adjustment"] != nil {
				t.Errorf("source %v, fetched %v, adjustment %v; want both and nothing of an adjustment", got["source"], got["fetched_at"], got["adjustment"])
			}
			for _, part := range []string{"**STALE** ", " (edgar: rate limited) · as of " + tc.asOf} {
				if !strings.Contains(res.ForUser, part) {
					t.Errorf("people read %q, want %q in it", res.ForUser, part)
				}
			}
			if !strings.HasSuffix(res.Summary, "STALE") {
				t.Errorf("summary = %q, want the flag in it", res.Summary)
			}
		})
	}
}

// Whoever files, writes or publishes may address the model.
func TestTools_MarkWhatOthersWrote(t *testing.T) {
	for name, in := range map[string]args{
		"filings": {"symbol": "VTI"}, "filing_section": {"accession": first, "item": "1A"}, "news": {"symbol": "VTI"},
	} {
		res, got := answered(t, keptDeps(t), name, in)
		if !strings.Contains(fmt.Sprint(got["outside"], got["note"]), present.Outside) {
			t.Errorf("%s: outside %v, note %v; want the text marked", name, got["outside"], got["note"])
		}
		if name == "filing_section" && strings.Index(res.ModelText(), `"outside"`) > strings.Index(res.ModelText(), `"text"`) {
			t.Errorf("the mark stands behind the text: %s", res.ModelText())
		}
	}
}

func TestTools_WithoutASourceThereAreNone(t *testing.T) {
	if tools := publication.Tools(publication.Deps{Now: toolboxtest.Clock(t, "2026-11-20T10:30:00Z")}); len(tools) > 0 {
		t.Errorf("%d tools without a source, want none", len(tools))
	}
}
