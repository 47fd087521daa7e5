package fundamental

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// calculator works out one ratio after the other. Once an input is missing, absent says
// so and what is computed further does not matter.
type calculator struct {
	company  Company
	computed map[string]Ratio

	inputs  []Input
	missing string
	formula string
}

// quotientDigits are the digits behind the point of quotients: at least 16 significant ones of a ratio
// above a ten-thousandth.
const quotientDigits = 20

func (k *calculator) ratio(d definition) Ratio {
	k.inputs, k.missing, k.formula = nil, "", d.formula
	r := Ratio{ID: d.id, Label: d.label, Group: d.group, Unit: d.unit.label(k.currency())}
	value := d.compute(k)
	r.Formula, r.Inputs, r.Missing = k.formula, k.inputs, k.missing
	for _, t := range k.inputs {
		if t.AsOf.After(r.AsOf) {
			r.AsOf = t.AsOf
		}
		r.Flags = market.Provenance{Flags: r.Flags}.With(t.Flags...).Flags
	}
	if r.Missing == "" {
		r.Value = decimal.NewNullDecimal(value)
	}
	return r
}

func (k *calculator) currency() string { return k.company.Period.Provenance.Currency }

// setMissing notes why there is no ratio; the first reason stands.
func (k *calculator) setMissing(format string, args ...any) decimal.Decimal {
	if k.missing == "" {
		k.missing = fmt.Sprintf(format, args...)
	}
	return decimal.Zero
}

func (k *calculator) use(t Input) decimal.Decimal {
	if !slices.ContainsFunc(k.inputs, func(have Input) bool { return have.ID == t.ID }) {
		k.inputs = append(k.inputs, t)
	}
	return t.Value
}

// PeriodName is how a period is called in terms: "FY2025", or "TTM 2025-06-28".
func PeriodName(s market.Statement) string {
	switch s.FiscalPeriod {
	case "FY":
		return fmt.Sprintf("FY%d", s.FiscalYear)
	case "TTM", "":
		return strings.TrimSpace(s.FiscalPeriod + " " + s.PeriodEnd.Format(time.DateOnly))
	}
	return fmt.Sprintf("%s %d", s.FiscalPeriod, s.FiscalYear)
}

// flow is what a statement has of its period.
func (k *calculator) flow(s market.Statement, item string) decimal.Decimal {
	return k.item(s, item, PeriodName(s))
}

// itemOfPeriod is a flow of the company's period.
func (k *calculator) itemOfPeriod(item string) decimal.Decimal { return k.flow(k.company.Period, item) }

// balanceAtEnd is a balance at the end of the period.
func (k *calculator) balanceAtEnd(item string) decimal.Decimal { return k.balance(k.company.End, item) }

func (k *calculator) balance(s market.Statement, item string) decimal.Decimal {
	return k.item(s, item, s.PeriodEnd.Format(time.DateOnly))
}

// reported is a balance that companies without it do not report: zero then.
func (k *calculator) reported(s market.Statement, item string) decimal.Decimal {
	if _, ok := s.Items[item]; !ok {
		return decimal.Zero
	}
	return k.balance(s, item)
}

func (k *calculator) item(s market.Statement, name, of string) decimal.Decimal {
	item, ok := s.Items[name]
	switch {
	case !ok && s.PeriodEnd.Equal(k.company.Period.PeriodEnd):
		return k.setMissing("%s is not reported", name)
	case !ok:
		return k.setMissing("%s of %s is not reported", name, of)
	}
	unit := strings.TrimSuffix(item.Unit, "/share")
	if len(unit) == len("USD") && k.currency() != "" && unit != k.currency() {
		return k.setMissing("%s is in %s, not in %s", name, unit, k.currency())
	}
	return k.use(termOf(item, name, of, s.PeriodEnd))
}

func termOf(item market.Item, name, of string, asOf time.Time) Input {
	from := strings.TrimSpace(item.Form + " " + item.Accession)
	if from != "" && !item.Filed.IsZero() {
		from += " filed " + item.Filed.Format(time.DateOnly)
	}
	return Input{
		ID: name + "." + strings.ReplaceAll(of, " ", "."), Label: strings.ReplaceAll(name, "_", " ") + " " + of,
		Value: item.Value, Unit: item.Unit, AsOf: asOf, From: from, Formula: item.Formula, Flags: item.Flags,
	}
}

// average is the mean of a balance at both ends of the period, or where the
// beginning is not known the balance at the end, which the formula then says.
func (k *calculator) average(item string) decimal.Decimal {
	return k.averageOf(item, func(s market.Statement) decimal.Decimal { return k.balance(s, item) })
}

func (k *calculator) averageOf(name string, of func(market.Statement) decimal.Decimal) decimal.Decimal {
	end := of(k.company.End)
	if k.missing != "" {
		return end
	}
	begin := of(k.company.Begin)
	if k.missing != "" {
		k.missing = ""
		k.formula += "; " + name + " of a year before is not known, that of the end stands for the average"
		return end
	}
	return begin.Add(end).Div(decimal.NewFromInt(2))
}

// ratioOf is a ratio computed before.
func (k *calculator) ratioOf(id string) decimal.Decimal {
	r, ok := k.computed[id]
	if !ok {
		return k.setMissing("%s does not apply", id)
	}
	if r.Missing != "" {
		return k.setMissing("%s", r.Missing)
	}
	k.use(Input{ID: id, Label: r.Label, Value: r.Value.Decimal, Unit: r.Unit, AsOf: r.AsOf, Formula: r.Formula, Flags: r.Flags})
	return r.Value.Decimal
}

// divide divides by what must be above zero for the quotient to mean anything.
func (k *calculator) divide(a, b decimal.Decimal, divisor string) decimal.Decimal {
	if k.missing != "" {
		return decimal.Zero
	}
	if !b.IsPositive() {
		return k.setMissing("not meaningful: %s is %s", divisor, b.Round(2))
	}
	return a.DivRound(b, quotientDigits)
}

// requirePositive is a number that must be above zero, as what a price is a multiple of.
func (k *calculator) requirePositive(v decimal.Decimal, name string) decimal.Decimal {
	if k.missing == "" && !v.IsPositive() {
		return k.setMissing("not meaningful: %s is %s", name, v.Round(2))
	}
	return v
}
