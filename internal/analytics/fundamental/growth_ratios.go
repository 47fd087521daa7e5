package fundamental

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// growthRatios always uses fiscal years, because the last four quarters would need quarters of earlier
// years that were often not filed.
func growthRatios() []definition {
	var out []definition
	for _, what := range []struct {
		id, label string
		of        func(*calculator, market.Statement) decimal.Decimal
		only      []market.Template
	}{
		{"revenue", "revenue", itemOf(market.ItemRevenue), nil},
		{"operating_income", "operating income", itemOf(market.ItemOperatingIncome), []market.Template{market.TemplateGeneral}},
		{"net_income", "net income", itemOf(market.ItemNetIncome), nil},
		{"diluted_eps", "diluted earnings per share", (*calculator).earningsOf, nil},
		{"free_cash_flow", "free cash flow", (*calculator).freeCash, []market.Template{market.TemplateGeneral}},
	} {
		for _, years := range []int{1, 3, 5} {
			d := definition{
				id: fmt.Sprintf("%s_growth_%dy", what.id, years), label: fmt.Sprintf("annual growth of %s over %d years", what.label, years), templates: what.only,
				group: Growth, unit: percent, formula: fmt.Sprintf("(%[1]s of the last fiscal year / %[1]s %[2]d years earlier)^(1/%[2]d) - 1", what.id, years),
			}
			if years == 1 {
				d.label, d.formula = "growth of "+what.label+" over a year", fmt.Sprintf("%[1]s of the last fiscal year / %[1]s of the previous year - 1", what.id)
			}
			d.compute = func(k *calculator) decimal.Decimal { return k.annualGrowth(years, what.id, what.of) }
			out = append(out, d)
		}
	}
	return out
}

func itemOf(item string) func(*calculator, market.Statement) decimal.Decimal {
	return func(k *calculator, s market.Statement) decimal.Decimal { return k.flow(s, item) }
}

// earningsOf returns earnings per share, or reports them as missing if they do not reflect a later split.
func (k *calculator) earningsOf(s market.Statement) decimal.Decimal {
	if why := splitWarning(s); why != "" && warningConcerns(why, market.ItemDilutedEPS, s) {
		return k.setMissing("FY%d: %s", s.FiscalYear, why)
	}
	return k.flow(s, market.ItemDilutedEPS)
}

// annualGrowth returns the compound annual growth in percent. It is undefined if either figure is a
// loss.
func (k *calculator) annualGrowth(years int, name string, of func(*calculator, market.Statement) decimal.Decimal) decimal.Decimal {
	if len(k.company.Years) == 0 {
		return k.setMissing("no fiscal years are available")
	}
	last := k.company.Years[0]
	first, ok := k.yearBefore(last, years)
	if !ok {
		return k.setMissing("the fiscal year %d years before FY%d is missing", years, last.FiscalYear)
	}
	a := k.requirePositive(of(k, first), fmt.Sprintf("%s of FY%d", name, first.FiscalYear))
	b := of(k, last)
	if k.missing != "" {
		return decimal.Zero
	}
	if years == 1 {
		return hundredfold(b.DivRound(a, quotientDigits).Sub(decimal.NewFromInt(1)))
	}
	if b = k.requirePositive(b, fmt.Sprintf("%s of FY%d", name, last.FiscalYear)); k.missing != "" {
		return decimal.Zero
	}
	times := math.Pow(b.DivRound(a, quotientDigits).InexactFloat64(), 1/float64(years))
	if math.IsNaN(times) || math.IsInf(times, 0) {
		return k.setMissing("not meaningful: %s grew too much", name)
	}
	return hundredfold(decimal.NewFromFloat(times - 1))
}

// yearBefore finds a fiscal year by its end date, because its number may skip when a company moves its year
// end.
func (k *calculator) yearBefore(last market.Statement, years int) (market.Statement, bool) {
	for _, one := range k.company.Years {
		if withinDays(one.PeriodEnd, last.PeriodEnd.AddDate(-years, 0, 0), sameYearDays) {
			return one, true
		}
	}
	return market.Statement{}, false
}
