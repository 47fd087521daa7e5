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

// planResult is the result of a plan. Amounts are in today's money.
type planResult struct {
	Label         string          `json:"label" as:"flag"`
	Success       *float64        `json:"success_rate,omitempty" label:"success rate" as:"percent" key:"2" formula:"futures with every withdrawal paid and the goal met / all"` // nil if the plan cannot fail
	Paths         int             `json:"paths" label:"futures" unit:"paths" formula:"count"`
	Seed          *uint64         `json:"seed,omitempty"` // nil if nothing is drawn
	Method        string          `json:"method"`
	Years         int             `json:"years"`
	YearsNeeded   *int            `json:"years_needed,omitempty" label:"years" unit:"years" key:"1" formula:"smallest number of years in which the required share of futures meets the goal"`
	Balances      []balance       `json:"balances,omitempty" table:"Balance" max:"24"` // empty if there is never a balance
	RanOut        *ranOut         `json:"ran_out,omitempty"`
	SuccessTarget float64         `json:"success_wanted"`
	Start         *float64        `json:"needed_start,omitempty" label:"balance needed today" as:"money" formula:"percentile over the futures of the amount needed, all else as planned"`
	Contrib       *float64        `json:"needed_contribution,omitempty" label:"annual saving needed" as:"money" key:"3" formula:"percentile over the futures of the amount needed, all else as planned"`
	Withdrawal    *float64        `json:"largest_withdrawal,omitempty" label:"annual spending that succeeds" as:"money" key:"4" formula:"percentile over the futures of the amount affordable, all else as planned"`
	Certain       *constantReturn `json:"without_chance,omitempty"`
	Currency      string          `json:"currency,omitempty"`
	Assumptions   []string        `json:"assumptions" as:"notes"`
	Warnings      toolkit.Notes   `json:"warnings"`
	Origin        *toolkit.Origin `json:"history,omitempty"`

	saves       bool // saving is part of the plan, not solved for
	asOf, start time.Time
}

type balance struct {
	Year int     `json:"year" label:"year" formula:"count"`
	P5   float64 `json:"p5" label:"5th percentile" as:"money" formula:"percentile over the futures, in today's money"`
	P25  float64 `json:"p25" label:"25th percentile" as:"money" formula:"percentile over the futures, in today's money"`
	P50  float64 `json:"p50" label:"median" as:"money" formula:"percentile over the futures, in today's money"`
	P75  float64 `json:"p75" label:"75th percentile" as:"money" formula:"percentile over the futures, in today's money"`
	P95  float64 `json:"p95" label:"95th percentile" as:"money" formula:"percentile over the futures, in today's money"`
}

type ranOut struct {
	Share  float64 `json:"share" label:"futures in which the money ran out" as:"percent" formula:"futures with an unpaid withdrawal / all"`
	First  int     `json:"earliest_year" label:"money ran out, earliest plan year" unit:"year of the plan" formula:"minimum"`
	Median int     `json:"median_year" label:"money ran out, median plan year" unit:"year of the plan" formula:"median, the later of two"`
}

