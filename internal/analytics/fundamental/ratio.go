package fundamental

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Group is the category of a ratio.
type Group string

// Groups of ratios, in display order.
const (
	Profitability     Group = "profitability"
	FinancialStrength Group = "strength" // debt and ability to pay it
	Activity          Group = "activity" // turnover, and days that balances last
	Growth            Group = "growth"
	PerShare          Group = "per_share"
	Valuation         Group = "valuation"
)

// Groups returns all groups in display order.
func Groups() []Group {
	return []Group{Profitability, FinancialStrength, Activity, Growth, PerShare, Valuation}
}

// Units of ratios. Amounts are in the currency of the statements, and per-share figures in that currency
// per share ("USD/share").
const (
	UnitPercent = "%"
	UnitTimes   = "x"
	UnitDays    = "days"
)

// Ratio is one measure of a company, or the reason why it is missing.
type Ratio struct {
	ID    string
	Label string
	Group Group
	Unit  string
	// Value is in Unit and not rounded; invalid if Missing gives the reason.
	Value   decimal.NullDecimal
	Missing string
	Formula string
	Inputs  []Input
	// AsOf is the date of the newest input: the end of the period, or the date of the price.
	AsOf time.Time
	// Flags are the flags of the inputs: suspect, restated.
	Flags []market.Flag
}

// Input is a number that went into a ratio.
type Input struct {
	ID    string // unique among the terms of a company: "revenue.FY2025", "price"
	Label string // "revenue FY2025"
	Value decimal.Decimal
	Unit  string
	AsOf  time.Time // end of its period, or date of the price or share count
	// From is the filing of the figure, if known: "10-K 0000320193-25-000079 filed 2025-10-31".
	From    string
	Formula string // set if the figure was itself derived
	Flags   []market.Flag
}

// SharePrice is the price of a share.
type SharePrice struct {
	Value    decimal.Decimal
	Currency string
	AsOf     time.Time
	// Actions are splits and similar events between the statements and the price. Nil means
	// unknown.
	Actions []market.Action
}

// Company holds the data from which ratios are computed. Create it with NewCompany.
type Company struct {
	// Security is the priced security. Figures per share are missing unless it is a common share or
	// represents a known number of them.
	Security market.Instrument
	// Period is the year, or the last four quarters, from which flows are taken.
	Period market.Statement
	// End has the balances at the end of the period, Begin those a year earlier, without items if
	// unknown.
	End, Begin market.Statement
	// ShareCount is the newest statement with the number of shares outstanding.
	ShareCount market.Statement
	// Years are the fiscal years, newest first, for growth.
	Years []market.Statement
	// Price is nil if there is none; NoPriceReason then gives the reason.
	Price         *SharePrice
	NoPriceReason string
}

// Ratios computes the ratios of a company, in the order of their groups. Ratios that are not
// meaningful for its business (the current ratio of a bank) are omitted.
func Ratios(c Company) []Ratio {
	k := calculator{company: c.onTradedBasis(), computed: make(map[string]Ratio)}
	var out []Ratio
	for _, d := range definitions() {
		if !d.fits(c.Period.Template) {
			continue
		}
		r := k.ratio(d)
		k.computed[d.id] = r
		out = append(out, r)
	}
	return out
}

// unitKind is the unit of a ratio before the currency is known.
type unitKind string

const (
	percent  unitKind = UnitPercent
	times    unitKind = UnitTimes
	days     unitKind = UnitDays
	money    unitKind = "money"
	perShare unitKind = "per share"
)

func (u unitKind) label(currency string) string {
	if currency == "" {
		currency = "currency of the statements"
	}
	switch u {
	case money:
		return currency
	case perShare:
		return currency + "/share"
	}
	return string(u)
}

// definition defines how a ratio is computed.
type definition struct {
	id, label string
	group     Group
	unit      unitKind
	formula   string
	compute   func(*calculator) decimal.Decimal
	// templates are the statement templates of businesses for which the ratio is meaningful. Empty means
	// all.
	templates []market.Template
}

