package holdings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// notKnown is where everything stands of which nobody said what it is.
const notKnown = "not known"

type allocationAnswer struct {
	Day        string             `json:"day"`
	Currency   string             `json:"currency"`
	Accounts   []string           `json:"accounts"`
	Warnings   []string           `json:"warnings"`
	Total      *decimal.Decimal   `json:"total,omitempty"`
	Whole      bool               `json:"whole"`
	Dimensions []dimension        `json:"dimensions"`
	Drift      []driftLine        `json:"drift"`
	Unvalued   []book.Lack        `json:"unvalued"`
	Notes      []string           `json:"notes"`
	Prices     []book.PriceOrigin `json:"prices"`
	Rates      []book.RateLine    `json:"rates"`

	// Outside is told to models: names are those of the files that they came from.
	Outside string `json:"outside,omitempty"`

	day    market.Date
	total  decimal.Decimal
	spared []string // words with digits that are no amounts
}

// dimension is one way to divide the book.
type dimension struct {
	By    string `json:"by"`
	Parts []part `json:"parts"` // the largest first; what is not known last
}

type part struct {
	Name      string           `json:"name"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty"`
	Value     *decimal.Decimal `json:"value,omitempty"`
	Symbols   []string         `json:"symbols,omitempty"` // of what is not known

	worth decimal.Decimal
}

// driftLine is a symbol, or cash, beside its target.
type driftLine struct {
	Symbol    string           `json:"symbol"`
	WeightPct decimal.Decimal  `json:"weight_pct"`
	TargetPct *decimal.Decimal `json:"target_pct,omitempty"` // nil where none is set
	DriftPP   *decimal.Decimal `json:"drift_pp,omitempty"`
}

const (
	byClass    = "class"
	byCurrency = "currency"
	byRegion   = "region"
	bySector   = "sector"
	byAccount  = "account"
	bySymbol   = "symbol"
	cashName   = "cash"
)

func allocationOf(o book.Opened, v book.Valuation) allocationAnswer {
	a := allocationAnswer{
		Day: present.Dated(v.Day), day: v.Day, Currency: v.Base, Accounts: v.Accounts, Warnings: v.PriceWarnings(), Whole: v.Whole,
		Drift: []driftLine{}, Unvalued: v.Lacks(), Notes: untracked(o, v.Accounts), Prices: v.PriceOrigins(), Rates: v.RateLines(), total: v.Total, spared: v.Spared(o),
	}
	splits, _ := o.Disputes(v)
	a.Warnings = append(slices.Insert(splits, 0, o.Ahead...), a.Warnings...)
	if !v.Whole {
		a.Warnings = append(a.Warnings, "the weights are of a part: see what has no value")
	}
	for _, by := range []string{byClass, byCurrency, byRegion, bySector, byAccount, bySymbol} {
		a.Dimensions = append(a.Dimensions, divided(v, by))
	}
	if slices.ContainsFunc(a.Dimensions[0].Parts, func(p part) bool { return p.WeightPct != nil }) {
		a.Total = book.Money(decimal.NewNullDecimal(v.Total), v.Base)
	}
	for _, dim := range a.Dimensions {
		if p := dim.Parts[len(dim.Parts)-1:]; len(p) == 1 && p[0].Name == notKnown {
			a.Notes = append(a.Notes, fmt.Sprintf("the %s of %s is not known; to say what it is: portfolio_settings {\"securities\":[{\"symbol\":%q,%q:\"...\"}]} (nfa portfolio facts %s --%s %s)",
				dim.By, present.Few(p[0].Symbols), p[0].Symbols[0], dim.By, p[0].Symbols[0], dim.By, strings.ToUpper(dim.By)))
		}
	}
	return a
}

