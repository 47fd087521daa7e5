package prices

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// unknownCurrency is the unit of a price whose source does not tell it: the reader's
// own must not be read into it.
const unknownCurrency = "of unknown currency"

// priceUnit is what prices are counted in: a currency, or for an index its unit.
func priceUnit(p market.Provenance) string {
	if unit := toolkit.UnitOf(p); unit != "" && unit != "price" {
		return unit
	}
	return unknownCurrency
}

// unitSuffix says it after a noun: closes "in USD".
func unitSuffix(p market.Provenance) string {
	if unit := priceUnit(p); unit != unknownCurrency {
		return "in " + unit
	}
	return unknownCurrency
}

// priceOrigin is the origin of prices. It says so if their currency is unknown, because a
// missing field tells a model nothing.
func priceOrigin(p market.Provenance, remarks ...string) toolkit.Origin {
	if priceUnit(p) == unknownCurrency {
		remarks = append(remarks, "the currency of these prices is not told")
	}
	return toolkit.OriginOf(p, remarks...)
}
