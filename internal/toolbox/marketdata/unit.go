package marketdata

import (
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// unknownCurrency is the unit of a price whose source does not tell it: the reader's
// own must not be read into it.
const unknownCurrency = "of unknown currency"

// unitOf is what prices are counted in: a currency, or for an index its unit.
func unitOf(p market.Provenance) string {
	if unit := present.UnitOf(p); unit != "" && unit != "price" {
		return unit
	}
	return unknownCurrency
}

// counted says it after a noun: closes "in USD".
func counted(p market.Provenance) string {
	if unit := unitOf(p); unit != unknownCurrency {
		return "in " + unit
	}
	return unknownCurrency
}

// originOf is the origin of prices, which says where their currency is not told: a
// field that is left out says nothing to a model.
func originOf(p market.Provenance, remarks ...string) present.Origin {
	if unitOf(p) == unknownCurrency {
		remarks = append(remarks, "the currency of these prices is not told")
	}
	return present.OriginOf(p, remarks...)
}
