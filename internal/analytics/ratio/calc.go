package ratio

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// calc works out one ratio after the other. Once an input is missing, absent says
// so and what is computed further does not matter.
type calc struct {
	company Company
	done    map[string]Ratio

	used    []Term
	absent  string
	formula string
}

// digits are kept of quotients, more than any ratio shows.
const digits = 12

func (k *calc) ratio(d definition) Ratio {
	k.used, k.absent, k.formula = nil, "", d.formula
	r := Ratio{ID: d.id, Label: d.label, Group: d.group, Unit: d.unit.of(k.currency())}
	r.exact = d.of(k)
	r.Formula, r.Inputs, r.Absent = k.formula, k.used, k.absent
	for _, t := range k.used {
		if t.AsOf.After(r.AsOf) {
			r.AsOf = t.AsOf
		}
		r.Flags = market.Provenance{Flags: r.Flags}.With(t.Flags...).Flags
	}
	if r.Absent == "" {
		r.Value = decimal.NewNullDecimal(r.exact.Round(d.unit.places()))
	}
	return r
}

func (k *calc) currency() string { return k.company.Period.Provenance.Currency }

// lacks notes why there is no ratio; the first reason stands.
func (k *calc) lacks(format string, args ...any) decimal.Decimal {
	if k.absent == "" {
		k.absent = fmt.Sprintf(format, args...)
	}
	return decimal.Zero
}

func (k *calc) use(t Term) decimal.Decimal {
	if !slices.ContainsFunc(k.used, func(have Term) bool { return have.ID == t.ID }) {
		k.used = append(k.used, t)
	}
	return t.Value
}

// Name is how a period is called in terms: "FY2025", or "TTM 2025-06-28".
func Name(s market.Statement) string {
	switch s.FiscalPeriod {
	case "FY":
		return fmt.Sprintf("FY%d", s.FiscalYear)
	case "TTM", "":
		return strings.TrimSpace(s.FiscalPeriod + " " + s.PeriodEnd.Format(time.DateOnly))
	}
	return fmt.Sprintf("%s %d", s.FiscalPeriod, s.FiscalYear)
}

// flow is what a statement has of its period.
func (k *calc) flow(s market.Statement, item string) decimal.Decimal {
	return k.item(s, item, Name(s))
}

// of is a flow of the company's period.
func (k *calc) of(item string) decimal.Decimal { return k.flow(k.company.Period, item) }

// end is a balance at the end of the period.
func (k *calc) end(item string) decimal.Decimal { return k.balance(k.company.End, item) }

func (k *calc) balance(s market.Statement, item string) decimal.Decimal {
	return k.item(s, item, s.PeriodEnd.Format(time.DateOnly))
}

// reported is a balance that companies without it do not report: zero then.
func (k *calc) reported(s market.Statement, item string) decimal.Decimal {
	if _, ok := s.Items[item]; !ok {
		return decimal.Zero
	}
	return k.balance(s, item)
}

func (k *calc) item(s market.Statement, name, of string) decimal.Decimal {
	item, ok := s.Items[name]
	switch {
	case !ok && s.PeriodEnd.Equal(k.company.Period.PeriodEnd):
		return k.lacks("%s is not reported", name)
	case !ok:
		return k.lacks("%s of %s is not reported", name, of)
	}
	unit := strings.TrimSuffix(item.Unit, "/share")
	if len(unit) == len("USD") && k.currency() != "" && unit != k.currency() {
		return k.lacks("%s is in %s, not in %s", name, unit, k.currency())
	}
	return k.use(termOf(item, name, of, s.PeriodEnd))
}

func termOf(item market.Item, name, of string, asOf time.Time) Term {
	from := strings.TrimSpace(item.Form + " " + item.Accession)
	if from != "" && !item.Filed.IsZero() {
		from += " filed " + item.Filed.Format(time.DateOnly)
	}
	return Term{
		ID: name + "." + strings.ReplaceAll(of, " ", "."), Label: strings.ReplaceAll(name, "_", " ") + " " + of,
		Value: item.Value, Unit: item.Unit, AsOf: asOf, From: from, Formula: item.Formula, Flags: item.Flags,
	}
}

// average is the mean of a balance at both ends of the period, or where the
// beginning is not known the balance at the end, which the formula then says.
func (k *calc) average(item string) decimal.Decimal {
	return k.mean(item, func(s market.Statement) decimal.Decimal { return k.balance(s, item) })
}

func (k *calc) mean(name string, of func(market.Statement) decimal.Decimal) decimal.Decimal {
	end := of(k.company.End)
	if k.absent != "" {
		return end
	}
	begin := of(k.company.Begin)
	if k.absent != "" {
		k.absent = ""
		k.formula += "; " + name + " of a year before is not known, that of the end stands for the average"
		return end
	}
	return begin.Add(end).Div(decimal.NewFromInt(2))
}

// ratioOf is a ratio computed before, unrounded.
func (k *calc) ratioOf(id string) decimal.Decimal {
	r, ok := k.done[id]
	if !ok {
		return k.lacks("%s does not apply", id)
	}
	if r.Absent != "" {
		return k.lacks("%s", r.Absent)
	}
	k.use(Term{ID: id, Label: r.Label, Value: r.Value.Decimal, Unit: r.Unit, AsOf: r.AsOf, Formula: r.Formula, Flags: r.Flags})
	return r.exact
}

// over divides by what must be above zero for the quotient to mean anything.
func (k *calc) over(a, b decimal.Decimal, divisor string) decimal.Decimal {
	if k.absent != "" {
		return decimal.Zero
	}
	if !b.IsPositive() {
		return k.lacks("not meaningful: %s is %s", divisor, b.Round(2))
	}
	return a.DivRound(b, digits)
}

// gain is a number that must be above zero, as what a price is a multiple of.
func (k *calc) gain(v decimal.Decimal, name string) decimal.Decimal {
	if k.absent == "" && !v.IsPositive() {
		return k.lacks("not meaningful: %s is %s", name, v.Round(2))
	}
	return v
}
