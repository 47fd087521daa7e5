package positions_test

import (
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// The previous close is that of the previous session at the exchange, whatever its day is in UTC. Bars are
// of Monday to Wednesday, January 15 to 17, 2024: 10, 20 and 30. The price is of Thursday's session, unless
// a row says otherwise. In January Sydney is eleven hours ahead of UTC, in July ten; London is on UTC in
// January and an hour ahead in July; New York is five hours behind, in July four; Tokyo and Seoul are nine
// ahead all year, Singapore eight. Auckland is thirteen ahead in January.
func TestFetchPrices_TheCloseBeforeIsOfTheSessionBefore(t *testing.T) {
	for _, row := range []struct {
		name   string
		sym    market.Symbol
		first  string // of three bars
		at     string
		before string
		day    string
	}{
		{"Sydney in summer, its first hour", "BHP.AX", "2024-01-15", "2024-01-17T23:05:00Z", "30", "2024-01-17"},
		{"Sydney in summer, in the afternoon", "BHP.AX", "2024-01-15", "2024-01-18T04:30:00Z", "30", "2024-01-17"},
		{"Sydney in summer, the close of the last bar", "BHP.AX", "2024-01-15", "2024-01-17T05:10:00Z", "20", "2024-01-16"},
		{"Sydney in winter, before its open", "BHP.AX", "2024-07-15", "2024-07-17T23:55:00Z", "30", "2024-07-17"},
		{"Sydney in winter, as it opens", "BHP.AX", "2024-07-15", "2024-07-18T00:00:00Z", "30", "2024-07-17"},
		{"an index of Sydney, its first hour", "^AXJO", "2024-01-15", "2024-01-17T23:05:00Z", "30", "2024-01-17"},
		{"Tokyo, as it opens", "7203.T", "2024-01-15", "2024-01-18T00:00:00Z", "30", "2024-01-17"},
		{"Tokyo, before its open", "7203.T", "2024-01-15", "2024-01-17T23:30:00Z", "30", "2024-01-17"},
		{"Tokyo, its close", "7203.T", "2024-01-15", "2024-01-18T06:00:00Z", "30", "2024-01-17"},
		{"New York, before its open", "VTI", "2024-01-15", "2024-01-18T09:30:00Z", "30", "2024-01-17"},
		{"New York, its close", "VTI", "2024-01-15", "2024-01-18T21:00:00Z", "30", "2024-01-17"},
		{"New York, the evening of the last bar", "VTI", "2024-01-15", "2024-01-18T00:30:00Z", "20", "2024-01-16"},
		{"New York in summer, the evening of the last bar", "BRK.B", "2024-07-15", "2024-07-17T23:45:00Z", "20", "2024-07-16"},
		{"London, its open", "VOD.L", "2024-01-15", "2024-01-18T08:00:00Z", "30", "2024-01-17"},
		{"London in summer, its close", "VOD.L", "2024-07-15", "2024-07-18T15:35:00Z", "30", "2024-07-17"},
		{"London in summer, after midnight there", "VOD.L", "2024-07-15", "2024-07-17T23:30:00Z", "30", "2024-07-17"},
		{"a date is a session's, not a moment", "VTI", "2024-01-15", "2024-01-18T00:00:00Z", "30", "2024-01-17"},
		{"a coin goes by the day in UTC", "BTC-USD", "2024-01-15", "2024-01-17T23:30:00Z", "20", "2024-01-16"},
		{"an exchange that is not known, likewise", "ABC.XX", "2024-01-15", "2024-01-17T23:30:00Z", "20", "2024-01-16"},
		{"Auckland, whose holidays are not known, as it opens", "AIR.NZ", "2024-01-15", "2024-01-17T21:00:00Z", "30", "2024-01-17"},
		{"Auckland, its close", "AIR.NZ", "2024-01-15", "2024-01-18T03:45:00Z", "30", "2024-01-17"},
		{"Auckland, the close of the last bar", "AIR.NZ", "2024-01-15", "2024-01-17T03:45:00Z", "20", "2024-01-16"},
		{"Seoul, before its open", "005930.KS", "2024-01-15", "2024-01-17T23:40:00Z", "30", "2024-01-17"},
		{"Singapore, as it opens", "D05.SI", "2024-01-15", "2024-01-18T01:00:00Z", "30", "2024-01-17"},
		{"an index of Auckland, as it opens", "^NZ50", "2024-01-15", "2024-01-17T21:00:00Z", "30", "2024-01-17"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := quotedOn(t, markettest.Daily(row.sym, portfoliotest.Day(row.first), "10", "20", "30"), row.at)
			if p.Value.String() != "31" || p.Previous.Decimal.String() != row.before || !p.PreviousAsOf.Equal(portfoliotest.Day(row.day)) {
				t.Errorf("price %s after %s of %s; want 31 after %s of %s", p.Value, p.Previous.Decimal, p.PreviousAsOf, row.before, row.day)
			}
		})
	}
}

// A source may have the bar of a session that has not ended. Its quote is just as new, though its day in
// UTC is still the day before; the quote of an earlier session is not.
func TestFetchPrices_AQuoteOfTheSessionOfTheLastBarIsTheNewer(t *testing.T) {
	for _, row := range []struct {
		name   string
		sym    market.Symbol
		at     string
		price  string
		before string
	}{
		{"Sydney, an hour after its open", "BHP.AX", "2024-01-17T00:10:00Z", "31", "20"},
		{"Sydney, its first hour", "BHP.AX", "2024-01-16T23:30:00Z", "31", "20"},
		{"Sydney, the session before", "BHP.AX", "2024-01-16T05:00:00Z", "30", "20"},
		{"New York, the evening before", "VTI", "2024-01-17T00:30:00Z", "30", "20"},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := quotedOn(t, markettest.Daily(row.sym, portfoliotest.Day("2024-01-15"), "10", "20", "30"), row.at)
			if p.Value.String() != row.price || p.Previous.Decimal.String() != row.before {
				t.Errorf("price %s after %s; want %s after %s", p.Value, p.Previous.Decimal, row.price, row.before)
			}
		})
	}
}

// quotedOn returns the price of a security with these closes and a quote of 31 at a time, requested two
// days later.
func quotedOn(t *testing.T, closes market.Series, at string) positions.Price {
	t.Helper()
	q := quoted("31", "USD", at)
	now := q.Provenance.AsOf.Add(48 * time.Hour)
	d := positions.Deps{
		Prices: toolkit.Prices{Bars: markettest.NewSource(closes), Now: func() time.Time { return now }},
		Quotes: &quoteStub{quote: q},
	}
	sym := closes.Symbol
	priced, err := d.FetchPrices(t.Context(), []market.Symbol{sym}, closes.Bars[0].Date)
	if err != nil || priced.Missing[sym] != nil {
		t.Fatalf("PricesOf = %v, missing %v", err, priced.Missing)
	}
	return priced.Prices[sym]
}
