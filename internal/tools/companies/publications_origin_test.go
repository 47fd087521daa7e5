package companies_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// cachedDeps returns sources that fell back to their disk cache after another source had failed.
func cachedDeps(t *testing.T) companies.PublicationDeps {
	t.Helper()
	kept := func(p *market.Provenance) {
		p.Cache, p.Tried = market.CacheStale, []market.Attempt{{Source: "edgar", Reason: "rate limited"}}
	}
	section := markettest.Section("VTI", filingFirst, "10-K", toolstest.MustDay("2022-12-31"), market.FilingItem{Part: "I", Item: "1A"}, "risks")
	news := article(t, "2026-11-19T08:00:00Z", "fund grows")
	news.Provenance.FetchedAt = news.Published
	kept(&section.Filing.Provenance)
	kept(&news.Provenance)
	d := newNewsDeps(t, news)
	d.Filings = markettest.NewFilingSource(section)
	return d
}

func TestPublicationTools_SayWhereTheirTextsAreFrom(t *testing.T) {
	for _, tc := range []struct {
		name, asOf string
		in         args
	}{
		{"filings", "2023-01-31", args{"symbol": "VTI"}},
		{"filing_section", "2023-01-31", args{"accession": filingFirst, "item": "1A"}},
		{"news", "2026-11-19T08:00:00Z", args{"symbol": "VTI"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, got := publications.CallOK(t, cachedDeps(t), tc.name, tc.in)
			toolstest.WantFields(t, got, map[string]any{
				"as_of": tc.asOf, "cache": "stale", "flags": []any{}, "tried": []any{map[string]any{"source": "edgar", "reason": "rate limited"}},
			})
			if got["source"] == nil || got["fetched_at"] == nil || got["adjustment"] != nil {
				t.Errorf("source %v, fetched %v, adjustment %v; want both and nothing of an adjustment", got["source"], got["fetched_at"], got["adjustment"])
			}
			for _, part := range []string{" · " + tc.asOf[:10], " · stale\n", "SEC EDGAR (rate limited)"} {
				if !strings.Contains(res.UserText(), part) {
					t.Errorf("people read %q, want %q in it", res.UserText(), part)
				}
			}
			if !strings.HasSuffix(res.Summary, "STALE") {
				t.Errorf("summary = %q, want the flag in it", res.Summary)
			}
		})
	}
}

// Authors of filings, news and series may address the model.
func TestPublicationTools_MarkWhatOthersWrote(t *testing.T) {
	for name, in := range map[string]args{
		"filings": {"symbol": "VTI"}, "filing_section": {"accession": filingFirst, "item": "1A"}, "news": {"symbol": "VTI"},
	} {
		res, got := publications.CallOK(t, cachedDeps(t), name, in)
		if !strings.Contains(fmt.Sprint(got["outside"], got["note"]), toolkit.OutsideTextNote) {
			t.Errorf("%s: outside %v, note %v; want the text marked", name, got["outside"], got["note"])
		}
		if name == "filing_section" && strings.Index(res.ModelText(), `"outside"`) > strings.Index(res.ModelText(), `"text"`) {
			t.Errorf("the note comes after the text: %s", res.ModelText())
		}
	}
}

func TestPublicationTools_WithoutASourceThereAreNone(t *testing.T) {
	if tools := companies.PublicationTools(companies.PublicationDeps{Now: toolstest.Clock(t, toolstest.Now)}); len(tools) > 0 {
		t.Errorf("%d tools without a source, want none", len(tools))
	}
}
