package planning

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/simulate"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// planResult is what a plan came to. Sums are in today's money.
type planResult struct {
	Label         string              `json:"label"`
	Success       *float64            `json:"success_rate,omitempty"` // absent where there is nothing to fail in
	Paths         int                 `json:"paths"`
	Seed          *uint64             `json:"seed,omitempty"` // absent where nothing is drawn
	Method        string              `json:"method"`
	Years         int                 `json:"years"`
	YearsNeeded   *int                `json:"years_needed,omitempty"`
	Balances      []balanceJSON       `json:"balances,omitempty"` // absent where there is never any
	RanOut        *ranOutJSON         `json:"ran_out,omitempty"`
	SuccessTarget float64             `json:"success_wanted"`
	Start         *float64            `json:"needed_start,omitempty"`
	Contrib       *float64            `json:"needed_contribution,omitempty"`
	Withdrawal    *float64            `json:"largest_withdrawal,omitempty"`
	Certain       *constantReturnJSON `json:"without_chance,omitempty"`
	Currency      string              `json:"currency,omitempty"`
	Assumptions   []string            `json:"assumptions"`
	Warnings      []string            `json:"warnings"`
	Origin        *toolkit.Origin     `json:"history,omitempty"`

	saves bool // saving is part of the plan, not asked for
}

type balanceJSON struct {
	Year int     `json:"year"`
	P5   float64 `json:"p5"`
	P25  float64 `json:"p25"`
	P50  float64 `json:"p50"`
	P75  float64 `json:"p75"`
	P95  float64 `json:"p95"`
}

type ranOutJSON struct {
	Share  float64 `json:"share"`
	First  int     `json:"earliest_year"`
	Median int     `json:"median_year"`
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
		Assumptions: append(slices.Clone(w.assumptions), planAssumptions(p)...), Warnings: append([]string{}, w.warnings...), Origin: w.origin, saves: p.Contribution > 0,
	}
	a.Assumptions = append(a.Assumptions, fmt.Sprintf("%s futures; what is needed is for success in %s of them", toolkit.FormatCount(o.Paths), formatPercent(target)))
	if w.method != methodHistorical {
		a.Seed = &w.options.Seed
	}
	if p.Start == 0 && p.Contribution == 0 {
		a.Warnings = append(a.Warnings, "nothing is set aside and nothing saved: ask again with the saving that is needed to be shown how the balance grows")
		o.Balances = nil
	}
	for year, b := range o.Balances {
		today := math.Pow(1+p.Inflation, -float64(year))
		money := func(v float64) float64 { return toolkit.RoundDecimal(v*today, a.places()).InexactFloat64() }
		a.Balances = append(a.Balances, balanceJSON{Year: year, P5: money(b.P5), P25: money(b.P25), P50: money(b.P50), P75: money(b.P75), P95: money(b.P95)})
	}
	if n := len(o.RanOut); n > 0 {
		a.RanOut = &ranOutJSON{Share: toolkit.RoundFraction(float64(n) / float64(o.Paths)), First: o.RanOut[0], Median: o.RanOut[n/2]}
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
	warn := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	switch {
	case w.method == methodHistorical:
		warn("%d overlapping stretches of one past are few independent futures", a.Paths)
	case a.Paths < fewPaths:
		warn("%d paths are few: another seed would move the share", a.Paths)
	}
	if p.Inflation == 0 {
		warn("no inflation is assumed: what a sum of later years buys is overstated")
	}
	if o := w.origin; o != nil && o.Currency != "" && a.Currency != "" && o.Currency != a.Currency {
		warn("the past is in %s, the plan in %s: exchange rates are missing from the returns", o.Currency, a.Currency)
	}
}

// addRequirements are what each part of the plan would have to be, all else as planned. A
// plan that spends nothing and wants nothing cannot fail, and needs nothing.
func (a *planResult) addRequirements(p simulate.Plan, o simulate.PlanOutcome) {
	note := func(into **float64, v float64, err error) {
		if err != nil {
			a.Warnings = append(a.Warnings, err.Error())
			return
		}
		*into = &v
	}
	if p.WithdrawalFrom > 0 {
		v, err := o.LargestWithdrawal(a.SuccessTarget)
		note(&a.Withdrawal, a.roundToCoin(v, math.Floor), err)
	}
	if p.Withdrawal == 0 && p.Goal == 0 {
		a.Warnings = append(a.Warnings, "nothing is spent and nothing is wanted at the end, so that no future can fail: there is no success rate")
		return
	}
	success := toolkit.RoundFraction(o.Success)
	a.Success = &success
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
