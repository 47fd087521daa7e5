package edgar_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
)

func symbols(found []market.Instrument) []market.Symbol {
	var out []market.Symbol
	for _, one := range found {
		out = append(out, one.Symbol)
	}
	return out
}

func TestSearch_BestFirst(t *testing.T) {
	s := source(t, newScript(t))
	for text, want := range map[string][]market.Symbol{
		"EXM":                    {"EXM"},
		"brk b":                  {"BRK.B"},
		"BRK-A":                  {"BRK.A"},
		"brk":                    {"BRK.B", "BRK.A"},
		"ex":                     {"EXM", "EXL", "LMBR"}, // tickers with the prefix, then names with it
		"example":                {"EXM", "LMBR"},
		"example corp":           {"EXM"},
		"lumber":                 {"EXL", "LMBR"},
		"hathaway":               {"BRK.B", "BRK.A"},
		"1067983":                {"BRK.B", "BRK.A"},
		"CIK0000001234":          {"EXM"},
		"nothing of the kind":    nil,
		"":                       nil,
		"&":                      nil,
		strings.Repeat("x", 999): nil,
	} {
		got, err := s.Search(t.Context(), text, 0)
		if err != nil {
			t.Errorf("Search(%.40q) = %v", text, err)
		}
		if diff := cmp.Diff(want, symbols(got)); diff != "" {
			t.Errorf("Search(%.40q) (-want +got):\n%s", text, diff)
		}
	}
	if got, err := s.Search(t.Context(), "brk", 1); err != nil || len(got) != 1 {
		t.Errorf("Search(brk, 1) = %v, %v", got, err)
	}
}

func TestInstruments_AreTheRegisterInItsOrder(t *testing.T) {
	got, err := source(t, newScript(t)).Instruments(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]market.Symbol{"EXM", "BRK.B", "EXL", "BRK.A", "LMBR"}, symbols(got)); diff != "" {
		t.Errorf("Instruments (-want +got):\n%s", diff)
	}
	want := market.Instrument{Symbol: "BRK.B", Name: "BERKSHIRE HATHAWAY INC", Kind: "equity", Class: market.ClassCommon, ShareClass: "B", Listing: market.Listing{CIK: "0001067983", TradingCurrency: "USD"}}
	if diff := cmp.Diff(want, got[1]); diff != "" {
		t.Errorf("instrument (-want +got):\n%s", diff)
	}
}

func TestProfile_IsWhatTheRegisterSays(t *testing.T) {
	got, err := source(t, newScript(t)).Profile(t.Context(), "EXM")
	if err != nil {
		t.Fatal(err)
	}
	want := market.Profile{
		Instrument: market.Instrument{Symbol: "EXM", Name: "Example Corp", Kind: "equity", Class: market.ClassCommon, Listing: market.Listing{CIK: "0000001234", TradingCurrency: "USD", Exchange: "NYSE", MIC: "XNYS"}},
		Industry:   "Electronic Computers", SIC: "3571", Country: "United States", State: "DE", Website: "https://example.com",
		FiscalYearEnd: "12-31", FormerNames: []string{"Sample Inc"}, Tickers: []market.Symbol{"EXM", "EXM-PA"},
		Provenance: market.Provenance{
			Source: "sec-edgar", Endpoint: "submissions", License: "US government work, public domain",
			AsOf: now(), FetchedAt: now(), Adjustment: market.AdjustmentUnknown,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Profile (-want +got):\n%s", diff)
	}
	if _, err := source(t, newScript(t)).Profile(t.Context(), "NOSUCH"); !errors.Is(err, market.ErrUnknownSymbol) {
		t.Errorf("Profile(NOSUCH) = %v, want ErrUnknownSymbol", err)
	}
}

func TestRecorded_RegisterOfTickers(t *testing.T) {
	s := source(t, newScript(t).Respond(tickersPath, markettest.Response{Body: recording(t, "company_tickers.json.gz")}))
	all, err := s.Instruments(t.Context())
	if err != nil || len(all) < 9500 {
		t.Fatalf("Instruments = %d, %v; want the recording's 9,610 or nearly", len(all), err)
	}
	for text, want := range map[string]market.Symbol{"AAPL": "AAPL", "nvidia": "NVDA", "BRK.B": "BRK.B", "320193": "AAPL"} {
		got, err := s.Search(t.Context(), text, 3)
		if err != nil || len(got) == 0 || got[0].Symbol != want {
			t.Errorf("Search(%q) = %v, %v, want %s first", text, symbols(got), err, want)
		}
	}
	if spider, err := s.Search(t.Context(), "SPY", 1); err != nil || len(spider) != 1 || spider[0].Kind != "fund" {
		t.Errorf("Search(SPY) = %+v, %v, want a fund", spider, err)
	}
	if google, _ := s.Search(t.Context(), "1652044", 0); !slices.Contains(symbols(google), "GOOG") || !slices.Contains(symbols(google), "GOOGL") {
		t.Errorf("Search(1652044) = %v, want both classes of Alphabet", symbols(google))
	}
}
