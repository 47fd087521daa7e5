package planning

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func (a planResult) result(w returnMarket) tool.Result {
	s := toolkit.CalculationSheet{Tool: w.source, Currency: a.Currency, AsOf: w.asOf}
	for _, l := range a.lines(s.MoneyUnit()) {
		l.Inputs = a.Assumptions
		s.Add(l)
	}
	shown := s.Table(fmt.Sprintf("%s · plan over %d years", hypotheticalLabel, a.Years), append(slices.Clone(a.Assumptions), a.Warnings...))
	if len(a.Balances) > 0 {
		shown += "\n" + a.balancesTable(&s)
	}
	var origins []toolkit.NamedOrigin
	if a.Origin != nil {
		origins = append(origins, toolkit.NamedOrigin{Origin: *a.Origin})
		shown += "\n" + a.Origin.Footer() + "\n"
	}
	return tool.Result{
		Value: a, ForUser: shown, Title: fmt.Sprintf("%d years · %s", a.Years, a.Method),
		Summary: strings.TrimSpace(hypotheticalLabel + ": " + a.headline(s.MoneyUnit()) + " " + toolkit.CombinedFlagText(origins)), Figures: s.Figures(), Chart: a.fanChart(w.start),
	}
}

// fanChart draws the balances of the futures, year by year from the day on which the plan
// begins; nil where there are none.
func (a planResult) fanChart(begins time.Time) *chart.Spec {
	if len(a.Balances) < 2 || begins.IsZero() {
		return nil
	}
	fan := chart.Fan{Percentiles: []chart.Percentile{{Rank: 5}, {Rank: 25}, {Rank: 50}, {Rank: 75}, {Rank: 95}}}
	for _, b := range a.Balances {
		fan.Times = append(fan.Times, begins.AddDate(b.Year, 0, 0))
		for i, v := range []float64{b.P5, b.P25, b.P50, b.P75, b.P95} {
			fan.Percentiles[i].Values = append(fan.Percentiles[i].Values, v)
		}
	}
	return &chart.Spec{Kind: chart.KindFan, Title: hypotheticalLabel + " balance in today's money", Unit: a.Currency, Fan: fan}
}

// headline is the answer in a few words: what was asked for, else the share.
func (a planResult) headline(money string) string {
	of := fmt.Sprintf("%s of %s futures", formatPercent(a.SuccessTarget), toolkit.FormatCount(a.Paths))
	switch {
	case a.YearsNeeded != nil:
		return fmt.Sprintf("%d years for %s", *a.YearsNeeded, of)
	case a.Certain != nil && !a.saves && a.Contrib != nil:
		return fmt.Sprintf("%v %s a year to be saved for %s", *a.Contrib, money, of)
	case a.Success != nil:
		return fmt.Sprintf("succeeds in %s of %s futures", formatPercent(*a.Success), toolkit.FormatCount(a.Paths))
	case a.Withdrawal != nil:
		return fmt.Sprintf("%v %s a year can be spent in %s", *a.Withdrawal, money, of)
	}
	if len(a.Balances) == 0 {
		return "nothing to play"
	}
	return fmt.Sprintf("%v %s in the middle of %s futures", a.Balances[a.Years].P50, money, toolkit.FormatCount(a.Paths))
}

// lines are the numbers of the answer but for the balances.
func (a planResult) lines(money string) []toolkit.SheetLine {
	out := []toolkit.SheetLine{{ID: "paths", Label: "futures", Value: toolkit.RoundDecimal(float64(a.Paths), 0), Unit: "paths", Formula: "count"}}
	add := func(id, label, unit, formula string, v *float64, scale float64) {
		if v != nil {
			out = append(out, toolkit.SheetLine{ID: id, Label: label, Value: toolkit.RoundDecimal(*v*scale, 4), Unit: unit, Formula: formula})
		}
	}
	share, each := formatPercent(a.SuccessTarget), "percentile over the futures of what each would have needed, all else as planned"
	add("success_rate", "futures in which the plan succeeds", "%", "futures with every withdrawal paid and the end met / all", a.Success, 100)
	if a.YearsNeeded != nil {
		out = append(out, toolkit.SheetLine{ID: "years_needed", Label: "years for success in " + share, Value: toolkit.RoundDecimal(float64(*a.YearsNeeded), 0), Unit: "years", Formula: "least number of years in which so many futures meet the goal"})
	}
	add("needed_start", "balance needed today for success in "+share, money, each, a.Start, 1)
	add("needed_contribution", "saving a year needed for success in "+share, money, each, a.Contrib, 1)
	add("largest_withdrawal", "spending a year that succeeds in "+share, money, "percentile over the futures of what each would have paid, all else as planned", a.Withdrawal, 1)
	if r := a.RanOut; r != nil {
		first, middle := float64(r.First), float64(r.Median)
		add("ran_out", "futures in which the money ran out", "%", "futures with a withdrawal unpaid / all", &r.Share, 100)
		add("ran_out_median_year", "year in which it ran out, middle of them", "year of the plan", "median, the later of two", &middle, 1)
		add("ran_out_first_year", "year in which it ran out, earliest of them", "year of the plan", "least", &first, 1)
	}
	return append(out, a.Certain.lines(money)...)
}

// maxShownYears bounds the rows of the percentile table.
const maxShownYears = 12

// balancesTable is the table of percentiles, with its figures.
func (a planResult) balancesTable(s *toolkit.CalculationSheet) string {
	step := (len(a.Balances)-2)/maxShownYears + 1
	var rows [][]string
	for i, b := range a.Balances {
		if i%step != 0 && i != len(a.Balances)-1 {
			continue
		}
		row := []string{fmt.Sprint(b.Year)}
		for _, p := range []struct {
			name  string
			value float64
		}{{"p5", b.P5}, {"p25", b.P25}, {"p50", b.P50}, {"p75", b.P75}, {"p95", b.P95}} {
			v := toolkit.RoundDecimal(p.value, a.places())
			row = append(row, v.String())
			s.AddFigure(toolkit.SheetLine{
				ID: fmt.Sprintf("%s_year_%d", p.name, b.Year), Label: fmt.Sprintf("balance after %d years, %sth percentile", b.Year, p.name[1:]),
				Value: v, Unit: s.MoneyUnit(), Formula: "percentile over the futures, in today's money", Inputs: a.Assumptions,
			})
		}
		rows = append(rows, row)
	}
	return toolkit.MarkdownTable([]string{"balance after years:", "5 %:", "25 %:", "middle:", "75 %:", "95 %:"}, rows)
}
