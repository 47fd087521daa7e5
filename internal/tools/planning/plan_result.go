package planning

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// planResult is what a plan came to. Sums are in today's money.
type planResult struct {
	Label         string          `json:"label" as:"flag"`
	Success       *float64        `json:"success_rate,omitempty" label:"success rate" as:"percent" key:"2" formula:"futures with every withdrawal paid and the end met / all"` // absent where there is nothing to fail in
	Paths         int             `json:"paths" label:"futures" unit:"paths" formula:"count"`
	Seed          *uint64         `json:"seed,omitempty"` // absent where nothing is drawn
	Method        string          `json:"method"`
	Years         int             `json:"years"`
	YearsNeeded   *int            `json:"years_needed,omitempty" label:"years" unit:"years" key:"1" formula:"least number of years in which so many futures meet the goal"`
	Balances      []balance       `json:"balances,omitempty" table:"Balance" max:"24"` // absent where there is never any
	RanOut        *ranOut         `json:"ran_out,omitempty"`
	SuccessTarget float64         `json:"success_wanted"`
	Start         *float64        `json:"needed_start,omitempty" label:"balance needed today" as:"money" formula:"percentile over the futures of what each would have needed, all else as planned"`
	Contrib       *float64        `json:"needed_contribution,omitempty" label:"saving a year needed" as:"money" key:"3" formula:"percentile over the futures of what each would have needed, all else as planned"`
	Withdrawal    *float64        `json:"largest_withdrawal,omitempty" label:"spending a year that succeeds" as:"money" key:"4" formula:"percentile over the futures of what each would have paid, all else as planned"`
	Certain       *constantReturn `json:"without_chance,omitempty"`
	Currency      string          `json:"currency,omitempty"`
	Assumptions   []string        `json:"assumptions" as:"notes"`
	Warnings      toolkit.Notes   `json:"warnings"`
	Origin        *toolkit.Origin `json:"history,omitempty"`

	saves       bool // saving is part of the plan, not asked for
	asOf, start time.Time
}

type balance struct {
	Year int     `json:"year" label:"year" formula:"count"`
	P5   float64 `json:"p5" label:"5th percentile" as:"money" formula:"percentile over the futures, in today's money"`
	P25  float64 `json:"p25" label:"25th percentile" as:"money" formula:"percentile over the futures, in today's money"`
	P50  float64 `json:"p50" label:"middle" as:"money" formula:"percentile over the futures, in today's money"`
	P75  float64 `json:"p75" label:"75th percentile" as:"money" formula:"percentile over the futures, in today's money"`
	P95  float64 `json:"p95" label:"95th percentile" as:"money" formula:"percentile over the futures, in today's money"`
}

type ranOut struct {
	Share  float64 `json:"share" label:"futures in which the money ran out" as:"percent" formula:"futures with a withdrawal unpaid / all"`
	First  int     `json:"earliest_year" label:"money ran out, earliest year of the plan" unit:"year of the plan" formula:"least"`
	Median int     `json:"median_year" label:"money ran out, middle year of the plan" unit:"year of the plan" formula:"median, the later of two"`
}

// simulatePlan simulates a plan in a market. target is the share of futures in which the plan
// has to succeed, the default if zero.
func simulatePlan(ctx context.Context, p simulate.Plan, w returnMarket, target float64, currency string) (planResult, error) {
	target, err := successTarget(target)
	if err != nil {
		return planResult{}, err
	}
	o, err := simulate.Simulate(ctx, p, w.market, w.options)
	if err != nil {
		return planResult{}, err
	}
	a := planResult{
		Label: hypotheticalLabel, Paths: o.Paths, Method: w.method, Years: p.Years, SuccessTarget: target, Currency: currency,
		Assumptions: append(slices.Clone(w.assumptions), planAssumptions(p)...), Origin: w.origin, saves: p.Contribution > 0, asOf: w.asOf, start: w.start,
	}
	for _, text := range w.warnings {
		a.Warnings.Warn("history", "%s", text)
	}
	a.Assumptions = append(a.Assumptions, fmt.Sprintf("%s futures; what is needed is for success in %s of them", toolkit.FormatCount(o.Paths), formatPercent(target)))
	if w.method != methodHistorical {
		a.Seed = &w.options.Seed
	}
	if p.Start == 0 && p.Contribution == 0 {
		a.Warnings.Warn("nothing_saved", "nothing is set aside and nothing saved: ask again with the saving that is needed to be shown how the balance grows")
		o.Balances = nil
	}
	for year, b := range o.Balances {
		today := math.Pow(1+p.Inflation, -float64(year))
		a.Balances = append(a.Balances, balance{year, b.P5 * today, b.P25 * today, b.P50 * today, b.P75 * today, b.P95 * today})
	}
	if n := len(o.RanOut); n > 0 {
		a.RanOut = &ranOut{Share: float64(n) / float64(o.Paths), First: o.RanOut[0], Median: o.RanOut[n/2]}
	}
	a.addWarnings(p, w)
	a.addRequirements(p, o)
	return a, nil
}

