package portfolio

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Security is what the user has said of a security: what no price tells. Each field
// may be empty, which is not known.
type Security struct {
	Symbol market.Symbol `json:"symbol"`
	Class  Class         `json:"class,omitempty"`
	Region string        `json:"region,omitempty"` // "US", "Europe", "World", "Emerging markets": in the user's words
	Sector string        `json:"sector,omitempty"`
	// Fee is the yearly cost of a fund, a fraction of one: 0.0007.
	Fee decimal.NullDecimal `json:"fee,omitzero"`
	// RecordedOn is the day on which it was so.
	RecordedOn market.Date `json:"said,omitzero"`
}

// Class is what a security is a claim on.
type Class string

// Classes of asset.
const (
	ClassEquity     Class = "equity"
	ClassBond       Class = "bond"
	ClassCash       Class = "cash" // and what is held in its place: money market funds
	ClassRealEstate Class = "real_estate"
	ClassCommodity  Class = "commodity"
	ClassCrypto     Class = "crypto"
	ClassMixed      Class = "mixed" // funds of several classes
	ClassOther      Class = "other"
)

// Classes lists them all.
func Classes() []Class {
	return []Class{ClassEquity, ClassBond, ClassCash, ClassRealEstate, ClassCommodity, ClassCrypto, ClassMixed, ClassOther}
}

// Target is the part of the portfolio that the user wants in a security.
type Target struct {
	Symbol market.Symbol   `json:"symbol"`
	Weight decimal.Decimal `json:"weight"` // a fraction of one; what all targets leave is for cash
}
