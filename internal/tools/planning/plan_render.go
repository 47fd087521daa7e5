package planning

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// Title implements [toolkit.Titled].
func (a planResult) Title() string { return fmt.Sprintf("%d years · %s", a.Years, a.Method) }

// Explain implements [toolkit.Explainer].
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
