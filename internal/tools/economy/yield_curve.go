package economy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type yieldCurveInput struct {
	Curve     string `json:"curve,omitempty" jsonschema:"us_treasury, us_treasury_real or euro_area. Default us_treasury."`
	Date      string `json:"date,omitempty" jsonschema:"Date of the curve: YYYY-MM-DD. Default: the newest."`
	CompareTo string `json:"compare_to,omitempty" jsonschema:"Earlier date to compare with: YYYY-MM-DD."`
}

const yieldCurveDescription = `Government yield curve of one day (US Treasury, US real, euro area) in percent, with the spreads 10Y-2Y and 10Y-3M. Use for "is the curve inverted"; for one maturity over time use macro_series (DGS10). State its date; do not interpolate a missing maturity.`

const yieldCurveDetails = `Each maturity has its yield in percent a year; spreads are in percentage points. With compare_to, the result also has the earlier curve and the change of each maturity in basis points (change_bp).
Curves exist for business days: date is the day of the curve, the last one on or before the day requested. Maturities that were not published are omitted. A negative spread means an inverted curve.`

const yieldCurveKeywords = `yield yields curve treasury treasuries bond government inverted inversion spread maturity tips real bund euro tenor steep flat basis 收益率曲线 国债 收益率 倒挂 利差 美债 期限 十年期 债券`

var yieldCurvePhrasings = []string{
	"is the yield curve inverted",
	"what do ten year treasuries yield",
	"treasury curve on <num> compared with today",
	"spread between <num> year and <num> year treasuries",
	"real yields on inflation protected bonds",
	"美债收益率曲线倒挂了吗",
	"十年期国债收益率是多少",
}

// newYieldCurve returns the tool for yield curves.
func newYieldCurve(d Deps) tool.Tool {
	return toolkit.New("yield_curve", yieldCurveDescription, tool.Reads, d.yieldCurve).WithDetails(yieldCurveDetails).Find("macro", yieldCurveKeywords, yieldCurvePhrasings...)
}

func (d Deps) yieldCurve(ctx context.Context, in yieldCurveInput) (curveAnswer, error) {
	day, err := d.parseLastDay("date", in.Date)
	if err != nil {
		return curveAnswer{}, err
	}
	base, err := d.parseLastDay("compare_to", in.CompareTo)
	if err != nil {
		return curveAnswer{}, err
	}
	name := parseCurveName(in.Curve)
	curve, err := d.fetchCurve(ctx, name, day)
	if err != nil {
		return curveAnswer{}, err
	}
	a := newCurveAnswer(name, curve, day)
	if strings.TrimSpace(in.CompareTo) != "" {
		before, err := d.fetchCurve(ctx, name, base)
		if err != nil {
			return a, err
		}
		a.compare(before, base)
	}
	return a, nil
}

// parseLastDay returns the last day of the date in text, or the day of d.Now if text is empty or that day is
// later.
func (d Deps) parseLastDay(argument, text string) (market.Date, error) {
	_, last, err := toolkit.ParseDate(strings.TrimSpace(text))
	if err != nil {
		return market.Date{}, fmt.Errorf("%s: %w", argument, err)
	}
	today := toolkit.Today(d.Now())
	if last.IsZero() || last.After(today) {
		return today, nil
	}
	return last, nil
}

func parseCurveName(text string) string {
	name := strings.ToLower(strings.Join(strings.Fields(strings.NewReplacer("-", " ", "_", " ").Replace(text)), "_"))
	switch name {
	case "", "us", "treasury", "us_treasuries", "treasuries":
		return market.CurveTreasury
	case "real", "us_real", "tips", "treasury_real":
		return market.CurveTreasuryReal
	case "euro", "eur", "ecb", "eurozone":
		return market.CurveEuro
	}
	return name
}

// fetchCurve returns the last curve on or before a day.
func (d Deps) fetchCurve(ctx context.Context, name string, day market.Date) (market.YieldCurve, error) {
	curves, err := d.Curves.YieldCurves(ctx, name, market.Range{To: day})
	switch {
	case errors.Is(err, market.ErrUnknownSymbol):
		return market.YieldCurve{}, toolkit.WithContext(fmt.Errorf("%w; use %s, %s or %s",
			err, market.CurveTreasury, market.CurveTreasuryReal, market.CurveEuro), "yield curve %.40q", name)
	case err != nil:
		return market.YieldCurve{}, toolkit.WithContext(err, "yield curve %s on %s", name, toolkit.FormatDate(day))
	}
	for _, c := range slices.Backward(curves) {
		if !c.Date.After(day) && len(c.Tenors) > 0 {
			return c, nil
		}
	}
	return market.YieldCurve{}, fmt.Errorf("yield curve %s: %w: no curve on or before %s", name, market.ErrNoData, toolkit.FormatDate(day))
}

type curveTenor struct {
	Tenor    string           `json:"tenor" label:"maturity"`
	Months   decimal.Decimal  `json:"months"`
	Yield    decimal.Decimal  `json:"yield" label:"yield" as:"rate" in:"percent"`
	Before   *decimal.Decimal `json:"compared_yield,omitempty" label:"before" as:"rate" in:"percent"`
	ChangeBP *decimal.Decimal `json:"change_bp,omitempty" label:"change" as:"signed" unit:"bp" formula:"(yield - compared yield) * 100"`

	date, comparedDate string
	comparedDay        market.Date
	comparedSource     string
}