// divided adds up what has a value by one of its properties.
func divided(v book.Valuation, by string) dimension {
	at, parts := map[string]int{}, []part{}
	add := func(name, symbol string, worth decimal.Decimal) {
		i, ok := at[name]
		if !ok {
			i = len(parts)
			at[name] = i
			parts = append(parts, part{Name: name})
		}
		parts[i].worth = parts[i].worth.Add(worth)
		if name == notKnown && !slices.Contains(parts[i].Symbols, symbol) {
			parts[i].Symbols = append(parts[i].Symbols, symbol)
		}
	}
	for _, l := range v.Lines {
		switch {
		case !l.Base.Valid:
		case by == byAccount:
			for _, lot := range l.Lots {
				add(lot.Account, "", lot.Quantity.Mul(l.Price.Value).Mul(l.Rate.Value))
			}
		default:
			add(property(l, by), string(l.Symbol), l.Base.Decimal)
		}
	}
	for _, c := range v.Cash {
		if c.Base.Valid {
			add(cashIn(c, by), cashName, c.Base.Decimal)
		}
	}
	for i := range parts {
		parts[i].Value = book.Money(decimal.NewNullDecimal(parts[i].worth), v.Base)
		parts[i].WeightPct = present.ShareOf(decimal.NewNullDecimal(parts[i].worth), decimal.NewNullDecimal(v.Total))
	}
	slices.SortStableFunc(parts, func(a, b part) int {
		if (a.Name == notKnown) != (b.Name == notKnown) {
			if a.Name == notKnown {
				return 1
			}
			return -1
		}
		return cmp.Or(b.worth.Cmp(a.worth), cmp.Compare(a.Name, b.Name))
	})
	return dimension{By: by, Parts: parts}
}

// property is what a security is by one of the dimensions.
func property(l book.Line, by string) string {
	switch by {
	case byClass:
		return classOf(l)
	case byCurrency:
		return cmp.Or(l.Price.Provenance.Currency, notKnown)
	case byRegion:
		return cmp.Or(l.Facts.Region, notKnown)
	case bySector:
		return cmp.Or(l.Facts.Sector, notKnown)
	}
	return string(l.Symbol)
}

// classOf is what the user said, else what the kind of the instrument leaves no doubt
// about: a fund may be of any class.
func classOf(l book.Line) string {
	if l.Facts.Class != "" {
		return string(l.Facts.Class)
	}
	switch l.Price.Instrument.Kind {
	case "equity":
		return string(portfolio.ClassEquity)
	case "crypto":
		return string(portfolio.ClassCrypto)
	case "currency":
		return string(portfolio.ClassCash)
	}
	return notKnown
}

func cashIn(c book.Cash, by string) string {
	switch by {
	case byCurrency:
		return c.Currency
	case byAccount:
		return c.Account
	}
	return cashName
}

// drift sets the weights of symbols and cash beside the targets.
func (a *allocationAnswer) drift(o book.Opened, v book.Valuation) {
	if len(o.Targets) == 0 || !v.Total.IsPositive() {
		return
	}
	weights, order := map[string]decimal.Decimal{}, []string{}
	add := func(name string, worth decimal.Decimal) {
		if _, ok := weights[name]; !ok {
			order = append(order, name)
		}
		weights[name] = weights[name].Add(worth.Shift(2).DivRound(v.Total, fractionPlaces))
	}
	targets, left := map[string]decimal.Decimal{}, decimal.NewFromInt(100)
	for _, t := range o.Targets {
		targets[string(t.Symbol)] = t.Weight.Shift(2)
		left = left.Sub(t.Weight.Shift(2))
		add(string(t.Symbol), decimal.Zero)
	}
	targets[cashName] = left
	add(cashName, decimal.Zero)
	for _, l := range v.Lines {
		if l.Base.Valid {
			add(string(l.Symbol), l.Base.Decimal)
		}
	}
	for _, c := range v.Cash {
		if c.Base.Valid {
			add(cashName, c.Base.Decimal)
		}
	}
	for _, name := range order {
		line := driftLine{Symbol: name, WeightPct: weights[name].Round(2)}
		if target, ok := targets[name]; ok {
			apart := weights[name].Sub(target).Round(2)
			line.TargetPct, line.DriftPP = &target, &apart
		}
		a.Drift = append(a.Drift, line)
	}
}
