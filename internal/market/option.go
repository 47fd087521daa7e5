package market

import (
	"context"
	"time"

	"github.com/shopspring/decimal"
)

// OptionKind is the right that an option gives.
type OptionKind string

// Kinds of option.
const (
	Call OptionKind = "call"
	Put  OptionKind = "put"
)

// OptionQuote holds the prices of one listed option, per share of the underlying.
type OptionQuote struct {
	Contract     string              `json:"contract"` // "AAPL261218C00200000"
	Kind         OptionKind          `json:"type"`
	Strike       decimal.Decimal     `json:"strike"`
	Bid          decimal.NullDecimal `json:"bid"`
	Ask          decimal.NullDecimal `json:"ask"`
	Last         decimal.NullDecimal `json:"last"`
	LastTraded   time.Time           `json:"last_traded,omitzero"`
	Volume       int64               `json:"volume"`
	OpenInterest int64               `json:"open_interest"`
	// Implied is the source's own implied volatility, as a fraction.
	Implied decimal.NullDecimal `json:"implied_volatility"`
	InMoney bool                `json:"in_the_money"`
}

// OptionChain holds the listed options of one expiry, sorted by strike.
type OptionChain struct {
	Instrument
	Spot       decimal.NullDecimal `json:"spot"`
	Expiry     Date                `json:"expiry"`
	Expiries   []Date              `json:"expiries"` // all listed ones
	Options    []OptionQuote       `json:"options"`
	Provenance Provenance          `json:"provenance"`
}

// OptionSource provides option chains; a zero expiry means the next one. An unlisted symbol yields
// ErrUnknownSymbol, a symbol without options ErrNoData.
type OptionSource interface {
	OptionChain(ctx context.Context, sym Symbol, expiry Date) (OptionChain, error)
}