func (t curveTenor) Explain(field string) toolkit.Explanation {
	switch {
	case field == "compared_yield" && t.Before != nil:
		return toolkit.Explanation{Label: t.comparedDate, AsOf: t.comparedDay, Source: t.comparedSource}
	case field == "change_bp" && t.Before != nil:
		return toolkit.Explanation{Inputs: []string{t.Yield.String() + "% on " + t.date, t.Before.String() + "% on " + t.comparedDate}}
	}
	return toolkit.Explanation{}
}

type curveSpread struct {
	Name  string          `json:"name" label:"spread"`
	Value decimal.Decimal `json:"value" label:"value" as:"signed" unit:"percentage points"`

	long, short curveTenor
}

func (s curveSpread) Explain(string) toolkit.Explanation {
	return toolkit.Explanation{Formula: s.Name, Inputs: []string{s.long.Tenor + " " + s.long.Yield.String() + "%", s.short.Tenor + " " + s.short.Yield.String() + "%"}}
}

type curveAnswer struct {
	Curve        string `json:"curve"`
	Name         string `json:"name"`
	Date         string `json:"date"`
	ComparedDate string `json:"compared_date,omitempty"`
	Unit         string `json:"unit"`
	toolkit.Origin
	Warnings toolkit.Notes `json:"warnings"`
	Tenors   []curveTenor  `json:"tenors" table:"Yields"`
	Spreads  []curveSpread `json:"spreads" table:"Spreads"`
}

func (a curveAnswer) Headline(lang string) string {
	parts := []string{}
	for _, months := range []int64{3, 24, 120} {
		if t := a.at(months); t != nil {
			parts = append(parts, t.Tenor+" "+toolkit.Format(t.Yield.Shift(-2), toolkit.Rate, ""))
		}
	}
	state, stateZH := "", ""
	for _, s := range a.Spreads {
		switch {
		case s.Value.IsNegative():
			state, stateZH = "; the curve is inverted ("+s.Name+")", "，曲线倒挂（"+s.Name+"）"
		case state == "":
			state, stateZH = "; the curve is not inverted", "，曲线未倒挂"
		}
	}
	if lang == "zh" {
		return fmt.Sprintf("%s（%s）：%s%s。", a.Name, a.Date, strings.Join(parts, "，"), stateZH)
	}
	return fmt.Sprintf("%s on %s: %s%s.", a.Name, a.Date, strings.Join(parts, ", "), state)
}

func (a curveAnswer) Title() string {
	if a.ComparedDate != "" {
		return a.Name + " · " + a.Date + " vs. " + a.ComparedDate
	}
	return a.Name + " · " + a.Date
}

func (a curveAnswer) Summary() string { return fmt.Sprintf("%d maturities", len(a.Tenors)) }

func newCurveAnswer(id string, c market.YieldCurve, requested market.Date) curveAnswer {
	c.Provenance.AsOf = c.Date
	a := curveAnswer{
		Curve: id, Name: c.Name, Date: toolkit.FormatDate(c.Date), Unit: "% a year", Origin: toolkit.OriginOf(c.Provenance).WithoutAdjustment(),
		Spreads: []curveSpread{},
	}
	warnOfOldCurve(&a.Warnings, c.Date, requested)
	for _, t := range c.Tenors {
		a.Tenors = append(a.Tenors, curveTenor{Tenor: t.Label, Months: t.Months, Yield: t.Yield, date: a.Date})
	}
	for _, spread := range []struct {
		name        string
		long, short int64
	}{{"10Y-2Y", 120, 24}, {"10Y-3M", 120, 3}} {
		long, short := a.at(spread.long), a.at(spread.short)
		if long != nil && short != nil {
			a.Spreads = append(a.Spreads, curveSpread{spread.name, long.Yield.Sub(short.Yield), *long, *short})
		}
	}
	return a
}

// warnOfOldCurve warns if the curve is much older than the requested day.
func warnOfOldCurve(notes *toolkit.Notes, curveDate, requested market.Date) {
	if requested.Sub(curveDate) > toolkit.MaxBarGap(market.Daily) {
		notes.Warn("old_curve", "the latest curve on or before %s is for %s", toolkit.FormatDate(requested), toolkit.FormatDate(curveDate))
	}
}

// at returns the tenor with this many months, or nil if it was not published.
func (a curveAnswer) at(months int64) *curveTenor {
	for i := range a.Tenors {
		if a.Tenors[i].Months.Equal(decimal.NewFromInt(months)) {
			return &a.Tenors[i]
		}
	}
	return nil
}

// compare adds the earlier yield and the change for each maturity in both curves.
func (a *curveAnswer) compare(before market.YieldCurve, requested market.Date) {
	a.ComparedDate = toolkit.FormatDate(before.Date)
	warnOfOldCurve(&a.Warnings, before.Date, requested)
	for i := range a.Tenors {
		t := &a.Tenors[i]
		for _, b := range before.Tenors {
			if b.Months.Equal(t.Months) {
				basisPoints := t.Yield.Sub(b.Yield).Shift(2)
				t.Before, t.ChangeBP = &b.Yield, &basisPoints
				t.comparedDate, t.comparedDay, t.comparedSource = a.ComparedDate, before.Date, before.Provenance.Source
			}
		}
	}
}
