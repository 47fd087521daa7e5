package main

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/market"
)

func TestDataState_SaysWhatTheLatestAnswersWere(t *testing.T) {
	live := market.Provenance{Source: "yahoo"}
	for _, tt := range []struct {
		name, mode, asOf string
		steps            [][]market.Provenance // asked after each
		want             string
	}{
		{"nothing was asked yet", "live", "", nil, ""},
		{"live", "live", "", [][]market.Provenance{{live}}, "live data"},
		{"delayed by rule", "live", "", [][]market.Provenance{{live, {DelayMinutes: 15}, live}}, "delayed data"},
		{"delayed", "live", "", [][]market.Provenance{{live.With(market.FlagDelayed)}}, "delayed data"},
		{"kept from before, for the source is silent", "live", "", [][]market.Provenance{{{Cache: market.CacheStale, DelayMinutes: 15}}}, "stale data"},
		{"one of several is a sample", "live", "", [][]market.Provenance{{live, live.With(market.FlagSample), live.With(market.FlagStale)}}, "SAMPLE DATA"},
		{"the latest step counts", "live", "", [][]market.Provenance{{live.With(market.FlagSample)}, {live}}, "live data"},
		{"a step without data changes nothing", "live", "", [][]market.Provenance{{live.With(market.FlagSample)}, {}}, "SAMPLE DATA"},
		{"the sample alone", "sample", "", nil, "SAMPLE DATA"},
		{"the sample alone, of a day", "sample", "2019-05-01", nil, "SAMPLE DATA as of 2019-05-01"},
		{"a day, before anything was asked", "live", "2024-06-30", nil, "as of 2024-06-30"},
		{"a day", "live", "2024-06-30", [][]market.Provenance{{live}}, "data as of 2024-06-30"},
		{"a day of the sample", "live", "2019-05-01", [][]market.Provenance{{live.With(market.FlagSample)}}, "SAMPLE DATA as of 2019-05-01"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cfg := &config.Config{}
			cfg.Data.Mode = tt.mode
			h := &house{cfg: cfg, asOf: tt.asOf}
			got := h.dataState()
			for _, step := range tt.steps {
				for _, p := range step {
					h.data.note(p)
				}
				got = h.dataState()
			}
			if got != tt.want {
				t.Errorf("dataState = %q, want %q", got, tt.want)
			}
		})
	}
}
