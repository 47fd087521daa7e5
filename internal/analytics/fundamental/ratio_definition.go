package fundamental

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// unitKind is what a ratio is counted in.
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

// definition is how a ratio is made.
type definition struct {
	id, label string
	group     Group
	unit      unitKind
	formula   string
	compute   func(*calculator) decimal.Decimal
	// templates are the templates of the businesses that it means something for; none
	// is all of them.
	templates []market.Template
}

func (d definition) fits(t market.Template) bool {
	return len(d.templates) == 0 || slices.Contains(d.templates, t) || t == "" && slices.Contains(d.templates, market.TemplateGeneral)
}

// definitions lists the ratios; those that others need come before them.
func definitions() []definition {
	return slices.Concat(profitabilityRatios(), balanceRatios(), activityRatios(), growthRatios(), perShareRatios(), valuationRatios())
}

// generalOnly marks ratios of businesses that make and sell: banks and insurers have no
// operating income, and debt is what they work with.
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
