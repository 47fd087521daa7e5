package rebalance

import (
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
)

// Plan lists trades and their result.
type Plan struct {
	Total   decimal.Decimal `json:"total"`  // with flows, before fees
	Drift   []Drift         `json:"drift"`  // by symbol, cash last
	Trades  []Trade         `json:"trades"` // sales first, then by account and symbol
	Cash    []AccountCash   `json:"cash"`   // by account
	Skipped []SkippedTrade  `json:"left_out"`
	// Reason explains why there are no trades.
	Reason string `json:"why,omitempty"`

	Bought decimal.Decimal `json:"bought"`
	Sold   decimal.Decimal `json:"sold"`
	Fees   decimal.Decimal `json:"fees"`
	// Turnover is the smaller of Bought and Sold divided by Total, as funds report it. Deposits and
	// withdrawals do not count.
	Turnover decimal.Decimal `json:"turnover"`
	// Gains are those of taxed accounts by term, for lots with a known cost; Unknown is the
	// proceeds of the others.
	Gains   []TermGain      `json:"gains"`
	Unknown decimal.Decimal `json:"unknown,omitzero"`
	// Tax is the tax on Gains at the given rates. Gains and losses of a term are offset, then the
	// remaining losses of one term with gains of the other; it is never negative. Invalid without
	// rates, or if anything sold in a taxed account has an unknown cost or term.
	Tax decimal.NullDecimal `json:"tax"`
}

// TermGain is the gain of one term.
type TermGain struct {
	Term tax.Term        `json:"term,omitempty"`
	Gain decimal.Decimal `json:"gain"`
}

// Drift is the distance from target before and after. Weights and values derived from them are
// rounded to 16 places.
type Drift struct {
	Symbol market.Symbol   `json:"symbol"` // empty for cash
	Value  decimal.Decimal `json:"value"`
	Weight decimal.Decimal `json:"weight"`
	Target decimal.Decimal `json:"target"`
	Drift  decimal.Decimal `json:"drift"` // Weight - Target
	Band   decimal.Decimal `json:"band"`
	// Outside reports whether the weight is outside its band. Cash above its target never is, because it is
	// to be invested.
	Outside      bool            `json:"outside"`
	ValueAfter   decimal.Decimal `json:"value_after"`
	WeightAfter  decimal.Decimal `json:"weight_after"`
	OutsideAfter bool            `json:"outside_after"`
}

// Side is the direction of a trade.
type Side string

// Sides.
const (
	Buy  Side = "buy"
	Sell Side = "sell"
)

// Trade is one order.
type Trade struct {
	Account  string          `json:"account"`
	Symbol   market.Symbol   `json:"symbol"`
	Side     Side            `json:"side"`
	Quantity decimal.Decimal `json:"quantity"`
	Price    decimal.Decimal `json:"price"`
	Value    decimal.Decimal `json:"value"` // Quantity * Price
	Fee      decimal.Decimal `json:"fee"`
	Untaxed  bool            `json:"untaxed,omitempty"`
	// Lots are the lots of a sale, and Gain is the sum of their gains; invalid if one is unknown.
	Lots []LotUse            `json:"lots,omitempty"`
	Gain decimal.NullDecimal `json:"gain"`
	// Tax is the tax on Lots; negative if a loss saves tax because there are gains to offset. Zero
	// in an untaxed account.
	Tax decimal.NullDecimal `json:"tax"`
}

// LotUse is a part of a lot that a sale takes.
type LotUse struct {
	Lot      string              `json:"lot,omitempty"`
	Acquired market.Date         `json:"acquired,omitzero"`
	Term     tax.Term            `json:"term,omitempty"`
	Quantity decimal.Decimal     `json:"quantity"`
	Proceeds decimal.Decimal     `json:"proceeds"` // after the fee
	Cost     decimal.NullDecimal `json:"cost"`
	Gain     decimal.NullDecimal `json:"gain"`
	Tax      decimal.NullDecimal `json:"tax"`
}

// AccountCash is the cash of an account.
type AccountCash struct {
	Account string          `json:"account"`
	Before  decimal.Decimal `json:"before"` // with its flow
	After   decimal.Decimal `json:"after"`
}

// SkippedTrade is a trade that is needed but not in the plan.
type SkippedTrade struct {
	Symbol market.Symbol   `json:"symbol"`
	Side   Side            `json:"side"`
	Value  decimal.Decimal `json:"value"` // needed to reach the target
	Reason Reason          `json:"reason"`
	From   market.Date     `json:"from,omitzero"` // earliest date, if known
}

// Reason is why a trade was skipped.
type Reason string

// Reasons.
const (
	TooSmall      Reason = "too small"               // less than one step, the smallest trade or its fee
	WashSale      Reason = "would cause a wash sale" // see Request.KeepLosses and BuyFrom
	NoCash        Reason = "no account has cash"
	CashKept      Reason = "the cash is reserved for the cash target"
	PurchasesOnly Reason = "only purchases were requested"
)