// simulatePlan simulates a plan in a market. target is the share of futures in which the plan has
// to succeed; zero means the default.
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
	a.Warnings.WarnEach("history", w.warnings...)
	a.Assumptions = append(a.Assumptions, fmt.Sprintf("%s futures; needed amounts are for success in %s of them", toolkit.FormatCount(o.Paths), formatPercent(target)))
	if w.method != methodHistorical {
		a.Seed = &w.options.Seed
	}
	if p.Start == 0 && p.Contribution == 0 {
		a.Warnings.Warn("nothing_saved", "The plan starts with nothing and saves nothing: there are no balances; give annual_contribution.")
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

// successTarget returns the required share of futures; zero means the default.
func successTarget(v float64) (float64, error) {
	if v == 0 {
		return defaultSuccessTarget, nil
	}
	if !(v > 0) || v > 1 {
		return 0, fmt.Errorf("%w: success_probability %v is out of range; write 0.9 for 90%%", simulate.ErrInvalidPlan, v)
	}
	return v, nil
}

// fewPaths is the number of paths below which the second digit of a share is unreliable.
const fewPaths = 1000

func (a *planResult) addWarnings(p simulate.Plan, w returnMarket) {
	switch {
	case w.method == methodHistorical:
		a.Warnings.Warn("overlapping", "The %d paths are overlapping historical periods, so they are not independent.", a.Paths)
	case a.Paths < fewPaths:
		a.Warnings.Warn("few_paths", "With only %d paths, another seed would change the share.", a.Paths)
	}
	if p.Inflation == 0 {
		a.Warnings.Warn("no_inflation", "No inflation is assumed, so the purchasing power of later amounts is overstated.")
	}
	if o := w.origin; o != nil && o.Currency != "" && a.Currency != "" && o.Currency != a.Currency {
		a.Warnings.Warn("currency", "Past returns are in %s, the plan in %s: changes in the exchange rate are not included.", o.Currency, a.Currency)
	}
}

// addRequirements adds the start, saving or spending needed, all else as planned. A plan without
// spending or goal cannot fail, so nothing is needed.
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
		a.Warnings.Warn("cannot_fail", "The plan has no spending and no goal, so it cannot fail and has no success rate.")
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

// roundToCoin rounds an amount up or down to the smallest coin, so that it is still enough.
func (a *planResult) roundToCoin(v float64, round func(float64) float64) float64 {
	scale := math.Pow10(int(toolkit.CurrencyPlaces(a.Currency)))
	if near := math.Round(v * scale); math.Abs(near-v*scale) < 1e-6 {
		return near / scale // the difference is only a rounding error
	}
	return round(v*scale) / scale
}

// planAssumptions describes a plan.
func planAssumptions(p simulate.Plan) []string {
	out := []string{fmt.Sprintf("%d years from a balance of %v", p.Years, toolkit.RoundDecimal(p.Start, 2))}
	if p.ContributionYears > 0 {
		out = append(out, fmt.Sprintf("%v saved at the end of each of %d years, rising %s a year above inflation", toolkit.RoundDecimal(p.Contribution, 2), p.ContributionYears, formatPercent(p.AnnualRaise)))
	}
	if p.Withdrawal > 0 {
		out = append(out, fmt.Sprintf("%v spent at the start of each year from year %d", toolkit.RoundDecimal(p.Withdrawal, 2), p.WithdrawalFrom))
	}
	if p.Goal > 0 {
		out = append(out, fmt.Sprintf("goal of %v at the end", toolkit.RoundDecimal(p.Goal, 2)))
	}
	return append(out, fmt.Sprintf("inflation %s, fee %s, tax on gains %s; amounts in today's money",
		formatPercent(p.Inflation), formatPercent(p.Fee), formatPercent(p.TaxOnGains)))
}

func (a planResult) Title() string { return fmt.Sprintf("%d years · %s", a.Years, a.Method) }

func (a planResult) Explain(field string) toolkit.Explanation {
	e := toolkit.Explanation{Inputs: a.Assumptions, AsOf: a.asOf}
	forSuccess := " for success in " + formatPercent(a.SuccessTarget)
	switch field {
	case "years_needed":
		e.Label = "years" + forSuccess
	case "needed_start":
		e.Label = "balance needed today" + forSuccess
	case "needed_contribution":
		e.Label = "annual saving needed" + forSuccess
		if !a.saves {
			e.Key = 1 // this answers the question
		}
	case "largest_withdrawal":
		e.Label = "annual spending that succeeds in " + formatPercent(a.SuccessTarget)
	case "without_chance.ending_balance", "without_chance.needed_start", "without_chance.needed_contribution":
		e.Formula = fmt.Sprintf("compound interest at %s a year, after fee and tax", formatPercent(a.Certain.Growth))
	}
	return e
}

// Headline implements [toolkit.Answer]. It gives the value solved for, else the share of futures
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
		return say("The goal is reached within %d years in %[2]s of %[3]s futures.", "在 %[3]s 种模拟情景中，%[2]s 可在 %[1]d 年内达到目标。", *a.YearsNeeded, share, paths)
	case a.Certain != nil && !a.saves && a.Contrib != nil:
		return say("Reaching the goal in %[2]s of %[3]s futures takes savings of %[1]s a year.", "要在 %[3]s 种模拟情景的 %[2]s 中达到目标，每年需要储蓄 %[1]s。", money(*a.Contrib), share, paths)
	case a.Success != nil:
		return say("The plan succeeds in %s of %s futures.", "在 %[2]s 种模拟情景中，该计划的成功率为 %[1]s。", toolkit.Format(*a.Success, toolkit.Percent, ""), paths)
	case a.Withdrawal != nil:
		return say("You can spend %s a year in %s of %s futures.", "在 %[3]s 种模拟情景的 %[2]s 中，每年可以支出 %[1]s。", money(*a.Withdrawal), share, paths)
	case len(a.Balances) == 0:
		return say("There is nothing to simulate.", "没有可以模拟的内容。")
	}
	return say("The median final balance of %[2]s futures is %[1]s.", "在 %[2]s 种模拟情景中，期末余额的中位数为 %[1]s。", money(a.Balances[a.Years].P50), paths)
}

// Chart implements [toolkit.Charter]. It draws the balances year by year; nil if there are none.
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
