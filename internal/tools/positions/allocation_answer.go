package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// unknownPart is where everything stands of which nobody said what it is.
const unknownPart = "not known"

type allocationAnswer struct {
	Day        string           `json:"day"`
	Currency   string           `json:"currency"`
	Accounts   []string         `json:"accounts"`
	Warnings   []string         `json:"warnings"`
	Total      *decimal.Decimal `json:"total,omitempty"`
	Whole      bool             `json:"whole"`
	Dimensions []dimension      `json:"dimensions"`
	Drift      []driftLine      `json:"drift"`
	Unvalued   []MissingValue   `json:"unvalued"`
	Notes      []string         `json:"notes"`
	Prices     []PriceOrigin    `json:"prices"`
	Rates      []RateLine       `json:"rates"`

	// Outside tells models that names are those of the files that they came from.
	Outside string `json:"outside,omitempty"`

	day        market.Date
	total      decimal.Decimal
	maskExempt []string // words with digits that are no amounts
}

// dimension is one way to divide the portfolio.
type dimension struct {
	By    string           `json:"by"`
	Parts []allocationPart `json:"parts"` // the largest first; what is not known last
}

type allocationPart struct {
	Name      string           `json:"name"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty"`
	Value     *decimal.Decimal `json:"value,omitempty"`
	Symbols   []string         `json:"symbols,omitempty"` // of what is not known

	marketValue decimal.Decimal
}

// driftLine is a symbol, or cash, with its target.
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

func newAllocationAnswer(o Portfolio, v Valuation) allocationAnswer {
	a := allocationAnswer{
		Day: toolkit.FormatDate(v.Day), day: v.Day, Currency: v.Base, Accounts: v.Accounts, Warnings: v.PriceWarnings(), Whole: v.Complete,
		Drift: []driftLine{}, Unvalued: v.MissingValues(), Notes: untrackedCashNotes(o, v.Accounts), Prices: v.PriceOrigins(), Rates: v.RateLines(), total: v.Total, maskExempt: v.MaskExemptions(o),
	}
	splits, _ := o.SplitWarnings(v)
	a.Warnings = append(slices.Insert(splits, 0, o.LaterWarnings...), a.Warnings...)
	if !v.Complete {
		a.Warnings = append(a.Warnings, "the weights are of a part: see what has no value")
	}
	for _, by := range []string{byClass, byCurrency, byRegion, bySector, byAccount, bySymbol} {
		a.Dimensions = append(a.Dimensions, newDimension(v, by))
	}
	if slices.ContainsFunc(a.Dimensions[0].Parts, func(p allocationPart) bool { return p.WeightPct != nil }) {
		a.Total = RoundMoney(decimal.NewNullDecimal(v.Total), v.Base)
	}
	for _, dim := range a.Dimensions {
		if p := dim.Parts[len(dim.Parts)-1:]; len(p) == 1 && p[0].Name == unknownPart {
			a.Notes = append(a.Notes, fmt.Sprintf("the %s of %s is not known; to say what it is: portfolio_settings {\"securities\":[{\"symbol\":%q,%q:\"...\"}]} (nfa portfolio facts %s --%s %s)",
				dim.By, toolkit.JoinFew(p[0].Symbols), p[0].Symbols[0], dim.By, p[0].Symbols[0], dim.By, strings.ToUpper(dim.By)))
		}
	}
	return a
}

// newDimension adds up what has a value by one of its properties.
func newDimension(v Valuation, by string) dimension {
	at, parts := map[string]int{}, []allocationPart{}
	add := func(name, symbol string, worth decimal.Decimal) {
		i, ok := at[name]
		if !ok {
			i = len(parts)
			at[name] = i
			parts = append(parts, allocationPart{Name: name})
		}
		parts[i].marketValue = parts[i].marketValue.Add(worth)
		if name == unknownPart && !slices.Contains(parts[i].Symbols, symbol) {
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
			add(partName(l, by), string(l.Symbol), l.Base.Decimal)
		}
	}
	for _, c := range v.Cash {
		if c.Base.Valid {
			add(cashPart(c, by), cashName, c.Base.Decimal)
		}
	}
	for i := range parts {
		parts[i].Value = RoundMoney(decimal.NewNullDecimal(parts[i].marketValue), v.Base)
		parts[i].WeightPct = toolkit.SharePct(decimal.NewNullDecimal(parts[i].marketValue), decimal.NewNullDecimal(v.Total))
	}
	slices.SortStableFunc(parts, func(a, b allocationPart) int {
		if (a.Name == unknownPart) != (b.Name == unknownPart) {
			if a.Name == unknownPart {
				return 1
			}
			return -1
		}
		return cmp.Or(b.marketValue.Cmp(a.marketValue), cmp.Compare(a.Name, b.Name))
	})
	return dimension{By: by, Parts: parts}
}

// partName is what a security is by one of the dimensions.
func partName(l ValuedPosition, by string) string {
	switch by {
	case byClass:
		return classOf(l)
	case byCurrency:
		return cmp.Or(l.Price.Provenance.Currency, unknownPart)
	case byRegion:
		return cmp.Or(l.Facts.Region, unknownPart)
	case bySector:
		return cmp.Or(l.Facts.Sector, unknownPart)
	}
	return string(l.Symbol)
}

// classOf is what the user said, else what the kind of the instrument leaves no doubt
// about: a fund may be of any class.
func classOf(l ValuedPosition) string {
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
	return unknownPart
}

func cashPart(c ValuedCash, by string) string {
	switch by {
	case byCurrency:
		return c.Currency
	case byAccount:
		return c.Account
	}
	return cashName
}

// drift compares the weights of symbols and cash with the targets.
func (a *allocationAnswer) drift(o Portfolio, v Valuation) {
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
	targets, remaining := map[string]decimal.Decimal{}, decimal.NewFromInt(100)
	for _, t := range o.Targets {
		targets[string(t.Symbol)] = t.Weight.Shift(2)
		remaining = remaining.Sub(t.Weight.Shift(2))
		add(string(t.Symbol), decimal.Zero)
	}
	targets[cashName] = remaining
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
