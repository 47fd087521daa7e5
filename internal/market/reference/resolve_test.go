package reference_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
)

func TestResolve_OneInstrument(t *testing.T) {
	table := reference.NewSymbolTable()
	for _, row := range []struct {
		name, text string
		want       market.Symbol
	}{
		{"a symbol", "AAPL", "AAPL"},
		{"in lower case", "aapl", "AAPL"},
		{"with a dollar", "$msft", "MSFT"},
		{"a class with a dot", "BRK.B", "BRK.B"},
		{"a class as Yahoo writes it", "BRK-B", "BRK.B"},
		{"a class as the press writes it", "brk/b", "BRK.B"},
		{"a class with a space", "BRK B", "BRK.B"},
		{"an index", "^gspc", "^GSPC"},
		{"an index by its alias", "SPX", "^GSPC"},
		{"an index by its name", "s&p 500", "^GSPC"},
		{"a foreign listing", "vod.l", "VOD.L"},
		{"a ticker that one exchange alone lists", "VGWL", "VGWL.DE"},
		{"a number of Tokyo", "7203", "7203.T"},
		{"exchange and ticker", "LSE:VOD", "VOD.L"},
		{"MIC and ticker", "XNAS:AAPL", "AAPL"},
		{"exchange of the United States", "NASDAQ: msft", "MSFT"},
		{"an ISIN", "US0378331005", "AAPL"},
		{"an ISIN in lower case with spaces", "de 0007164600", "SAP.DE"},
		{"a CIK", "0000320193", "AAPL"},
		{"a CIK as filings write it", "CIK 320193", "AAPL"},
		{"a name without its form", "Apple", "AAPL"},
		{"a name with its form", "apple inc", "AAPL"},
		{"a name with and for &", "Procter and Gamble", "PG"},
		{"a name without its apostrophe", "mcdonalds", "MCD"},
		{"a name without accents", "nestle", "NESN.SW"},
		{"a name with them", "L’Oréal", "OR.PA"},
		{"a name with letters of its own", "orsted", "ORSTED.CO"},
		{"an earlier name", "Facebook", "META"},
		{"a coin", "bitcoin", "BTC-USD"},
		{"a coin by its pair", "ETH/USD", "ETH-USD"},
		{"a coin in another currency", "btc-eur", "BTC-EUR"},
		{"currencies with a slash", "EUR/USD", "EURUSD=X"},
		{"currencies as Yahoo writes them", "eurusd=x", "EURUSD=X"},
		{"currencies in one", "GBPJPY", "GBPJPY=X"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := table.Resolve(row.text)
			if err != nil || got.Symbol != row.want {
				t.Errorf("Resolve(%q) = %s, %v; want %s", row.text, got.Symbol, err, row.want)
			}
		})
	}
}

func TestResolve_TellsWhatTheInstrumentIs(t *testing.T) {
	table := reference.NewSymbolTable()
	for text, want := range map[string]market.Instrument{
		"AAPL": {Symbol: "AAPL", Name: "Apple Inc.", Kind: "equity", Listing: market.Listing{
			MIC: "XNAS", Exchange: "Nasdaq", CIK: "0000320193", ISIN: "US0378331005",
		}, Aliases: []string{"苹果", "蘋果", "苹果公司"}},
		"EIMI.L": {Symbol: "EIMI.L", Name: "iShares Core MSCI Emerging Markets IMI UCITS ETF", Kind: "fund", Listing: market.Listing{
			MIC: "XLON", Exchange: "London Stock Exchange", ISIN: "IE00BKM4GZ66",
		}},
		"EUR/CHF": {Symbol: "EURCHF=X", Name: "EUR/CHF", Kind: "currency"},
		"BTC/EUR": {Symbol: "BTC-EUR", Name: "Bitcoin in EUR", Kind: "crypto"},
	} {
		got, err := table.Resolve(text)
		if err != nil {
			t.Errorf("Resolve(%q) = %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Resolve(%q) (-want +got):\n%s", text, diff)
		}
	}
}

func TestResolve_AmbiguousNamesAreAsked(t *testing.T) {
	table := reference.NewSymbolTable()
	for text, want := range map[string][]market.Symbol{
		"Google":             {"GOOGL", "GOOG"},
		"alphabet":           {"GOOGL", "GOOG"},
		"Berkshire Hathaway": {"BRK.B", "BRK.A"},
		"Toyota":             {"TM", "7203.T"},
		"volkswagen":         {"VOW3.DE", "VOW.DE"},
		"IWDA":               {"IWDA.AS", "IWDA.L"},
		"GB0005405286":       {"HSBA.L", "0005.HK"},
		"Nasdaq":             {"^IXIC", "NDAQ"},
		// The letters of a symbol that also mean an instrument of another kind.
		"BTC":  {"BTC", "BTC-USD"},
		"LINK": {"LINK", "LINK-USD"},
		"dow":  {"DOW", "^DJI"},
	} {
		got, err := table.Resolve(text)
		if !errors.Is(err, market.ErrAmbiguous) {
			t.Errorf("Resolve(%q) = %s, %v; want ErrAmbiguous", text, got.Symbol, err)
			continue
		}
		ambiguous, ok := errors.AsType[*market.AmbiguousError](err)
		if !ok {
			t.Errorf("Resolve(%q) = %T, want an *AmbiguousError", text, err)
			continue
		}
		if diff := cmp.Diff(want, symbols(ambiguous.Candidates)); diff != "" {
			t.Errorf("candidates of %q (-want +got):\n%s", text, diff)
		}
	}
}

