package planning

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/lineup"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

func (a planAnswer) result(w world) tool.Result {
	s := present.Sheet{Tool: w.source, Currency: a.Currency, AsOf: w.asOf}
	for _, l := range a.lines(s.Money()) {
		l.Inputs = a.Assumptions
		s.Add(l)
	}
	shown := s.Table(fmt.Sprintf("%s · plan over %d years", hypothetical, a.Years), append(slices.Clone(a.Assumptions), a.Warnings...))
	if len(a.Balances) > 0 {
		shown += "\n" + a.balances(&s)
	}
	var origins []present.Sourced
	if a.Origin != nil {
		origins = append(origins, present.Sourced{Origin: *a.Origin})
		shown += "\n" + a.Origin.Footer() + "\n"
	}
	return tool.Result{
		Value: a, ForUser: shown, Title: fmt.Sprintf("%d years · %s", a.Years, a.Method),
		Summary: strings.TrimSpace(hypothetical + ": " + a.gist(s.Money()) + " " + lineup.Loud(origins)), Figures: s.Figures(), Chart: a.fan(w.begins),
	}
}

// fan draws the balances of the futures, year by year from the day on which the plan
// begins; nil where there are none.
func (a planAnswer) fan(begins time.Time) *chart.Spec {
	if len(a.Balances) < 2 || begins.IsZero() {
		return nil
	}
	fan := chart.Fan{Percentiles: []chart.Percentile{{At: 5}, {At: 25}, {At: 50}, {At: 75}, {At: 95}}}
	for _, b := range a.Balances {
		fan.Times = append(fan.Times, begins.AddDate(b.Year, 0, 0))
		for i, v := range []float64{b.P5, b.P25, b.P50, b.P75, b.P95} {
			fan.Percentiles[i].Values = append(fan.Percentiles[i].Values, v)
		}
	}
	return &chart.Spec{Kind: chart.KindFan, Title: hypothetical + " balance in today's money", Unit: a.Currency, Fan: fan}
}

// gist is the answer in a few words: what was asked for, else the share.
func (a planAnswer) gist(money string) string {
	of := fmt.Sprintf("%s of %s futures", percentText(a.Wanted), present.Counted(a.Paths))
	switch {
	case a.YearsNeeded != nil:
		return fmt.Sprintf("%d years for %s", *a.YearsNeeded, of)
	case a.Certain != nil && !a.saves && a.Contrib != nil:
		return fmt.Sprintf("%v %s a year to be saved for %s", *a.Contrib, money, of)
	case a.Success != nil:
		return fmt.Sprintf("succeeds in %s of %s futures", percentText(*a.Success), present.Counted(a.Paths))
	case a.Withdrawal != nil:
		return fmt.Sprintf("%v %s a year can be spent in %s", *a.Withdrawal, money, of)
	}
	if len(a.Balances) == 0 {
		return "nothing to play"
	}
	return fmt.Sprintf("%v %s in the middle of %s futures", a.Balances[a.Years].P50, money, present.Counted(a.Paths))
}

// lines are the numbers of the answer but for the balances.
func (a planAnswer) lines(money string) []present.Line {
	out := []present.Line{{ID: "paths", Label: "futures", Value: present.Rounded(float64(a.Paths), 0), Unit: "paths", Formula: "count"}}
	add := func(id, label, unit, formula string, v *float64, scale float64) {
		if v != nil {
			out = append(out, present.Line{ID: id, Label: label, Value: present.Rounded(*v*scale, 4), Unit: unit, Formula: formula})
		}
	}
	share, each := percentText(a.Wanted), "percentile over the futures of what each would have needed, all else as planned"
	add("success_rate", "futures in which the plan succeeds", "%", "futures with every withdrawal paid and the end met / all", a.Success, 100)
	if a.YearsNeeded != nil {
		out = append(out, present.Line{ID: "years_needed", Label: "years for success in " + share, Value: present.Rounded(float64(*a.YearsNeeded), 0), Unit: "years", Formula: "least number of years in which so many futures meet the goal"})
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

// mostShownYears bounds the rows of the percentile table.
const mostShownYears = 12

// balances is the table of percentiles, with its figures.
func (a planAnswer) balances(s *present.Sheet) string {
	step := (len(a.Balances)-2)/mostShownYears + 1
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
			v := present.Rounded(p.value, a.places())
			row = append(row, v.String())
			s.AddUnseen(present.Line{
				ID: fmt.Sprintf("%s_year_%d", p.name, b.Year), Label: fmt.Sprintf("balance after %d years, %sth percentile", b.Year, p.name[1:]),
				Value: v, Unit: s.Money(), Formula: "percentile over the futures, in today's money", Inputs: a.Assumptions,
			})
		}
		rows = append(rows, row)
	}
	return present.Table([]string{"balance after years:", "5 %:", "25 %:", "middle:", "75 %:", "95 %:"}, rows)
}