// successTarget is a share of the futures, the standard where zero.
func successTarget(v float64) (float64, error) {
	if v == 0 {
		return defaultSuccessTarget, nil
	}
	if !(v > 0) || v > 1 {
		return 0, fmt.Errorf("%w: success_probability %v; give 90 %% as 0.9", simulate.ErrInvalidPlan, v)
	}
	return v, nil
}

func (a *planResult) places() int32 { return toolkit.CurrencyPlaces(a.Currency) }

// fewPaths is below what leaves a share its second digit.
const fewPaths = 1000

func (a *planResult) addWarnings(p simulate.Plan, w returnMarket) {
	switch {
	case w.method == methodHistorical:
		a.Warnings.Warn("overlapping", "%d overlapping stretches of one past are few independent futures", a.Paths)
	case a.Paths < fewPaths:
		a.Warnings.Warn("few_paths", "%d paths are few: another seed would move the share", a.Paths)
	}
	if p.Inflation == 0 {
		a.Warnings.Warn("no_inflation", "no inflation is assumed: what a sum of later years buys is overstated")
	}
	if o := w.origin; o != nil && o.Currency != "" && a.Currency != "" && o.Currency != a.Currency {
		a.Warnings.Warn("currency", "the past is in %s, the plan in %s: exchange rates are missing from the returns", o.Currency, a.Currency)
	}
}

// addRequirements are what each part of the plan would have to be, all else as planned. A
// plan that spends nothing and wants nothing cannot fail, and needs nothing.
func (a *planResult) addRequirements(p simulate.Plan, o simulate.PlanOutcome) {
	note := func(into **float64, v float64, err error) {
		if err != nil {
			a.Warnings.Warn("cannot_succeed", "%v", err)
			return
		}
		*into = &v
	}
	if p.WithdrawalFrom > 0 {
		v, err := o.LargestWithdrawal(a.SuccessTarget)
		note(&a.Withdrawal, a.roundToCoin(v, math.Floor), err)
	}
	if p.Withdrawal == 0 && p.Goal == 0 {
		a.Warnings.Warn("cannot_fail", "nothing is spent and nothing is wanted at the end, so that no future can fail: there is no success rate")
		return
	}
	a.Success = &o.Success
	start, err := o.NeededStart(a.SuccessTarget)
	note(&a.Start, a.roundToCoin(start, math.Ceil), err)
	if p.ContributionYears > 0 {
		v, err := o.NeededContribution(a.SuccessTarget)
		note(&a.Contrib, a.roundToCoin(v, math.Ceil), err)
	}
}

// roundToCoin brings a sum to the smallest coin, up or down, so that it still is enough.
func (a *planResult) roundToCoin(v float64, round func(float64) float64) float64 {
	scale := math.Pow10(int(a.places()))
	if near := math.Round(v * scale); math.Abs(near-v*scale) < 1e-6 {
		return near / scale // what rounding left is no coin
	}
	return round(v*scale) / scale
}