func TestResolve_TheErrorNamesTheCandidates(t *testing.T) {
	_, err := reference.NewSymbolTable().Resolve("google")
	want := `ambiguous name: "google" may be GOOGL (Alphabet Inc. (class A)) or GOOG (Alphabet Inc. (class C))`
	if err == nil || err.Error() != want {
		t.Errorf("Resolve(google) = %v\nwant %s", err, want)
	}
}

func TestResolve_UnknownOnesOfferNearMisses(t *testing.T) {
	table := reference.NewSymbolTable()
	for _, row := range []struct {
		name, text string
		offered    market.Symbol // empty: no suggestion
	}{
		{"two letters swapped", "MFST", "MSFT"},
		{"a letter too many", "NVDIA", "NVDA"},
		{"a class left out", "BRK", "BRK.B"},
		{"a mistake in a name", "Microsft", "MSFT"},
		{"part of a name", "Palo Alto", "PANW"},
		{"part of a name of several", "Deutsche", "DB1.DE"},
		{"a name that nobody has", "Quuxonium Widgets", ""},
		{"an ISIN that is not in the table", "US5949181053", ""},
		{"a wrong exchange", "XNYS:AAPL", ""},
		{"nothing", "", ""},
		{"a sign", "^", ""},
		{"far too long", strings.Repeat("apple ", 100), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			got, err := table.Resolve(row.text)
			if !errors.Is(err, market.ErrUnknownSymbol) {
				t.Fatalf("Resolve(%q) = %s, %v; want ErrUnknownSymbol", row.text, got.Symbol, err)
			}
			unknown, ok := errors.AsType[*market.UnknownSymbolError](err)
			if !ok {
				t.Fatalf("Resolve(%q) = %T, want an *UnknownError", row.text, err)
			}
			near := symbols(unknown.Near)
			if row.offered == "" && len(near) > 0 || row.offered != "" && !slices.Contains(near, row.offered) {
				t.Errorf("Resolve(%q) offers %v, want %q", row.text, near, row.offered)
			}
			if row.offered != "" && !strings.Contains(err.Error(), string(row.offered)) {
				t.Errorf("Resolve(%q) = %q does not name %s", row.text, err, row.offered)
			}
		})
	}
}

func symbols(list []market.Instrument) []market.Symbol {
	var out []market.Symbol
	for _, i := range list {
		out = append(out, i.Symbol)
	}
	return out
}

func TestResolve_EveryRowAnswersToItsOwnSymbol(t *testing.T) {
	table := reference.NewSymbolTable()
	for _, i := range allInstruments(t) {
		got, err := table.Resolve(string(i.Symbol))
		ambiguous, isAmbiguous := errors.AsType[*market.AmbiguousError](err)
		switch {
		case err == nil && got.Symbol == i.Symbol:
		case isAmbiguous && ambiguous.Candidates[0].Symbol == i.Symbol:
		default:
			t.Errorf("Resolve(%s) = %s, %v", i.Symbol, got.Symbol, err)
		}
	}
}

func FuzzResolve(f *testing.F) {
	for _, seed := range []string{"AAPL", "brk/b", "Nestlé", "EUR/USD", "LSE:VOD", "US0378331005", "CIK1", "\x1b[31m", "가나다라마바사", "a:b:c", "^", "ﬀ"} {
		f.Add(seed)
	}
	table := reference.NewSymbolTable()
	f.Fuzz(func(t *testing.T, text string) {
		got, err := table.Resolve(text)
		switch {
		case err == nil && got.Symbol == "":
			t.Fatalf("Resolve(%q) = nothing and no error", text)
		case err != nil && !errors.Is(err, market.ErrAmbiguous) && !errors.Is(err, market.ErrUnknownSymbol):
			t.Fatalf("Resolve(%q) = %v, which means nothing", text, err)
		case err != nil && (len(err.Error()) > 1000 || strings.ContainsFunc(err.Error(), unicode.IsControl)):
			t.Fatalf("Resolve(%q) = %q: too long, or with control characters", text, err)
		}
		if found, err := table.Search(t.Context(), text, 5); err != nil || len(found) > 5 {
			t.Fatalf("Search(%q) = %d, %v", text, len(found), err)
		}
	})
}

// A program's first search parses the table. BenchmarkFirstSearch measures its time, which depends on how
// much it allocates.
func TestTable_FirstSearchAllocatesLittle(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := reference.NewSymbolTable().Search(t.Context(), "apple", 5); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if bytes, count := after.TotalAlloc-before.TotalAlloc, after.Mallocs-before.Mallocs; bytes > 4<<20 || count > 40_000 {
		t.Errorf("the first search allocates %d bytes %d times", bytes, count)
	}
}

func BenchmarkFirstSearch(b *testing.B) {
	for b.Loop() {
		if _, err := reference.NewSymbolTable().Search(b.Context(), "apple", 5); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResolveNearMiss(b *testing.B) {
	table := reference.NewSymbolTable()
	for b.Loop() {
		if _, err := table.Resolve("Microsft Corporatoin"); err == nil {
			b.Fatal("a misspelled name was resolved")
		}
	}
}
