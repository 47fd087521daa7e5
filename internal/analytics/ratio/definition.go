package ratio

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// unit is what a ratio is counted in.
type unit string

const (
	percent  unit = Percent
	times    unit = Times
	days     unit = Days
	money    unit = "money"
	perShare unit = "per share"
)

func (u unit) of(currency string) string {
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

// places are the digits after the point that are given.
func (u unit) places() int32 {
	switch u {
	case days:
		return 1
	case perShare, times:
		return 4
	}
	return 2
}

// definition is how a ratio is made.
type definition struct {
	id, label string
	group     Group
	unit      unit
	formula   string
	of        func(*calc) decimal.Decimal
	// only are the templates of the businesses that it means something for; none
	// is all of them.
	only []market.Template
}

func (d definition) fits(t market.Template) bool {
	return len(d.only) == 0 || slices.Contains(d.only, t) || t == "" && slices.Contains(d.only, market.TemplateGeneral)
}

// definitions lists the ratios; those that others need come before them.
func definitions() []definition {
	return slices.Concat(profitability(), strength(), activity(), growth(), shares(), valuation())
}

// general marks ratios of businesses that make and sell: banks and insurers have no
// operating income, and debt is what they work with.
func general(all ...definition) []definition {
	return onlyFor(market.TemplateGeneral, all...)
}

func onlyFor(t market.Template, all ...definition) []definition {
	for i := range all {
		all[i].only = []market.Template{t}
	}
	return all
}

func hundredfold(d decimal.Decimal) decimal.Decimal { return d.Shift(2) }
