package investor

import (
	"context"
	"errors"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// Errors of the journal.
var (
	// ErrInvalidEntry means that an entry is invalid; the message says why.
	ErrInvalidEntry = errors.New("invalid entry")
	// ErrEntryNotFound means that no entry has the symbol or ID.
	ErrEntryNotFound = errors.New("no such entry")
	// ErrMismatch means that a price or return has another symbol or date than the entry.
	ErrMismatch = errors.New("symbol or date does not match")
)

// WatchedSymbol is an entry of the watchlist. Each symbol occurs once.
type WatchedSymbol struct {
	Symbol  market.Symbol `json:"symbol"`
	Added   market.Date   `json:"added"`
	Note    string        `json:"note,omitempty"`
	Targets []PriceTarget `json:"targets,omitempty"`
}

// TargetSide is the direction from which a price reaches its target.
type TargetSide string

// Target sides.
const (
	Above TargetSide = "above" // reached at this price or higher
	Below TargetSide = "below" // reached at this price or lower
)

// PriceTarget is a price that the user waits for. nfa sends no alerts; it is checked when shown.
type PriceTarget struct {
	Side     TargetSide      `json:"side"`
	Price    decimal.Decimal `json:"price"`
	Currency string          `json:"currency,omitempty"` // ISO 4217, empty for an index
}

// Decision is an investment decision, as the user saw it on its date.
type Decision struct {
	ID     string         `json:"id"`
	Date   market.Date    `json:"date"`
	Action DecisionAction `json:"action"`
	// Assets are the assets of the decision with their prices at the time, the main one first.
	Assets []PricedAsset `json:"marks"`
	// Thesis is the reason, and Invalidation what would prove it wrong.
	Thesis       string `json:"thesis"`
	Invalidation string `json:"disproof"`
	// Benchmark is the alternative for the money. Without it the decision has a return but is
	// neither right nor wrong.
	Benchmark *PricedAsset `json:"benchmark,omitempty"`
	// ReviewOn is the end of the horizon, or the review date.
	ReviewOn market.Date `json:"review_on,omitzero"`
	// Confidence is the user's probability of being right, from 0 to 1; invalid if not given.
	Confidence decimal.NullDecimal `json:"confidence,omitzero"`
	// Closed is the date the user closed the decision, with the outcome in their words. Zero if
	// open.
	Closed  market.Date `json:"closed,omitzero"`
	Outcome string      `json:"outcome,omitempty"`
}

// DecisionAction is the kind of decision.
type DecisionAction string

// Decision actions.
const (
	ActionBuy   DecisionAction = "buy"
	ActionSell  DecisionAction = "sell"
	ActionHold  DecisionAction = "hold"
	ActionAvoid DecisionAction = "avoid"
	ActionOther DecisionAction = "other" // has no direction and is never right or wrong
)

// DecisionActions returns all actions.
func DecisionActions() []DecisionAction {
	return []DecisionAction{ActionBuy, ActionSell, ActionHold, ActionAvoid, ActionOther}
}

// PricedAsset is an asset with its price at a time. If the price is unknown, it is invalid and the
// other fields are empty.
type PricedAsset struct {
	Symbol   market.Symbol       `json:"symbol"`
	Price    decimal.NullDecimal `json:"price,omitzero"`
	Currency string              `json:"currency,omitempty"` // empty for an index
	AsOf     market.Date         `json:"as_of,omitzero"`
	Source   string              `json:"source,omitempty"`
}

// Watchlist stores watched symbols. It is safe for concurrent use.
type Watchlist interface {
	// Watches returns all entries, sorted by symbol.
	Watches(ctx context.Context) ([]WatchedSymbol, error)
	// PutWatch adds a valid entry, or replaces the one with its symbol.
	PutWatch(ctx context.Context, w WatchedSymbol) error
	// RemoveWatch removes an entry, or returns ErrEntryNotFound.
	RemoveWatch(ctx context.Context, symbol market.Symbol) error
}

// Decisions stores decisions. It is safe for concurrent use.
type Decisions interface {
	// Decisions returns all decisions, sorted by date and then ID.
	Decisions(ctx context.Context) ([]Decision, error)
	// PutDecision adds a valid decision, or replaces the one with its ID.
	PutDecision(ctx context.Context, d Decision) error
	// RemoveDecision removes a decision, or returns ErrEntryNotFound.
	RemoveDecision(ctx context.Context, id string) error
}

// JournalStore stores the watchlist and decisions.
type JournalStore interface {
	Watchlist
	Decisions
}
