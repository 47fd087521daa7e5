package investor

import (
	"context"
	"errors"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// What the errors of this package mean.
var (
	// ErrInvalidEntry means that an entry says what cannot be; the message says what.
	ErrInvalidEntry = errors.New("invalid entry")
	// ErrEntryNotFound means that there is no entry of that symbol or ID.
	ErrEntryNotFound = errors.New("no such entry")
	// ErrMismatch means that a price or growth is of another symbol or time than the
	// entry that it is held against.
	ErrMismatch = errors.New("of another symbol or time")
)

// WatchedSymbol is a symbol that the user keeps an eye on. There is one for each symbol.
type WatchedSymbol struct {
	Symbol  market.Symbol `json:"symbol"`
	Added   market.Date   `json:"added"`
	Note    string        `json:"note,omitempty"`
	Targets []PriceTarget `json:"targets,omitempty"`
}

// TargetSide is from where a price comes to its target.
type TargetSide string

// Sides of a target.
const (
	Above TargetSide = "above" // reached at the price or higher
	Below TargetSide = "below" // reached at the price or lower
)

// PriceTarget is a price at which the user wants to look.
type PriceTarget struct {
	Side     TargetSide      `json:"side"`
	Price    decimal.Decimal `json:"price"`
	Currency string          `json:"currency,omitempty"` // ISO 4217, empty for a pure index
}

// Decision is what the user decided, as they saw it on its day.
type Decision struct {
	ID     string         `json:"id"`
	Date   market.Date    `json:"date"`
	Action DecisionAction `json:"action"`
	// Assets are the assets that it is about with their prices of the time, the one
	// that it is mainly about first.
	Assets []PricedAsset `json:"marks"`
	// Thesis is why, and Invalidation what would show it to be wrong.
	Thesis       string `json:"thesis"`
	Invalidation string `json:"disproof"`
	// Benchmark is what the money could have done instead; without one the decision
	// has a return but is neither right nor wrong.
	Benchmark *PricedAsset `json:"benchmark,omitempty"`
	// ReviewOn is the end of the horizon, or the day to look again.
	ReviewOn market.Date `json:"review_on,omitzero"`
	// Confidence is the probability, from 0 to 1, that the user gave it of being
	// right; invalid where they gave none.
	Confidence decimal.NullDecimal `json:"confidence,omitzero"`
	// Closed is the day on which the user ended it, with what came of it in their
	// own words. Zero is open.
	Closed  market.Date `json:"closed,omitzero"`
	Outcome string      `json:"outcome,omitempty"`
}

// DecisionAction is what was decided.
type DecisionAction string

// Actions of a decision.
const (
	ActionBuy   DecisionAction = "buy"
	ActionSell  DecisionAction = "sell"
	ActionHold  DecisionAction = "hold"
	ActionAvoid DecisionAction = "avoid"
	ActionOther DecisionAction = "other" // has no direction and is never right or wrong
)

// DecisionActions lists them all.
func DecisionActions() []DecisionAction {
	return []DecisionAction{ActionBuy, ActionSell, ActionHold, ActionAvoid, ActionOther}
}

// PricedAsset is an asset with its price at a time. The price is invalid where it was not
// known; then nothing else of it is set.
type PricedAsset struct {
	Symbol   market.Symbol       `json:"symbol"`
	Price    decimal.NullDecimal `json:"price,omitzero"`
	Currency string              `json:"currency,omitempty"` // empty for a pure index
	AsOf     market.Date         `json:"as_of,omitzero"`
	Source   string              `json:"source,omitempty"`
}

// Watchlist keeps watches. It is safe for concurrent use.
type Watchlist interface {
	// Watches lists all of them by their symbols.
	Watches(ctx context.Context) ([]WatchedSymbol, error)
	// PutWatch adds a valid watch, or puts it in the place of that of its symbol.
	PutWatch(ctx context.Context, w WatchedSymbol) error
	// RemoveWatch takes one away. Where there is none it is ErrEntryNotFound.
	RemoveWatch(ctx context.Context, symbol market.Symbol) error
}

// Decisions keeps decisions. It is safe for concurrent use.
type Decisions interface {
	// Decisions lists all of them, oldest first; those of a day by ID.
	Decisions(ctx context.Context) ([]Decision, error)
	// PutDecision adds a valid decision, or puts it in the place of that of its ID.
	PutDecision(ctx context.Context, d Decision) error
	// RemoveDecision takes one away. Where there is none it is ErrEntryNotFound.
	RemoveDecision(ctx context.Context, id string) error
}

// JournalStore keeps both.
type JournalStore interface {
	Watchlist
	Decisions
}
