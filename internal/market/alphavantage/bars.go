package alphavantage

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshBars = time.Hour // because of the limit of 25 requests a day
	staleBars = 7 * 24 * time.Hour
	// settledAfter is the New York time of day from which the day's bar no longer changes.
	settledAfter = client.NewYorkClose + 20*time.Minute
	// freePlanBars is the number of bars in the free plan.
	freePlanBars = 100
	// maxClosure is longer than any closure of an exchange: if bars start later than that after the
	// requested day, the source has no earlier ones.
	maxClosure = 7 * 24 * time.Hour
)

// Bars returns the daily raw bars of sym in r, with dividends and splits. Only the last hundred bars are
// available: a range that starts earlier yields ErrNoData rather than a part of it, unless its start is open.
// An unlisted symbol yields ErrUnknownSymbol.
func (s *Source) Bars(ctx context.Context, sym market.Symbol, r market.Range) (market.Series, error) {
	op := "bars of " + string(sym)
	found, answer, err := get(ctx, s, apiRequest{
		op: op, function: "TIME_SERIES_DAILY", format: "csv", sym: sym, params: url.Values{"outputsize": {"compact"}}, fresh: freshBars, stale: staleBars,
	}, parseBars)
	if err != nil {
		return market.Series{}, err
	}
	series := market.Series{
		Instrument: client.NewShare(sym, ""), Interval: market.Daily, Bars: found.Bars,
		Provenance: s.client.NewPriceProvenance("TIME_SERIES_DAILY", time.Time{}, market.AdjustmentRaw, answer),
	}
	first := series.Bars[0].Date
	if !r.From.IsZero() && len(series.Bars) >= freePlanBars && first.Sub(r.From) > maxClosure {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "the free plan starts at "+first.Format(time.DateOnly))
	}
	if series = series.Within(r); len(series.Bars) == 0 {
		return market.Series{}, s.client.NewError(op, market.ErrNoData, "")
	}
	if r.From.IsZero() && len(found.Bars) >= freePlanBars {
		series.Provenance.Note = "The free plan has only the last 100 days."
	}
	if client.BarUnsettled(series.Provenance.AsOf, s.client.Now(), settledAfter) {
		series.Provenance = series.Provenance.With(market.FlagProvisional)
	}
	series.Provenance = found.FlagInconsistent(series.Provenance)
	// Bars are useful even without actions, but a canceled call returns its error.
	series.Actions, err = s.actions(ctx, sym, market.Range{From: series.Bars[0].Date, To: series.Provenance.AsOf})
	if err != nil && ctx.Err() != nil {
		return market.Series{}, err
	}
	return series, nil
}

// parseBars parses a table of days, oldest first. Days without a close are omitted.
func parseBars(body []byte) (client.BarHistory, error) {
	rows, err := client.ParseTable(body, "timestamp", "open", "high", "low", "close", "volume")
	if err != nil {
		return client.BarHistory{}, err
	}
	var h client.BarHistory
	for _, r := range rows {
		day, err := time.Parse(time.DateOnly, r["timestamp"])
		if err != nil {
			return client.BarHistory{}, client.Malformedf("invalid date %.20q", r["timestamp"])
		}
		h.AddDay(day, client.ParsePrice(r["open"]), client.ParsePrice(r["high"]), client.ParsePrice(r["low"]), client.ParsePrice(r["close"]), client.ParseDecimal(r["volume"]))
	}
	return h, client.SortBars(h.Bars)
}

// actions returns the dividends and splits of sym in r, oldest first, and nil if they are
// unknown.
func (s *Source) actions(ctx context.Context, sym market.Symbol, r market.Range) ([]market.Action, error) {
	all := []market.Action{}
	for _, endpoint := range []struct {
		function string
		parse    func([]byte) ([]market.Action, error)
	}{{"DIVIDENDS", parseDividends}, {"SPLITS", parseSplits}} {
		found, _, err := get(ctx, s, apiRequest{
			op: "dividends and splits of " + string(sym), function: endpoint.function, format: "csv", sym: sym, fresh: 24 * time.Hour,
		}, endpoint.parse)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	all = slices.DeleteFunc(all, func(a market.Action) bool { return !r.Contains(a.Date) })
	slices.SortStableFunc(all, func(a, b market.Action) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Kind, b.Kind))
	})
	return all, nil
}

func parseDividends(body []byte) ([]market.Action, error) {
	rows, err := client.ParseTable(body, "ex_dividend_date", "amount")
	if err != nil {
		return nil, err
	}
	var out []market.Action
	for _, r := range rows {
		day, dayErr := time.Parse(time.DateOnly, r["ex_dividend_date"])
		amount := client.ParsePrice(r["amount"])
		if dayErr != nil || !amount.Valid {
			// Without it, the total return would be too small.
			return nil, client.Malformedf("dividend without a date or an amount")
		}
		paid, _ := time.Parse(time.DateOnly, r["payment_date"]) // "None" is unknown
		out = append(out, market.Action{Kind: market.ActionDividend, Date: day, Amount: amount.Decimal, Paid: paid})
	}
	return out, nil
}

// parseSplits parses split factors, which have four decimals.
func parseSplits(body []byte) ([]market.Action, error) {
	const digits = 4
	rows, err := client.ParseTable(body, "effective_date", "split_factor")
	if err != nil {
		return nil, err
	}
	var out []market.Action
	for _, r := range rows {
		day, dayErr := time.Parse(time.DateOnly, r["effective_date"])
		factor := client.ParsePrice(r["split_factor"])
		if dayErr != nil || !factor.Valid {
			return nil, client.Malformedf("split without a date or a ratio")
		}
		out = append(out, client.SplitFromFactor(day, factor.Decimal, func(fresh, old decimal.Decimal) bool {
			return fresh.DivRound(old, digits).Equal(factor.Decimal.Round(digits))
		}))
	}
	return out, nil
}