// planAssumptions is a plan in words.
func planAssumptions(p simulate.Plan) []string {
	out := []string{fmt.Sprintf("%d years from a balance of %v", p.Years, toolkit.RoundDecimal(p.Start, 2))}
	if p.ContributionYears > 0 {
		out = append(out, fmt.Sprintf("%v saved at the end of each of %d years, raised by %s a year above inflation", toolkit.RoundDecimal(p.Contribution, 2), p.ContributionYears, formatPercent(p.AnnualRaise)))
	}
	if p.Withdrawal > 0 {
		out = append(out, fmt.Sprintf("%v spent at the beginning of each year from year %d on", toolkit.RoundDecimal(p.Withdrawal, 2), p.WithdrawalFrom))
	}
	if p.Goal > 0 {
		out = append(out, fmt.Sprintf("%v wanted at the end", toolkit.RoundDecimal(p.Goal, 2)))
	}
	return append(out, fmt.Sprintf("inflation %s, fee %s, tax on gains %s; sums and balances in today's money",
		formatPercent(p.Inflation), formatPercent(p.Fee), formatPercent(p.TaxOnGains)))
}

func (a planResult) Title() string { return fmt.Sprintf("%d years · %s", a.Years, a.Method) }

func (a planResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Inputs: a.Assumptions, AsOf: a.asOf}
	wanted := " for success in " + formatPercent(a.SuccessTarget)
	switch field {
	case "years_needed":
		e.Label = "years" + wanted
	case "needed_start":
		e.Label = "balance needed today" + wanted
	case "needed_contribution":
		e.Label = "saving a year needed" + wanted
		if !a.saves {
			e.Key = 1 // what was asked for
		}
	case "largest_withdrawal":
		e.Label = "spending a year that succeeds in " + formatPercent(a.SuccessTarget)
	case "without_chance.ending_balance", "without_chance.needed_start", "without_chance.needed_contribution":
		e.Formula = fmt.Sprintf("compound interest at %s a year, less fee and tax", formatPercent(a.Certain.Growth))
	}
	return e
}

// Headline implements [toolkit.Answer]. It is what was asked for, else the share of the futures
// that succeed.
func (a planResult) Headline(lang string) string {
	zh := lang == "zh"
	share, paths := formatPercent(a.SuccessTarget), toolkit.FormatCount(a.Paths)
	money := func(v float64) string { return toolkit.Format(v, toolkit.Money, a.Currency) }
	say := func(english, chinese string, args ...any) string {
		if zh {
			english = chinese
		}
		return fmt.Sprintf(english, args...)
	}
	switch {
	case a.YearsNeeded != nil:
		return say("The goal takes %d years in %[2]s of %[3]s futures.", "在 %[3]s 种未来的 %[2]s 中，达到目标需要 %[1]d 年。", *a.YearsNeeded, share, paths)
	case a.Certain != nil && !a.saves && a.Contrib != nil:
		return say("The goal takes a saving of %s a year for success in %s of %s futures.", "要在 %[3]s 种未来的 %[2]s 中成功，每年需要储蓄 %[1]s。", money(*a.Contrib), share, paths)
	case a.Success != nil:
		return say("The plan succeeds in %s of %s futures.", "该计划在 %[2]s 种未来的 %[1]s 中成功。", toolkit.Format(*a.Success, toolkit.Percent, ""), paths)
	case a.Withdrawal != nil:
		return say("%s a year can be spent in %s of %s futures.", "在 %[3]s 种未来的 %[2]s 中，每年可以支出 %[1]s。", money(*a.Withdrawal), share, paths)
	case len(a.Balances) == 0:
		return say("There is nothing to simulate.", "没有可以模拟的内容。")
	}
	return say("The plan ends with %s in the middle of %s futures.", "在 %[2]s 种未来中，期末余额的中位数为 %[1]s。", money(a.Balances[a.Years].P50), paths)
}

// Chart implements [toolkit.Charter]. It draws the balances of the futures, year by year from the
// day on which the plan begins; nil where there are none.
func (a planResult) Chart() *chart.Spec {
	if len(a.Balances) < 2 || a.start.IsZero() {
		return nil
	}
	fan := chart.Fan{Percentiles: []chart.Percentile{{Rank: 5}, {Rank: 25}, {Rank: 50}, {Rank: 75}, {Rank: 95}}}
	for _, b := range a.Balances {
		fan.Times = append(fan.Times, a.start.AddDate(b.Year, 0, 0))
		for i, v := range []float64{b.P5, b.P25, b.P50, b.P75, b.P95} {
			fan.Percentiles[i].Values = append(fan.Percentiles[i].Values, v)
		}
	}
	return &chart.Spec{Kind: chart.KindFan, Title: hypotheticalLabel + " balance in today's money", Unit: a.Currency, Fan: fan}
}
