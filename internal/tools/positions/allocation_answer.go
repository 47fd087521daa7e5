package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// unknownPart is the part for everything whose class, region or sector is not recorded.
const unknownPart = "not known"

type allocationAnswer struct {
	Day          string                  `json:"day"`
	Currency     string                  `json:"currency"`
	Accounts     []string                `json:"accounts"`
	AccountsNote string                  `json:"accounts_note,omitempty"`
	Warnings     toolkit.Notes           `json:"warnings"`
	Total        *decimal.Decimal        `json:"total,omitempty" label:"market value" as:"money" key:"1" formula:"sum of all values" sensitive:"amount"`
	Whole        bool                    `json:"whole"`
	Dimensions   []dimension             `json:"dimensions"`
	Drift        []driftLine             `json:"drift" table:"Targets" max:"fit"`
	Unvalued     []MissingValue          `json:"unvalued"`
	Notes        toolkit.BackgroundNotes `json:"notes"`
	Prices       []PriceOrigin           `json:"prices" table:"-" max:"fit"`
	Rates        []RateLine              `json:"rates" table:"-"`
	Outside      string                  `json:"outside,omitempty"`

	Largest      string `json:"-" label:"largest part" key:"2"`
	AccountNames string `json:"-" label:"accounts"`

	day market.Date
}

// dimension is one way to divide the portfolio.
type dimension struct {
	By    string           `json:"by"`
	Parts []allocationPart `json:"parts" max:"fit"` // largest first; the unknown part last
}

type allocationPart struct {
	Name      string           `json:"name"`
	WeightPct *decimal.Decimal `json:"weight_pct,omitempty"`
	Value     decimal.Decimal  `json:"value" as:"money" sensitive:"amount"`
	Symbols   []string         `json:"symbols,omitempty"` // of the unknown part
}

// driftLine is the weight of a symbol, or of cash, and its target.
type driftLine struct {
	Symbol    string           `json:"symbol" label:"symbol"`
	WeightPct decimal.Decimal  `json:"weight_pct" label:"weight" as:"percent" in:"percent" formula:"value / total"`
	TargetPct *decimal.Decimal `json:"target_pct,omitempty" label:"target" as:"percent" in:"percent" basis:"as the user set it; the rest is for cash"` // nil if no target is set
	DriftPP   *decimal.Decimal `json:"drift_pp,omitempty" label:"drift" as:"points" in:"percent" formula:"weight - target"`
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
		Day: toolkit.FormatDate(v.Day), Currency: v.Base, Accounts: v.Accounts, AccountNames: toolkit.JoinFew(v.Accounts), Whole: v.Complete,
		Drift: []driftLine{}, Unvalued: v.MissingValues(), Prices: v.PriceOrigins(), Rates: v.RateLines(), Outside: outsideNamesNote, day: v.Day,
	}
	v.warn(o, &a.Warnings)
	noteUntrackedCash(&a.Notes, o, v.Accounts)
	v.noteBase(&a.Notes)
	for _, by := range []string{byClass, byCurrency, byRegion, bySector, byAccount, bySymbol} {
		a.Dimensions = append(a.Dimensions, newDimension(v, by))
	}
	if v.Total.IsPositive() {
		a.Total, a.Largest = &v.Total, a.bySymbol()[0].text()
	}
	for _, dim := range a.Dimensions {
		if i := slices.IndexFunc(dim.Parts, func(p allocationPart) bool { return p.Name == unknownPart }); i >= 0 {
			symbols := dim.Parts[i].Symbols
			first := symbols[0]
			a.Notes.Add("unclassified", "The %s of %s is not known; to set it: portfolio_settings {\"securities\":[{\"symbol\":%q,%q:\"...\"}]} (nfa portfolio classify %s --%s %s)",
				dim.By, toolkit.JoinFew(symbols), first, dim.By, first, dim.By, strings.ToUpper(dim.By))
		}
	}
	return a
}

// bySymbol returns the parts of the finest dimension.
func (a allocationAnswer) bySymbol() []allocationPart { return a.Dimensions[len(a.Dimensions)-1].Parts }

func (p allocationPart) text() string {
	return p.Name + " " + percentText(p.WeightPct, toolkit.Percent)
}

// newDimension groups everything that has a market value by one property.
func newDimension(v Valuation, by string) dimension {
	at, parts := map[string]int{}, []allocationPart{}
	add := func(name, symbol string, value decimal.Decimal) {
		i, ok := at[name]
		if !ok {
			i = len(parts)
			at[name] = i
			parts = append(parts, allocationPart{Name: name})
		}
		parts[i].Value = parts[i].Value.Add(value)
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
		parts[i].WeightPct = percentOf(decimal.NewNullDecimal(parts[i].Value), decimal.NewNullDecimal(v.Total))
	}
	slices.SortStableFunc(parts, func(a, b allocationPart) int {
		if (a.Name == unknownPart) != (b.Name == unknownPart) {
			if a.Name == unknownPart {
				return 1
			}
			return -1
		}
		return cmp.Or(b.Value.Cmp(a.Value), cmp.Compare(a.Name, b.Name))
	})
	return dimension{By: by, Parts: parts}
}

