package tools_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

// replayCompany returns all its data of VTI, newest first, whatever day is requested.
type replayCompany struct {
	statements []market.Statement
	trades     []market.InsiderTrade
	profile    market.Profile
}

// newReplayCompany returns a source with a year filed before the clock, and if later is set with one
// filed after it.
func newReplayCompany(t testing.TB, later bool) replayCompany {
	t.Helper()
	var c replayCompany
	c.add(t, "2023-12-31", "2024-01-31", "1000", "insider of before", "business of before")
	if later {
		c.add(t, laterYear+"-01-31", laterYear+"-03-03", canary, canaryWord, canaryWord)
	}
	return c
}

func (c *replayCompany) add(t testing.TB, end, filed, value, owner, business string) {
	t.Helper()
	day := toolstest.MustDay(filed)
	amount := decimal.RequireFromString(value)
	about := market.Instrument{Symbol: "VTI", Name: "VTI of the test", Kind: "equity"}
	from := market.Provenance{Source: "markettest", AsOf: toolstest.MustDay(end), FetchedAt: day, Currency: "USD", Adjustment: market.AdjustmentUnknown}
	items := map[string]market.Item{}
	for _, name := range []string{market.ItemRevenue, market.ItemNetIncome, market.ItemTotalAssets, market.ItemEquity, market.ItemOperatingCashFlow} {
		items[name] = market.Item{Value: amount, Unit: "USD", Form: "10-K", Filed: day}
	}
	items[market.ItemSharesOutstanding] = market.Item{Value: amount, Unit: "shares", Form: "10-K", Filed: day}
	c.statements = append([]market.Statement{{
		Instrument: about, Span: market.SpanAnnual, FiscalYear: toolstest.MustDay(end).Year(), FiscalPeriod: "FY", PeriodEnd: toolstest.MustDay(end),
		Form: "10-K", Filed: day, Template: market.TemplateGeneral, Items: items, Provenance: from,
	}}, c.statements...)
	from.AsOf = day
	c.trades = append([]market.InsiderTrade{{
		Symbol: "VTI", Owner: owner, Date: day, Filed: day, Form: "4", Security: "Common Stock", Code: "P",
		Shares: amount, Price: decimal.NewNullDecimal(amount), Acquired: true, Provenance: from,
	}}, c.trades...)
	c.profile = market.Profile{Instrument: about, Description: business, Provenance: from}
}

func knownOrError[T any](sym market.Symbol, found T) (T, error) {
	if sym != "VTI" {
		var none T
		return none, fmt.Errorf("test company %q: %w", sym, market.ErrUnknownSymbol)
	}
	return found, nil
}

func (c replayCompany) Statements(_ context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	if q.Span != "" && q.Span != market.SpanAnnual {
		return nil, fmt.Errorf("test statements: %w", market.ErrNoData)
	}
	return knownOrError(sym, c.statements)
}

func (c replayCompany) Profile(_ context.Context, sym market.Symbol) (market.Profile, error) {
	return knownOrError(sym, c.profile)
}

func (c replayCompany) Earnings(_ context.Context, sym market.Symbol) (market.Earnings, error) {
	return knownOrError(sym, market.Earnings{Symbol: sym, From: toolstest.MustDay(laterYear + "-03-03"), Provenance: c.profile.Provenance})
}

func (c replayCompany) InsiderTrades(_ context.Context, sym market.Symbol, _ market.Range, _ int) ([]market.InsiderTrade, error) {
	return knownOrError(sym, c.trades)
}
