package yahoo

import (
	"context"
	"net/url"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

const (
	freshEarnings = 12 * time.Hour
	staleEarnings = 7 * 24 * time.Hour
)

// Earnings returns the dates and analysts' estimates of a company's reports. It needs a crumb.
func (s *Source) Earnings(ctx context.Context, sym market.Symbol) (market.Earnings, error) {
	op := "earnings of " + string(sym)
	if err := ctx.Err(); err != nil {
		return market.Earnings{}, err
	}
	yahooSymbol := YahooSymbol(sym)
	found, answer, err := getWithCrumb(ctx, s, apiRequest{
		op: op,
		url: s.at(hostData, "/v10/finance/quoteSummary/"+url.PathEscape(yahooSymbol), url.Values{
			"modules": {"calendarEvents,earningsTrend,earningsHistory,quoteType"}, "formatted": {"false"},
		}),
		kind: client.JSON, fresh: freshEarnings, stale: staleEarnings,
	}, func(body []byte) (earningsSummary, error) { return parseEarnings(body, yahooSymbol) })
	if err != nil {
		return market.Earnings{}, err
	}
	e := found.earnings(sym)
	if e.From.IsZero() && len(e.Estimates) == 0 && len(e.Results) == 0 {
		return market.Earnings{}, s.dataClients[0].NewError(op, market.ErrNoData, "the source reports no earnings")
	}
	e.Provenance = newProvenance("v10 quoteSummary", answer)
	e.Provenance.AsOf, e.Provenance.Adjustment = answer.FetchedAt, market.AdjustmentUnknown
	return e, nil
}

// earningsSummary holds the modules of v10 quoteSummary about earnings.
type earningsSummary struct {
	CalendarEvents struct {
		Earnings struct {
			EarningsDate, EarningsCallDate []unixNumber
			IsEarningsDateEstimate         bool
		}
		ExDividendDate, DividendDate unixNumber
	}
	EarningsTrend   struct{ Trend []earningsTrend }
	EarningsHistory struct{ History []earningsHistory }
	QuoteType       struct{ Symbol, TimeZoneFullName string }
}

type earningsTrend struct {
	Period, EndDate  string
	EarningsEstimate struct {
		trendEstimate
		YearAgoEPS       Number `json:"yearAgoEps"`
		EarningsCurrency string
	}
	RevenueEstimate struct {
		trendEstimate
		YearAgoRevenue  Number
		RevenueCurrency string
	}
	EPSTrend struct {
		Days7  Number `json:"7daysAgo"`
		Days30 Number `json:"30daysAgo"`
		Days60 Number `json:"60daysAgo"`
		Days90 Number `json:"90daysAgo"`
	} `json:"epsTrend"`
	EPSRevisions struct{ UpLast30Days, DownLast30Days Number } `json:"epsRevisions"`
}

type trendEstimate struct{ Avg, Low, High, Growth, NumberOfAnalysts Number }

func (t trendEstimate) estimate(yearAgo Number, currency string) market.Estimate {
	return market.Estimate{
		Average: t.Avg.NullDecimal, Low: t.Low.NullDecimal, High: t.High.NullDecimal, YearAgo: yearAgo.NullDecimal, Growth: t.Growth.NullDecimal,
		Analysts: int(t.NumberOfAnalysts.Decimal.IntPart()), Currency: client.SingleLine(currency, 10),
	}
}

type earningsHistory struct {
	Quarter                unixNumber
	EPSActual, EPSEstimate Number
	Currency               string
}

// unixNumber is a Unix time in seconds, as a number or an object with the number in "raw".
type unixNumber struct{ Number }

// in returns the day of the time in a zone, or zero.
func (u unixNumber) in(zone *time.Location) market.Date {
	if at, ok := u.time(); ok {
		return client.SessionDate(at, zone)
	}
	return market.Date{}
}

func (u unixNumber) time() (time.Time, bool) {
	if !u.Valid || !u.Decimal.IsInteger() {
		return time.Time{}, false
	}
	return client.UnixTime(u.Decimal.IntPart())
}

func parseEarnings(body []byte, yahooSymbol string) (earningsSummary, error) {
	results, err := decodeService[[]earningsSummary](body, "quoteSummary")
	if err != nil {
		return earningsSummary{}, err
	}
	if len(results) == 0 {
		return earningsSummary{}, market.ErrNoData
	}
	found := results[0]
	if found.QuoteType.Symbol == "" {
		return found, nil
	}
	return found, checkAnswered(yahooSymbol, found.QuoteType.Symbol)
}

// estimatePeriods maps Yahoo's names of periods. Yahoo also has "+5y", growth over five years.
var estimatePeriods = map[string]market.EstimatePeriod{
	"0q": market.CurrentQuarter, "+1q": market.NextQuarter, "0y": market.CurrentYear, "+1y": market.NextYear,
}

func (f earningsSummary) earnings(sym market.Symbol) market.Earnings {
	zone := Meta{ExchangeTimezoneName: f.QuoteType.TimeZoneFullName}.location()
	calendar := f.CalendarEvents
	// Dividend dates are given as midnight UTC.
	e := market.Earnings{Symbol: sym, ExDividend: calendar.ExDividendDate.in(time.UTC), DividendPaid: calendar.DividendDate.in(time.UTC)}
	for _, at := range calendar.Earnings.EarningsDate {
		day := at.in(zone)
		if day.IsZero() {
			continue
		}
		if e.From.IsZero() || day.Before(e.From) {
			e.From = day
		}
		if day.After(e.To) {
			e.To = day
		}
	}
	e.DateEstimated = calendar.Earnings.IsEarningsDateEstimate || e.To.After(e.From)
	if calls := calendar.Earnings.EarningsCallDate; len(calls) > 0 {
		e.Call, _ = calls[0].time()
	}
	for _, t := range f.EarningsTrend.Trend {
		period, ok := estimatePeriods[t.Period]
		if ok && (t.EarningsEstimate.Avg.Valid || t.RevenueEstimate.Avg.Valid) {
			e.Estimates = append(e.Estimates, t.estimate(period))
		}
	}
	for _, h := range f.EarningsHistory.History {
		if end := h.Quarter.in(time.UTC); !end.IsZero() && h.EPSActual.Valid {
			e.Results = append(e.Results, market.EarningsResult{
				End: end, Reported: h.EPSActual.NullDecimal, Expected: h.EPSEstimate.NullDecimal, Currency: client.SingleLine(h.Currency, 10),
			})
		}
	}
	slices.SortFunc(e.Results, func(a, b market.EarningsResult) int { return b.End.Compare(a.End) })
	return e
}

func (t earningsTrend) estimate(period market.EstimatePeriod) market.EarningsEstimate {
	out := market.EarningsEstimate{
		Period: period, EPSBefore: map[int]decimal.Decimal{},
		EPS:     t.EarningsEstimate.estimate(t.EarningsEstimate.YearAgoEPS, t.EarningsEstimate.EarningsCurrency),
		Revenue: t.RevenueEstimate.estimate(t.RevenueEstimate.YearAgoRevenue, t.RevenueEstimate.RevenueCurrency),
		Raised:  t.EPSRevisions.UpLast30Days.NullDecimal, Lowered: t.EPSRevisions.DownLast30Days.NullDecimal,
	}
	out.End = client.ParseTime(t.EndDate, time.DateOnly)
	for days, n := range map[int]Number{7: t.EPSTrend.Days7, 30: t.EPSTrend.Days30, 60: t.EPSTrend.Days60, 90: t.EPSTrend.Days90} {
		if n.Valid {
			out.EPSBefore[days] = n.Decimal
		}
	}
	return out
}
