package prices_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestQuote_ReturnsPriceChangeAndSource(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "quote", args{"symbol": "^GSPC"})
	want := map[string]any{
		"symbol": "^GSPC", "name": "S&P 500", "kind": "index", "price": "2874.56", "unit": "index points",
		"as_of": "2020-04-17", "change": "75.01", "change_pct": "2.6793591827257952", "previous_as_of": "2020-04-16",
		"interval": "daily", "adjustment": "raw", "flags": []any{"sample"},
	}
	line := got["quotes"].([]any)[0].(map[string]any)
	toolstest.WantFields(t, line, want)
	if line["source"] == "" || len(got["errors"].([]any)) != 0 {
		t.Errorf("quote = %v, want a source and no errors", got)
	}
}

func TestQuote_HeadlineDatesEachPriceAndChange(t *testing.T) {
	for _, tt := range []struct {
		symbols []string
		want    string
	}{
		{[]string{"AAPL"}, "AAPL 137.44 USD (-7.5% since 2022-05-31) as of 2022-06-28."},
		{[]string{"AAPL", "IBM"}, " as of 2022-06-28."},
		{[]string{"AAPL", "^GSPC"}, "-7.5% since 2022-05-31, 2022-06-28), ^GSPC 2,874.56 index points (+2.68%, 2020-04-17)."},
	} {
		res, _ := group.CallOK(t, deps(t), "quote", args{"symbols": tt.symbols})
		if !strings.HasSuffix(res.Headline, tt.want) {
			t.Errorf("headline of %v = %q, want it to end in %q", tt.symbols, res.Headline, tt.want)
		}
	}
}

func TestQuote_ChangeOfMonthlyPricesIsOverAMonth(t *testing.T) {
	_, got := group.CallOK(t, deps(t), "quote", args{"symbol": "AAPL"})
	toolstest.WantFields(t, got["quotes"].([]any)[0].(map[string]any),
		map[string]any{"interval": "monthly", "as_of": "2022-06-28", "previous_as_of": "2022-05-31", "currency": "USD"})
}

// undatedQuotes returns the previous close without its date.
type undatedQuotes struct{ market.QuoteSource }

func (u undatedQuotes) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	q, err := u.QuoteSource.Quote(ctx, sym)
	q.PreviousAsOf = time.Time{}
	return q, err
}

func TestQuote_ACloseBeforeWithoutItsDayIsThatOfTheLastSession(t *testing.T) {
	d := deps(t)
	d.Quotes = undatedQuotes{d.Quotes}
	_, got := group.CallOK(t, d, "quote", args{"symbol": "^GSPC"})
	toolstest.WantFields(t, got["quotes"].([]any)[0].(map[string]any), map[string]any{"interval": "daily", "change": "75.01"})
}