// partName returns the part of a dimension that a position belongs to.
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

// classOf returns the class that the user recorded, or the one that the kind of instrument implies.
// A fund may be of any class.
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

// drift compares the weights of symbols and cash with their targets.
func (a *allocationAnswer) drift(o Portfolio, v Valuation) {
	if len(o.Targets) == 0 || !v.Total.IsPositive() {
		return
	}
	weights, order := map[string]decimal.Decimal{}, []string{}
	add := func(name string, value decimal.Decimal) {
		if _, ok := weights[name]; !ok {
			order = append(order, name)
		}
		weights[name] = weights[name].Add(value.Shift(2).DivRound(v.Total, quotientPlaces))
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
		line := driftLine{Symbol: name, WeightPct: weights[name]}
		if target, ok := targets[name]; ok {
			apart := weights[name].Sub(target)
			line.TargetPct, line.DriftPP = &target, &apart
		}
		a.Drift = append(a.Drift, line)
	}
}

// allocationBar is the length of the longest bar of a dimension, in characters.
const allocationBar = 10

// Tables implements [toolkit.Tabler]: a table and the figures of each dimension.
func (a allocationAnswer) Tables() []toolkit.Table {
	var out []toolkit.Table
	source := JoinSources(a.Prices)
	for i, d := range a.Dimensions {
		largest := decimal.Zero
		for _, p := range d.Parts {
			largest = decimal.Max(largest, nullOf(p.WeightPct).Decimal)
		}
		t := toolkit.Table{Columns: []string{"by " + d.By, "weight:", "", a.Currency + ":"}}
		for j, p := range d.Parts {
			bar := drawBar(nullOf(p.WeightPct).Decimal, largest, allocationBar)
			value := strings.TrimSuffix(toolkit.Format(p.Value, toolkit.Money, a.Currency), " "+a.Currency)
			t.Rows = append(t.Rows, []string{p.Name, percentText(p.WeightPct, toolkit.Percent), bar, value})
			f := tool.Figure{
				ID: fmt.Sprintf("dimensions.%d.parts.%d.value", i, j), Label: d.By + " " + p.Name, Value: p.Value, Unit: a.Currency, AsOf: a.day, Source: source,
				Formula: "sum of quantity * price * exchange rate",
			}
			t.Figures = append(t.Figures, f)
			if p.WeightPct != nil {
				f.ID, f.Label = fmt.Sprintf("dimensions.%d.parts.%d.weight_pct", i, j), "weight of "+f.Label
				f.Value, f.Unit, f.Formula = *p.WeightPct, "%", "value / total"
				t.Figures = append(t.Figures, f)
			}
		}
		out = append(out, t)
	}
	return append(out, valuationTables(a.Unvalued, a.Rates)...)
}

// Explain implements [toolkit.Explainer].
func (a allocationAnswer) Explain(field string) toolkit.Explanation {
	switch field {
	case "rates.rate":
		return toolkit.Explanation{}
	case "drift.target_pct":
		return toolkit.Explanation{Source: LedgerSource, AsOf: a.day}
	}
	return toolkit.Explanation{Source: JoinSources(a.Prices), AsOf: a.day}
}

// Sampled implements [toolkit.Sampler].
func (a allocationAnswer) Sampled() toolkit.Answer {
	a.Accounts, a.AccountsNote = firstAccounts(a.Accounts)
	return a
}

// Chart implements [toolkit.Charter]: the parts by symbol.
func (a allocationAnswer) Chart() *chart.Spec {
	var parts []chart.Part
	for _, p := range a.bySymbol() {
		parts = append(parts, chart.Part{Label: p.Name, Value: p.Value.InexactFloat64()})
	}
	if len(parts) == 0 {
		return nil
	}
	return &chart.Spec{Kind: chart.KindBars, Title: "Allocation by symbol", Unit: a.Currency, Parts: parts}
}

// Headline implements [toolkit.Answer].
func (a allocationAnswer) Headline(lang string) string {
	const shown = 3
	var parts []string
	for i, p := range a.bySymbol() {
		if i < shown {
			parts = append(parts, p.text())
		}
	}
	if len(parts) == 0 {
		return map[bool]string{true: fmt.Sprintf("截至 %s，没有可估值的持仓。", a.Day), false: fmt.Sprintf("As of %s, no position has a market value.", a.Day)}[lang == "zh"]
	}
	if more := len(a.bySymbol()) - len(parts); more > 0 && lang == "zh" {
		parts = append(parts, fmt.Sprintf("其他 %d 项", more))
	} else if more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	total := toolkit.Format(a.Total, toolkit.Money, a.Currency)
	if lang == "zh" {
		return fmt.Sprintf("截至 %s，您的投资组合（%s）包括：%s。", a.Day, total, strings.Join(parts, "、"))
	}
	return fmt.Sprintf("As of %s, your portfolio of %s consists of %s.", a.Day, total, strings.Join(parts, ", "))
}

// Title implements [toolkit.Titled].
func (a allocationAnswer) Title() string { return "allocation · " + a.Day }