func (d definition) fits(t market.Template) bool {
	return len(d.templates) == 0 || slices.Contains(d.templates, t) || t == "" && slices.Contains(d.templates, market.TemplateGeneral)
}

// definitions returns the ratios. Those that others use come first.
func definitions() []definition {
	return slices.Concat(profitabilityRatios(), balanceRatios(), activityRatios(), growthRatios(), perShareRatios(), valuationRatios())
}

// generalOnly marks ratios that do not apply to banks and insurers, which have no operating income
// and work with debt.
func generalOnly(all ...definition) []definition {
	return onlyFor(market.TemplateGeneral, all...)
}

func onlyFor(t market.Template, all ...definition) []definition {
	for i := range all {
		all[i].templates = []market.Template{t}
	}
	return all
}

func hundredfold(d decimal.Decimal) decimal.Decimal { return d.Shift(2) }

// calculator computes one ratio after another. Once an input is missing, missing gives the reason and
// further results are ignored.
type calculator struct {
	company  Company
	computed map[string]Ratio

	inputs  []Input
	missing string
	formula string
}

// quotientDigits is the number of decimals of quotients: at least 16 significant digits for ratios
// above 0.0001.
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

// setMissing records why there is no ratio; the first reason is kept.
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

// PeriodName returns the name of a period in formula terms: "FY2025" or "TTM 2025-06-28".
func PeriodName(s market.Statement) string {
	switch s.FiscalPeriod {
	case "FY":
		return fmt.Sprintf("FY%d", s.FiscalYear)
	case "TTM", "":
		return strings.TrimSpace(s.FiscalPeriod + " " + s.PeriodEnd.Format(time.DateOnly))
	}
	return fmt.Sprintf("%s %d", s.FiscalPeriod, s.FiscalYear)
}

// flow returns a statement's item for its period.
func (k *calculator) flow(s market.Statement, item string) decimal.Decimal {
	return k.item(s, item, PeriodName(s))
}

// itemOfPeriod returns a flow of the company's period.
func (k *calculator) itemOfPeriod(item string) decimal.Decimal { return k.flow(k.company.Period, item) }

// balanceAtEnd returns a balance at the end of the period.
func (k *calculator) balanceAtEnd(item string) decimal.Decimal { return k.balance(k.company.End, item) }

func (k *calculator) balance(s market.Statement, item string) decimal.Decimal {
	return k.item(s, item, s.PeriodEnd.Format(time.DateOnly))
}

// reported returns a balance that companies omit if they have none, or zero if it is missing.
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
		return k.setMissing("%s was not found", name)
	case !ok:
		return k.setMissing("%s of %s was not found", name, of)
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

// average returns the mean of a balance at both ends of the period. If the start is unknown, it is
// the balance at the end, and the formula says so.
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
		k.formula += "; " + name + " of the previous year is unknown; the year-end value is used instead of the average"
		return end
	}
	return begin.Add(end).Div(decimal.NewFromInt(2))
}

// ratioOf returns a ratio that was computed earlier.
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

// divide divides by a number that must be positive for a meaningful quotient.
func (k *calculator) divide(a, b decimal.Decimal, divisor string) decimal.Decimal {
	if k.missing != "" {
		return decimal.Zero
	}
	if !b.IsPositive() {
		return k.setMissing("not meaningful: %s is %s", divisor, b.Round(2))
	}
	return a.DivRound(b, quotientDigits)
}

// requirePositive returns a number that must be positive, such as the denominator of a price
// multiple.
func (k *calculator) requirePositive(v decimal.Decimal, name string) decimal.Decimal {
	if k.missing == "" && !v.IsPositive() {
		return k.setMissing("not meaningful: %s is %s", name, v.Round(2))
	}
	return v
}
