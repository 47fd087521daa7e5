package market_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// fakeSource is one source of a Fallback. It fails, or returns data with its own name.
type fakeSource struct {
	name    string
	err     error
	state   market.CacheState
	asOf    time.Time
	symbols []market.Symbol // symbols that a batch returns; nil means no batches
	flags   []market.Flag
	calls   *[]string
	// currency is USD by default.
	currency string
}

func (f fakeSource) currencyCode() string {
	if f.currency == "" {
		return "USD"
	}
	return f.currency
}

func (f fakeSource) provenance() market.Provenance {
	return market.Provenance{Source: f.name, Currency: f.currencyCode(), Cache: f.state, AsOf: f.asOf, Flags: f.flags}
}

func (f fakeSource) Quote(_ context.Context, sym market.Symbol) (market.Quote, error) {
	if f.calls != nil {
		*f.calls = append(*f.calls, f.name+" "+string(sym))
	}
	return market.Quote{Instrument: market.Instrument{Symbol: sym}, Price: decimal.NewFromInt(1), Provenance: f.provenance()}, f.err
}

func (f fakeSource) Bars(_ context.Context, sym market.Symbol, _ market.Range) (market.Series, error) {
	s := seriesOf(2, 3)
	s.Symbol, s.Provenance = sym, f.provenance()
	return s, f.err
}

func (f fakeSource) News(context.Context, market.NewsQuery) ([]market.Article, error) {
	if f.err != nil || f.name == "empty" {
		return nil, f.err
	}
	return []market.Article{{Provenance: f.provenance()}}, nil
}

// batches is a source that returns many quotes at once.
type batches struct{ fakeSource }

func (b batches) Quotes(_ context.Context, symbols []market.Symbol) (map[market.Symbol]market.Quote, error) {
	*b.calls = append(*b.calls, fmt.Sprint(b.name, " ", symbols))
	found := map[market.Symbol]market.Quote{}
	for _, sym := range symbols {
		if slices.Contains(b.symbols, sym) {
			found[sym], _ = b.Quote(context.Background(), sym)
			*b.calls = (*b.calls)[:len(*b.calls)-1]
		}
	}
	return found, b.err
}

func failingSource(name string, err error) fakeSource {
	return fakeSource{name: name, err: &market.SourceError{Source: name, Op: "quote of VTI", Err: err}}
}

func chain(feeds ...market.QuoteSource) *market.Fallback {
	return market.NewFallback(market.Sources{Quotes: feeds})
}

func sentinels() []error {
	return []error{
		market.ErrUnknownSymbol, market.ErrRateLimited, market.ErrUnavailable, market.ErrNotConfigured,
		market.ErrNoData, market.ErrAuth, market.ErrMalformed, market.ErrAmbiguous, market.ErrNotCovered,
	}
}

func TestFallback_AfterEachTypedErrorTheNextSourceIsTried(t *testing.T) {
	for _, err := range append(sentinels(), errors.New("of no sentinel")) {
		t.Run(err.Error(), func(t *testing.T) {
			f := market.NewFallback(market.Sources{
				Quotes: []market.QuoteSource{failingSource("yahoo", err), fakeSource{name: "cboe"}, failingSource("nasdaq", err)},
				Bars:   []market.BarSource{failingSource("yahoo", err), fakeSource{name: "cboe"}},
				News:   []market.NewsSource{failingSource("yahoo", err), fakeSource{name: "cboe"}},
			})
			want := []market.Attempt{{Source: "yahoo", Reason: err.Error()}}
			if errors.Is(err, market.ErrNotConfigured) || errors.Is(err, market.ErrNotCovered) {
				want = nil // it was not asked, or not for this symbol
			}
			q, quoteErr := f.Quote(t.Context(), "VTI")
			s, barsErr := f.Bars(t.Context(), "VTI", market.Range{})
			n, newsErr := f.News(t.Context(), market.NewsQuery{})
			if err := errors.Join(quoteErr, barsErr, newsErr); err != nil || len(n) != 1 {
				t.Fatalf("answers = %v, %d articles", err, len(n))
			}
			for call, p := range map[string]market.Provenance{"Quote": q.Provenance, "Bars": s.Provenance, "News": n[0].Provenance} {
				if p.Source != "cboe" || cmp.Diff(want, p.Tried) != "" {
					t.Errorf("%s is of %s after %v, want cboe after %v", call, p.Source, p.Tried, want)
				}
			}
		})
	}
}

func TestFallback_BarsAreOfOneSourceWhole(t *testing.T) {
	f := market.NewFallback(market.Sources{Bars: []market.BarSource{failingSource("yahoo", market.ErrUnavailable), fakeSource{name: "nasdaq"}}})
	got, err := f.Bars(t.Context(), "VTI", market.Range{})
	if err != nil || got.Provenance.Source != "nasdaq" || cmp.Diff(seriesOf(2, 3).Bars, got.Bars) != "" {
		t.Errorf("Bars = %d of %s, %v, want those of nasdaq alone", len(got.Bars), got.Provenance.Source, err)
	}
}

