package investor

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Suggestion is a portfolio as it would be if the user followed it. What is not
// known is absent.
type Suggestion struct {
	Kind SuggestionKind
	// AsOf is the day of the suggestion, from which horizons count.
	AsOf time.Time
	// Weights are by symbol, fractions of the whole with its cash; below zero where
	// sold short.
	Weights map[string]decimal.Decimal
	// Classes are by symbol. What a symbol without one is a claim on is not known,
	// and neither what a fund of ClassMixed holds of each class.
	Classes    map[string]Class
	Cash       decimal.NullDecimal // as a fraction of the whole
	CashAmount Money
	// MaxLoss is what the portfolio may lose, as far as somebody computed it.
	MaxLoss Loss
	// Years is how long the money has to stay for the suggestion to make sense; zero
	// is not known.
	Years int
}

// Loss is a loss, a fraction of one. Its sign is of no account.
type Loss struct {
	Fraction decimal.NullDecimal
	Source   string // "largest drawdown of these weights, 2004 to 2024, sample"
}

// exposure is a suggestion made ready to be judged.
type exposure struct {
	Suggestion
	symbols []string // upper case, sorted
	weights map[string]decimal.Decimal
	classes map[string]Class
}

func exposureOf(s Suggestion) exposure {
	e := exposure{Suggestion: s, weights: map[string]decimal.Decimal{}, classes: map[string]Class{}}
	for symbol, weight := range s.Weights {
		key := strings.ToUpper(symbol)
		if !weight.IsZero() {
			e.weights[key] = e.weights[key].Add(weight)
		}
	}
	for symbol, class := range s.Classes {
		if slices.Contains(Classes(), class) {
			e.classes[strings.ToUpper(symbol)] = class
		}
	}
	e.symbols = slices.Sorted(maps.Keys(e.weights))
	return e
}

// largest is the symbol with the largest weight, long or short.
func (e exposure) largest() (symbol string, weight decimal.Decimal) {
	for _, s := range e.symbols {
		if w := e.weights[s].Abs(); w.GreaterThan(weight) {
			symbol, weight = s, w
		}
	}
	return symbol, weight
}

// classTotals of a class: the sum of its weights, the same with short positions counted
// as long ones, and the symbols that may be of it or not.
type classTotals struct {
	net, gross decimal.Decimal
	unknown    []string
	possible   decimal.Decimal // their weights above zero
}

func (e exposure) classTotals(class Class) classTotals {
	var p classTotals
	for _, symbol := range e.symbols {
		weight := e.weights[symbol]
		switch e.classes[symbol] {
		case class:
			p.net, p.gross = p.net.Add(weight), p.gross.Add(weight.Abs())
		case "", ClassMixed:
			p.unknown = append(p.unknown, symbol)
			p.possible = p.possible.Add(decimal.Max(weight, decimal.Zero))
		}
	}
	if class == ClassCash && e.Cash.Valid {
		p.net, p.gross = p.net.Add(e.Cash.Decimal), p.gross.Add(e.Cash.Decimal.Abs())
	}
	return p
}
