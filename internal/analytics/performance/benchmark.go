package performance

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// FormulaBenchmark is the formula of a Comparison.
const FormulaBenchmark = "units(d) = units(d - 1) + flow(d) / (close(d) * rate(d)); first units = start / (close * rate); value = units * close * rate; closes include reinvested dividends"

// unitPlaces is the number of decimals of benchmark units.
const unitPlaces = 18

// Comparison is the hypothetical result of the same money in a benchmark, without trading costs and
// taxes.
type Comparison struct {
	Symbol  market.Symbol
	Formula string
	// Reason explains why everything below is missing: no price on the day of a flow, or a
	// withdrawal larger than the benchmark's value.
	Reason string
	// End is the benchmark's value at the end, and EndDifference the portfolio's value less End.
	End, EndDifference decimal.NullDecimal
	// TimeWeighted and MoneyWeighted use the methods and flows of the portfolio's returns.
	TimeWeighted, MoneyWeighted Return
	// Series is the return of the benchmark over the period, ignoring flows.
	Series Return
	// TimeWeightedDifference and MoneyWeightedDifference are the portfolio's return less the benchmark's,
	// as fractions; nil if either is missing.
	TimeWeightedDifference, MoneyWeightedDifference *float64
}

// Compare invests the flows of a period in a benchmark, each at the close of its day. The series is
// converted to total return. If that is not possible, or a rate is missing, the Comparison has only a
// Reason. An invalid period is ErrInvalidRequest.
func (h *History) Compare(series market.Series, from, to market.Date) (Comparison, error) {
	s, err := h.span(from, to)
	if err != nil {
		return Comparison{}, err
	}
	c := Comparison{Symbol: series.Symbol, Formula: FormulaBenchmark}
	closes, why := h.closes(series)
	if why != "" {
		c.Reason = why
		return c, nil
	}
	c.Series = h.seriesReturn(closes, s)
	values, why := h.replicate(series.Symbol, closes, s)
	if why != "" {
		c.Reason = why
		return c, nil
	}
	c.End = values[s.To]
	if h.values[s.To].Valid {
		c.EndDifference = decimal.NewNullDecimal(h.values[s.To].Decimal.Sub(c.End.Decimal))
	}
	actual, replica := h.valueSeries(h.values), h.valueSeries(values)
	c.TimeWeighted, c.MoneyWeighted = replica.TimeWeighted(s), replica.MoneyWeighted(s)
	c.TimeWeightedDifference = returnDifference(actual.TimeWeighted(s), c.TimeWeighted)
	c.MoneyWeightedDifference = returnDifference(actual.MoneyWeighted(s), c.MoneyWeighted)
	return c, nil
}

func returnDifference(actual, benchmark Return) *float64 {
	if actual.Value == nil || benchmark.Value == nil {
		return nil
	}
	difference := *actual.Value - *benchmark.Value
	return &difference
}

// closes returns the benchmark's closes in the base currency by day; invalid without a close or
// rate.
func (h *History) closes(series market.Series) ([]decimal.NullDecimal, string) {
	total, err := series.TotalReturn()
	if err != nil {
		return nil, err.Error()
	}
	currency := total.Provenance.Currency
	if _, ok := h.rates.columns[currency]; currency == "" || !ok && currency != h.base {
		return nil, fmt.Sprintf("no exchange rate for %s, the currency of %s (%q)", currency, series.Symbol, currency)
	}
	var points []point
	for i, b := range total.Bars {
		if i > 0 && !b.Date.After(total.Bars[i-1].Date) {
			return nil, fmt.Sprintf("the closes of %s are not sorted by date", series.Symbol)
		}
		if d := h.grid.index(b.Date); d >= -staleness && d < h.grid.days && isPlausible(b.Close) {
			points = append(points, point{d, b.Close})
		}
	}
	column := newDailyColumn(h.grid.days, points)
	closes := make([]decimal.NullDecimal, h.grid.days)
	for i := range closes {
		if price, ok := column.valueOn(i); ok {
			closes[i].Decimal, closes[i].Valid = h.rates.convert(price, currency, i)
		}
	}
	return closes, ""
}

func (h *History) seriesReturn(closes []decimal.NullDecimal, s Span) Return {
	c := h.valueSeries(closes)
	c.UnvaluedReason = func(i int) string { return fmt.Sprintf("the benchmark has no close on %s", formatDate(h.grid.date(i))) }
	return c.Series(s)
}

// replicate returns the value by day of a benchmark that is bought and sold with the flows.
func (h *History) replicate(symbol market.Symbol, closes []decimal.NullDecimal, s Span) ([]decimal.NullDecimal, string) {
	if why := h.unknownFlowReason(s); why != "" {
		return nil, why
	}
	if !h.values[s.From].Valid {
		return nil, h.unvaluedReason(s.From)
	}
	values, units, dust := make([]decimal.NullDecimal, len(closes)), decimal.Zero, decimal.New(1, -12)
	for i := s.From; i <= s.To; i++ {
		flow := h.flows[i]
		if i == s.From {
			flow = h.values[i].Decimal
		}
		if !closes[i].Valid && (!flow.IsZero() || i == s.To && !units.IsZero()) {
			return nil, fmt.Sprintf("%s has no price or exchange rate on %s, the day of a cash flow of %s %s", symbol, formatDate(h.grid.date(i)), flow, h.base)
		}
		if !flow.IsZero() {
			units = units.Add(flow.DivRound(closes[i].Decimal, unitPlaces))
		}
		switch {
		// The rounding error of selling everything is not a debt.
		case units.Abs().LessThan(dust):
			units = decimal.Zero
		case units.IsNegative():
			return nil, fmt.Sprintf("on %s the withdrawal (%s %s) exceeds the hypothetical market value of %s, so no comparison is possible", formatDate(h.grid.date(i)), flow.Neg(), h.base, symbol)
		}
		values[i] = multiplyKnown(decimal.NewNullDecimal(units), closes[i])
		values[i].Valid = closes[i].Valid || units.IsZero()
	}
	return values, ""
}

// Growth compares the portfolio with a benchmark over a period: the value of an initial 100 at the
// close of each day, as in TimeWeighted. Unknown values are NaN.
type Growth struct {
	Dates                []market.Date
	Portfolio, Benchmark []float64
	// Reason explains why everything is missing, if so.
	Reason string
}

// Growth follows the portfolio, and the same money in a benchmark, through a period. Its end is that of
// Compare. An invalid period is ErrInvalidRequest.
func (h *History) Growth(series market.Series, from, to market.Date) (Growth, error) {
	s, err := h.span(from, to)
	if err != nil {
		return Growth{}, err
	}
	closes, why := h.closes(series)
	if why != "" {
		return Growth{Reason: why}, nil
	}
	values, why := h.replicate(series.Symbol, closes, s)
	if why != "" {
		return Growth{Reason: why}, nil
	}
	g := Growth{}
	for i := s.From; i <= s.To; i++ {
		g.Dates = append(g.Dates, h.grid.date(i))
	}
	if g.Portfolio, g.Reason = h.valueSeries(h.values).Path(s); g.Reason == "" {
		g.Benchmark, g.Reason = h.valueSeries(values).Path(s)
	}
	if g.Reason != "" {
		return Growth{Reason: g.Reason}, nil
	}
	return g, nil
}
