package ratio

import (
	"fmt"
	"math"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// growth is of fiscal years, whatever the period: four quarters against those of
// years ago would need quarters that were often not filed.
func growth() []definition {
	var out []definition
	for _, what := range []struct {
		id, label string
		of        func(*calc, market.Statement) decimal.Decimal
		only      []market.Template
	}{
		{"revenue", "revenue", flowOf(market.ItemRevenue), nil},
		{"operating_income", "operating income", flowOf(market.ItemOperatingIncome), []market.Template{market.TemplateGeneral}},
		{"net_income", "net income", flowOf(market.ItemNetIncome), nil},
		{"diluted_eps", "diluted earnings a share", (*calc).earningsOf, nil},
		{"free_cash_flow", "free cash flow", (*calc).freeCash, []market.Template{market.TemplateGeneral}},
	} {
		for _, years := range []int{1, 3, 5} {
			d := definition{
				id: fmt.Sprintf("%s_growth_%dy", what.id, years), label: fmt.Sprintf("growth of %s a year over %d years", what.label, years), only: what.only,
				group: Growth, unit: percent, formula: fmt.Sprintf("(%[1]s of the last fiscal year / %[1]s %[2]d years before)^(1/%[2]d) - 1", what.id, years),
			}
			if years == 1 {
				d.label, d.formula = "growth of "+what.label+" over a year", fmt.Sprintf("%[1]s of the last fiscal year / %[1]s of the year before - 1", what.id)
			}
			d.of = func(k *calc) decimal.Decimal { return k.grown(years, what.id, what.of) }
			out = append(out, d)
		}
	}
	return out
}

func flowOf(item string) func(*calc, market.Statement) decimal.Decimal {
	return func(k *calc, s market.Statement) decimal.Decimal { return k.flow(s, item) }
}

// earningsOf refuses earnings a share that a later split is not counted in.
func (k *calc) earningsOf(s market.Statement) decimal.Decimal {
	if why := splitSaid(s); why != "" && concerns(why, market.ItemDilutedEPS, s) {
		return k.lacks("FY%d: %s", s.FiscalYear, why)
	}
	return k.flow(s, market.ItemDilutedEPS)
}

// grown is the compound growth a year, in per cent. From a loss, or to one, there
// is no rate.
func (k *calc) grown(years int, name string, of func(*calc, market.Statement) decimal.Decimal) decimal.Decimal {
	if len(k.company.Years) == 0 {
		return k.lacks("no fiscal years are known")
	}
	last := k.company.Years[0]
	first, ok := k.yearBefore(last, years)
	if !ok {
		return k.lacks("the fiscal year %d years before FY%d is not known", years, last.FiscalYear)
	}
	a := k.gain(of(k, first), fmt.Sprintf("%s of FY%d", name, first.FiscalYear))
	b := of(k, last)
	if k.absent != "" {
		return decimal.Zero
	}
	if years == 1 {
		return hundredfold(b.DivRound(a, digits).Sub(decimal.NewFromInt(1)))
	}
	if b = k.gain(b, fmt.Sprintf("%s of FY%d", name, last.FiscalYear)); k.absent != "" {
		return decimal.Zero
	}
	times := math.Pow(b.DivRound(a, digits).InexactFloat64(), 1/float64(years))
	if math.IsNaN(times) || math.IsInf(times, 0) {
		return k.lacks("not meaningful: %s grew beyond measure", name)
	}
	return hundredfold(decimal.NewFromFloat(times - 1))
}

// yearBefore finds a year by its end: labels of fiscal years may skip when a
// company moves its year.
func (k *calc) yearBefore(last market.Statement, years int) (market.Statement, bool) {
	for _, one := range k.company.Years {
		if near(one.PeriodEnd, last.PeriodEnd.AddDate(-years, 0, 0), sameYear) {
			return one, true
		}
	}
	return market.Statement{}, false
}