func TestExhausted_MeansTheMostHopefulAttempt(t *testing.T) {
	plain := errors.New("of no sentinel")
	tests := []struct {
		name string
		errs []error
		want error
	}{
		{"nobody knows it", []error{market.ErrUnknownSymbol, market.ErrUnknownSymbol}, market.ErrUnknownSymbol},
		{"one was down", []error{market.ErrUnknownSymbol, market.ErrUnavailable}, market.ErrUnavailable},
		{"one was down, with another message", []error{plain, market.ErrUnknownSymbol}, market.ErrUnavailable},
		{"one is limited", []error{market.ErrUnavailable, market.ErrRateLimited, market.ErrUnknownSymbol}, market.ErrRateLimited},
		{"one gave nonsense", []error{market.ErrUnknownSymbol, market.ErrMalformed}, market.ErrMalformed},
		{"one refused", []error{market.ErrAuth, market.ErrUnknownSymbol}, market.ErrAuth},
		{"one has no data", []error{market.ErrUnknownSymbol, market.ErrNoData}, market.ErrNoData},
		{"one knows several", []error{market.ErrAmbiguous, market.ErrUnknownSymbol}, market.ErrAmbiguous},
		{"one is not set up", []error{market.ErrNotConfigured, market.ErrUnknownSymbol}, market.ErrUnknownSymbol},
		{"none is set up", []error{market.ErrNotConfigured, market.ErrNotConfigured}, market.ErrNotConfigured},
		{"there is none", nil, market.ErrNotConfigured},
		{"nobody deals in it", []error{market.ErrNotCovered, market.ErrNotCovered}, market.ErrUnknownSymbol},
		{"who deals in it is not set up", []error{market.ErrNotCovered, market.ErrNotConfigured}, market.ErrNotConfigured},
		{"only one", []error{market.ErrNoData}, market.ErrNoData},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var feeds []market.QuoteSource
			for i, err := range test.errs {
				feeds = append(feeds, failingSource(fmt.Sprint("source", i), err))
			}
			_, err := chain(feeds...).Quote(t.Context(), "VTI")
			for _, sentinel := range sentinels() {
				if errors.Is(err, sentinel) != (sentinel == test.want) {
					t.Errorf("Quote = %v: is %q = %v, want %q alone", err, sentinel, errors.Is(err, sentinel), test.want)
				}
			}
			exhausted, ok := errors.AsType[*market.ExhaustedError](err)
			covering := slices.DeleteFunc(slices.Clone(test.errs), func(err error) bool { return errors.Is(err, market.ErrNotCovered) })
			if !ok || test.errs == nil && len(exhausted.Tried) != 1 || len(exhausted.Tried)+len(exhausted.Unset) != max(len(covering), min(1, 1-len(test.errs))) {
				t.Errorf("Quote = %#v, want all attempts", err)
			}
		})
	}
}

