package ecb

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// curveKey identifies the ECB's curve: business days, euro area, AAA-rated government bonds, Svensson model,
// spot rates.
const (
	curveKey  = "B.U2.EUR.4F.G_N_A.SV_C_YM."
	curveName = "Euro area AAA government bond spot curve"
	curveNote = "Spot rates, for payments at one date, estimated from bonds rated AAA; not comparable with the par yields of US Treasuries."
	spotRate  = "SR_"
)

// maturities returns the requested maturities; hundreds are available.
func maturities() []string {
	return []string{"3M", "6M", "9M", "1Y", "2Y", "3Y", "5Y", "7Y", "10Y", "15Y", "20Y", "30Y"}
}

// YieldCurves returns the curves of the euro area in r, oldest first; without a start, the last one on or
// before its end. Another curve yields ErrUnknownSymbol, a range without curves ErrNoData. The first curve is
// from 2004-09-06.
func (s *Source) YieldCurves(ctx context.Context, curve string, r market.Range) ([]market.YieldCurve, error) {
	const op = "yield curve of the euro area"
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if curve != market.CurveEuro {
		return nil, s.client.NewError("yield curve "+strconv.Quote(curve[:min(len(curve), 40)]), market.ErrUnknownSymbol, "")
	}
	if !r.To.IsZero() && r.To.Before(r.From) {
		return nil, s.client.NewError(op, market.ErrNoData, "the range ends before it starts")
	}
	fresh := freshLatest
	if !r.To.IsZero() && s.today().Sub(r.To) > maxRateGap {
		fresh = freshPast
	}
	found, answer, err := get(ctx, s, apiRequest{
		op: op, url: s.curveURL(r), kind: client.CSV, fresh: fresh, notFoundErr: market.ErrNoData,
	}, parseCurves)
	if err != nil {
		return nil, err
	}
	var out []market.YieldCurve
	for _, c := range found {
		if r.Contains(c.Date) {
			c.Name, c.Provenance = curveName, newProvenance("SDMX YC", answer)
			c.Provenance.AsOf, c.Provenance.Unit, c.Provenance.Note = c.Date, "percent", curveNote
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, s.client.NewError(op, market.ErrNoData, "")
	}
	if r.From.IsZero() {
		out = out[len(out)-1:]
	}
	return out, nil
}

func (s *Source) curveURL(r market.Range) string {
	from, to := r.From, r.To
	if from.IsZero() {
		last := s.today()
		if !to.IsZero() && to.Before(last) {
			last = to
		}
		from = last.Add(-2 * maxRateGap)
	}
	values := url.Values{"format": {"csvdata"}, "detail": {"dataonly"}, "startPeriod": {from.Format(time.DateOnly)}}
	if !to.IsZero() {
		values.Set("endPeriod", to.Format(time.DateOnly))
	}
	key := curveKey + spotRate + strings.Join(maturities(), "+"+spotRate)
	return s.at(hostData, "/service/data/YC/"+key+"?"+values.Encode())
}

// parseCurves parses a table with a row for each maturity of each day, in any order.
func parseCurves(body []byte) ([]market.YieldCurve, error) {
	rows, err := client.ParseTable(body, "KEY", "DATA_TYPE_FM", "TIME_PERIOD", "OBS_VALUE")
	if err != nil {
		return nil, err
	}
	days := map[market.Date][]market.Tenor{}
	for _, row := range rows {
		if key := row["KEY"]; !strings.HasPrefix(key, "YC."+curveKey+spotRate) {
			return nil, client.Malformedf("unexpected curve %.50q", key)
		}
		date, tenor, err := parseTenor(row["DATA_TYPE_FM"], row["TIME_PERIOD"], row["OBS_VALUE"])
		if err != nil {
			return nil, err
		}
		if tenor.Label != "" {
			days[date] = append(days[date], tenor)
		}
	}
	return curvesOf(days)
}

func curvesOf(days map[market.Date][]market.Tenor) ([]market.YieldCurve, error) {
	out := make([]market.YieldCurve, 0, len(days))
	for date, tenors := range days {
		slices.SortFunc(tenors, func(a, b market.Tenor) int { return a.Months.Cmp(b.Months) })
		for i := 1; i < len(tenors); i++ {
			if tenors[i].Label == tenors[i-1].Label {
				return nil, client.Malformedf("duplicate yields for %s on %s", tenors[i].Label, date.Format(time.DateOnly))
			}
		}
		out = append(out, market.YieldCurve{Date: date, Tenors: tenors})
	}
	slices.SortFunc(out, func(a, b market.YieldCurve) int { return a.Date.Compare(b.Date) })
	return out, nil
}

// maxAbsYield is a plausibility limit for AAA-rated euro area bonds, in percent.
const maxAbsYield = 50

// parseTenor parses a row. The label is empty if the maturity was not requested or has no value.
func parseTenor(kind, period, value string) (market.Date, market.Tenor, error) {
	date, err := time.Parse(time.DateOnly, period)
	if err != nil {
		return date, market.Tenor{}, client.Malformedf("invalid date %.20q", period)
	}
	label := strings.TrimPrefix(kind, spotRate)
	if value = strings.TrimSpace(value); value == "" || value == "NaN" || !slices.Contains(maturities(), label) {
		return date, market.Tenor{}, nil
	}
	const longest = 30
	yield, ok := client.ParsePlainDecimal(value, longest)
	if !ok || yield.Abs().GreaterThan(decimal.NewFromInt(maxAbsYield)) {
		return date, market.Tenor{}, client.Malformedf("invalid yield %.30q", value)
	}
	n, err := strconv.Atoi(label[:len(label)-1])
	if err != nil {
		return date, market.Tenor{}, client.Malformedf("invalid maturity %.10q", label)
	}
	if label[len(label)-1] == 'Y' {
		n *= 12
	}
	return date, market.Tenor{Label: label, Months: decimal.NewFromInt(int64(n)), Yield: yield}, nil
}