func TestQuote_TakesSymbolsHoweverTheyAreWritten(t *testing.T) {
	tests := []struct {
		name string
		in   args
		want []string
	}{
		{"in order, once each", args{"symbols": []string{"msft", "AAPL", "Msft", " aapl "}}, []string{"MSFT", "AAPL"}},
		{"one text with commas", args{"symbol": "aapl, ibm"}, []string{"AAPL", "IBM"}},
		{"both arguments", args{"symbols": []string{"IBM"}, "symbol": "AAPL"}, []string{"IBM", "AAPL"}},
		{"a dollar sign", args{"symbol": "$AAPL"}, []string{"AAPL"}},
		{"names and aliases", args{"symbols": []string{"S&P 500", "gspc", "Apple"}}, []string{"^GSPC", "AAPL"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got := group.CallOK(t, deps(t), "quote", tt.in)
			if diff := cmp.Diff(tt.want, toolstest.Rows(t, got, "quotes", "symbol")); diff != "" {
				t.Errorf("symbols (-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuote_OneUnknownSymbolDoesNotSpoilTheOthers(t *testing.T) {
	res, got := group.CallOK(t, deps(t), "quote", args{"symbols": []string{"APPL", "IBM"}})
	if diff := cmp.Diff([]string{"IBM"}, toolstest.Rows(t, got, "quotes", "symbol")); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
	failure := got["errors"].([]any)[0].(map[string]any)
	if failure["symbol"] != "APPL" || !strings.Contains(failure["error"].(string), "Did you mean AAPL (Apple Inc.)?") {
		t.Errorf("errors = %v, want AAPL offered for APPL", got["errors"])
	}
	if !strings.Contains(res.Summary, "1 unavailable") || !strings.Contains(res.UserText(), "APPL") {
		t.Errorf("shown %q and %q, want the unknown symbol in both", res.Summary, res.UserText())
	}
}

func TestQuote_UnknownSymbolIsNoDataAndOffersWhatThereIs(t *testing.T) {
	tests := []struct{ name, symbol, want string }{
		{"far from all", "ZZZZ", "Available: ^GSPC"},
		{"two letters swapped", "AMNZ", "Did you mean AMZN"},
		{"part of a name", "business", "Did you mean IBM (International Business Machines"},
		{"no symbol at all", "???", `no symbol "???"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			toolstest.WantError(t, group.Call(t, deps(t), "quote", args{"symbol": tt.symbol}), market.CodeUnknownSymbol, tt.want)
		})
	}
}

func TestQuote_NeedsASymbol(t *testing.T) {
	toolstest.WantError(t, group.Call(t, deps(t), "quote", args{"symbols": []string{" "}}), tool.CodeValidation, "symbols is required")
	many := make([]string, 51)
	for i := range many {
		many[i] = fmt.Sprintf("X%d", i)
	}
	toolstest.WantError(t, group.Call(t, deps(t), "quote", args{"symbols": many}), tool.CodeValidation, "use at most 50")
}

// C20: scripts read why a symbol failed from its code.
func TestQuote_SourceThatFailsForOneSymbolSaysSo(t *testing.T) {
	d := depsOf(t,
		markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100", "101"),
		markettest.Daily("BND", toolstest.MustDay("2020-01-02"), "80", "81"))
	d.Quotes = failingQuotes{d.Quotes, map[market.Symbol]error{"BND": fmt.Errorf("status 429: %w", market.ErrRateLimited)}}
	_, got := group.CallOK(t, d, "quote", args{"symbols": []string{"BND", "VTI"}})
	if diff := cmp.Diff([]any{map[string]any{"symbol": "BND", "error": "status 429: rate limited", "code": "rate_limited"}}, got["errors"]); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestQuote_FirstPriceOfASeriesHasNoChange(t *testing.T) {
	res, got := group.CallOK(t, depsOf(t, markettest.Daily("VTI", toolstest.MustDay("2020-01-02"), "100")), "quote", args{"symbol": "VTI"})
	line := got["quotes"].([]any)[0].(map[string]any)
	if line["change"] != nil || line["change_pct"] != nil || len(res.Figures) != 1 {
		t.Errorf("quote = %v with %d figures, want only a price", line, len(res.Figures))
	}
}

func TestQuote_FiguresOfAChangeNameTheirInputs(t *testing.T) {
	res, _ := group.CallOK(t, deps(t), "quote", args{"symbol": "^GSPC"})
	f := toolstest.Figure(t, res, "quotes.0.change_pct")
	if !f.Value.Equal(decimal.RequireFromString("2.6793591827257952")) || f.Unit != "%" || f.Formula == "" {
		t.Errorf("figure = %+v", f)
	}
	want := []string{"price 2874.56 on 2020-04-17", "previous 2799.55 on 2020-04-16"}
	if diff := cmp.Diff(want, f.Inputs); diff != "" {
		t.Errorf("inputs (-want +got):\n%s", diff)
	}
	if previous := toolstest.Figure(t, res, "quotes.0.previous"); !previous.AsOf.Equal(toolstest.MustDay("2020-04-16")) {
		t.Errorf("previous price as of %s, want 2020-04-16", previous.AsOf)
	}
}

// rendezvous answers only when two quotes are requested at the same time.
type rendezvous struct {
	market.QuoteSource
	arrived chan struct{}
}

func (r rendezvous) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	select {
	case r.arrived <- struct{}{}:
	case <-r.arrived:
	case <-time.After(time.Minute):
		return market.Quote{}, errors.New("nobody else was asked")
	}
	return r.QuoteSource.Quote(ctx, sym)
}

func TestQuote_SymbolsAreAskedForAtOnce(t *testing.T) {
	d := deps(t)
	d.Quotes = rendezvous{d.Quotes, make(chan struct{})}
	_, got := group.CallOK(t, d, "quote", args{"symbols": []string{"IBM", "AAPL"}})
	if diff := cmp.Diff([]string{"IBM", "AAPL"}, toolstest.Rows(t, got, "quotes", "symbol")); diff != "" {
		t.Errorf("symbols (-want +got):\n%s", diff)
	}
}

func TestQuote_CancelledCallEndsAsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	d := deps(t)
	d.Quotes = cancellingQuotes{d.Quotes, cancel}
	out, err := group.Open(t, d).Call(ctx, llm.ToolCall{Name: "quote", Arguments: `{"symbol": "AAPL"}`})
	if !errors.Is(err, context.Canceled) || out.Result.Code != tool.CodeCancelled {
		t.Errorf("cancelled quote = code %q, %v", out.Result.Code, err)
	}
}

// cancellingQuotes cancels the call during a request, like a user who presses Esc.
type cancellingQuotes struct {
	market.QuoteSource
	cancel context.CancelFunc
}

func (c cancellingQuotes) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	c.cancel()
	return c.QuoteSource.Quote(ctx, sym)
}

// failingQuotes fails for some symbols with an error of the source.
type failingQuotes struct {
	market.QuoteSource
	with map[market.Symbol]error
}

func (f failingQuotes) Quote(ctx context.Context, sym market.Symbol) (market.Quote, error) {
	if err := f.with[sym]; err != nil {
		return market.Quote{}, err
	}
	return f.QuoteSource.Quote(ctx, sym)
}
