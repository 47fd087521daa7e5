package fundamental

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Group is what a ratio tells of.
type Group string

// Groups of ratios, in the order in which they are given.
const (
	Profitability     Group = "profitability"
	FinancialStrength Group = "strength" // what is owed, and what there is to pay it
	Activity          Group = "activity" // how fast money goes round
	Growth            Group = "growth"
	PerShare          Group = "per_share"
	Valuation         Group = "valuation"
)

// Groups lists the groups in their order.
func Groups() []Group {
	return []Group{Profitability, FinancialStrength, Activity, Growth, PerShare, Valuation}
}

// Units of ratios; sums are in the currency of the statements and figures per share
// in that a share ("USD/share").
const (
	UnitPercent = "%"
	UnitTimes   = "x"
	UnitDays    = "days"
)

// Ratio is one measure of a company, or why there is none.
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
	// AsOf is the day of the newest input: the end of the period, or of the price.
	AsOf time.Time
	// Flags are those of the inputs: suspect, restated.
	Flags []market.Flag
}

// Input is a number that went into a ratio.
type Input struct {
	ID    string // unique among the terms of a company: "revenue.FY2025", "price"
	Label string // "revenue FY2025"
	Value decimal.Decimal
	Unit  string
	AsOf  time.Time // the end of its period, or the day that it counts
	// From is the filing that it is from, where it is known: "10-K 0000320193-25-000079 filed 2025-10-31".
	From    string
	Formula string // of a figure that was derived itself
	Flags   []market.Flag
}

// SharePrice is what a share cost.
type SharePrice struct {
	Value    decimal.Decimal
	Currency string
	AsOf     time.Time
	// Actions are what happened to the shares between the statements and the
	// price. Nil means that it is not known.
	Actions []market.Action
}

// Company is what ratios are computed of. Gather makes one.
type Company struct {
	// Period is the year, or the last four quarters, whose flows count.
	Period market.Statement
	// End has the balances at its end, Begin those of a year before; Begin has no
	// items where they are not known.
	End, Begin market.Statement
	// ShareCount is the newest statement that counts the shares outstanding.
	ShareCount market.Statement
	// Years are the fiscal years, newest first, for growth.
	Years []market.Statement
	// Price is nil if there is none; NoPriceReason then gives the reason.
	Price         *SharePrice
	NoPriceReason string
}

// Ratios computes the ratios of a company, in the order of their groups. Those that
// mean nothing for its kind of business (the current ratio of a bank) are left
// out.
func Ratios(c Company) []Ratio {
	k := calculator{company: c, computed: make(map[string]Ratio)}
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