func TestExhausted_SaysInOneLineWhyThereIsNoAnswer(t *testing.T) {
	limited := &market.SourceError{
		Source: "yahoo", Op: "quote of VTI", Err: market.ErrRateLimited, Status: 429, RetryAt: time.Date(2026, 11, 20, 21, 4, 5, 0, time.UTC),
	}
	unreachable := func(source string) error {
		return &market.SourceError{Source: source, Op: "quote of VTI", Err: market.ErrUnavailable, Detail: "no address found for it", Unreachable: true}
	}
	unset := &market.SourceError{Source: "tiingo", Err: market.ErrNotConfigured, NeedsKey: true}
	contact := &market.SourceError{Source: "sec-edgar", Err: market.ErrNotConfigured, Detail: "filings need a contact email for the SEC: /setup"}
	silent := &market.SourceError{Source: "sec-edgar", Err: market.ErrUnavailable, Waited: 10 * time.Second}
	sample := &market.SourceError{Source: "sample", Err: market.ErrNotCovered, Offline: "^GSPC and 8 companies"}
	ambiguous := &market.SourceError{Source: "yahoo", Err: market.ErrAmbiguous, Detail: "VTI or VTI.L"}
	fail := func(source string, err error) error { return failingSource(source, err).err }
	for _, test := range []struct {
		name string
		errs []error
		want string
	}{
		{"one source", []error{limited}, "Yahoo Finance limits requests until 21:04 UTC. Another source: /setup"},
		{"one source with a limit among others", []error{limited, fail("nasdaq", market.ErrNoData), fail("cboe", market.ErrUnknownSymbol)},
			"Yahoo Finance limits requests until 21:04 UTC. Another source: /setup"},
		{"two sources are down", []error{fail("yahoo", market.ErrUnavailable), fail("cboe", errors.New("of no sentinel"))},
			"Yahoo Finance and Cboe are unavailable (details: nfa doctor --live)"},
		{"no network", []error{unreachable("yahoo"), unreachable("cboe"), unset}, "cannot reach the internet (details: nfa doctor --live)"},
		{"no network, with sample data", []error{unreachable("yahoo"), unreachable("cboe"), sample},
			"cannot reach the internet. Offline data covers ^GSPC and 8 companies (/symbols)"},
		{"no network for one", []error{unreachable("yahoo"), fail("cboe", market.ErrUnknownSymbol)}, "cannot reach Yahoo Finance; check the internet connection"},
		{"some are down", []error{unreachable("yahoo"), fail("cboe", market.ErrUnavailable)}, "Yahoo Finance and Cboe are unavailable (details: nfa doctor --live)"},
		{"unknown", []error{fail("yahoo", market.ErrUnknownSymbol), fail("cboe", market.ErrUnknownSymbol)}, "none of the 2 sources lists it"},
		{"unknown to one", []error{fail("yahoo", market.ErrUnknownSymbol), fail("cboe", market.ErrUnknownSymbol), unset},
			"none of the 2 sources lists it. A Tiingo key adds more: /setup"},
		{"several instruments", []error{ambiguous, fail("cboe", market.ErrUnknownSymbol)}, "ambiguous name: VTI or VTI.L"},
		{"no response", []error{silent}, "SEC EDGAR did not answer within 10 s"},
		{"no contact, another lists nothing", []error{contact, fail("yahoo", market.ErrUnknownSymbol)},
			"Yahoo Finance does not list it. Filings need a contact email for the SEC: /setup"},
		{"not set up", []error{unset}, "it needs a key for Tiingo: /setup"},
		{"none", nil, "source not configured"},
		{"not covered", []error{market.ErrNotCovered}, "no source lists it"},
		{"an error without a source", []error{errors.New("disk full")}, "disk full"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var sources []market.QuoteSource
			for _, err := range test.errs {
				sources = append(sources, fakeSource{err: err})
			}
			_, err := chain(sources...).Quote(t.Context(), "VTI")
			if want := "no price for VTI: " + test.want; err == nil || err.Error() != want {
				t.Errorf("Quote = %v\nwant    %s", err, want)
			}
			if offline := strings.HasPrefix(test.want, "cannot reach "); offline != (market.ErrorCode(err) == market.CodeOffline) {
				t.Errorf("the code of %v is %q", err, market.ErrorCode(err))
			}
		})
	}
}

// cancels is a source during whose response the user cancels.
type cancels struct{ cancel context.CancelFunc }

func (c cancels) Quote(ctx context.Context, _ market.Symbol) (market.Quote, error) {
	c.cancel()
	return market.Quote{}, ctx.Err()
}

func TestFallback_ACancelledCallEndsAtOnce(t *testing.T) {
	var calls []string
	ctx, cancel := context.WithCancel(t.Context())
	f := chain(cancels{cancel}, fakeSource{name: "cboe", calls: &calls})
	for _, when := range []string{"while it is asked", "before it is asked"} {
		_, err := f.Quote(ctx, "VTI")
		if _, exhausted := errors.AsType[*market.ExhaustedError](err); !errors.Is(err, context.Canceled) || exhausted {
			t.Errorf("%s: Quote = %v, want context.Canceled", when, err)
		}
	}
	if _, err := f.Quotes(ctx, []market.Symbol{"VTI"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Quotes = %v, want context.Canceled", err)
	}
	if len(calls) > 0 {
		t.Errorf("asked %v after the end", calls)
	}
}

// If no source could be tried, sample data is all there is. The answer lists the sources that need setup,
// because they are better than sample data.
func TestFallback_TheSampleSaysWhoWasNotSetUp(t *testing.T) {
	sampled := fakeSource{name: "sample", flags: []market.Flag{market.FlagSample}}
	got, err := chain(failingSource("sec-edgar", market.ErrNotConfigured), sampled).Quote(t.Context(), "VTI")
	if err != nil || len(got.Provenance.Tried) != 1 || got.Provenance.Tried[0].Source != "sec-edgar" {
		t.Errorf("tried = %v, %v; want the source that is not set up", got.Provenance.Tried, err)
	}
	got, err = chain(failingSource("tiingo", market.ErrNotConfigured), failingSource("yahoo", market.ErrUnavailable), sampled).Quote(t.Context(), "VTI")
	if err != nil || len(got.Provenance.Tried) != 1 || got.Provenance.Tried[0].Source != "yahoo" {
		t.Errorf("tried = %v, %v; want the source that was asked alone", got.Provenance.Tried, err)
	}
}
