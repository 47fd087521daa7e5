package positions

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type lotsAnswer struct {
	Kind         string        `json:"kind"`
	Day          string        `json:"day"`
	Currency     string        `json:"currency,omitempty"` // of all that ends in _base
	Jurisdiction string        `json:"jurisdiction,omitempty"`
	Warnings     []string      `json:"warnings"`
	Open         []openLot     `json:"lots,omitempty"`
	Closed       []closedLot   `json:"sales,omitempty"` // the newest first
	Years        []yearLine    `json:"years,omitempty"` // by the rules of the jurisdiction, in the currencies of the sales
	BaseYears    []baseYear    `json:"years_base,omitempty"`
	Washes       []washLine    `json:"wash_sales,omitempty"`
	Waiting      []waitLine    `json:"losses_still_open,omitempty"`
	Notes        []string      `json:"notes"`
	Prices       []PriceOrigin `json:"prices"`
	Rates        []RateLine    `json:"rates"`

	day        market.Date
	filter     lotFilter
	rules      tax.Jurisdiction
	assessed   *tax.Assessment
	added      map[lotKey][]tax.AddedBasis
	parts      map[lotKey]int // open lots of one name
	maskExempt []string       // words with digits that are no amounts
}

func (a lotsAnswer) size() int {
	return max(len(a.Open), len(a.Closed), len(a.Washes), len(a.Waiting), len(a.Prices))
}

func (a lotsAnswer) result(hide bool) (tool.Result, error) {
	text, err := toolkit.FitToLimit(a.size(), func(n int) any { return a.forModel(n, hide) })
	if err != nil {
		return tool.Result{}, err
	}
	title := "lots · " + a.Kind
	if a.filter.symbol != "" {
		title += " · " + string(a.filter.symbol)
	}
	if a.filter.year != 0 {
		title += fmt.Sprintf(" · %d", a.filter.year)
	}
	return tool.Result{
		Value: a, ForModel: text, ForUser: a.markdown(), Title: title, Summary: toolkit.WithWarningCount(a.summary(), a.Warnings, JoinFlagText(a.Prices)), Figures: a.figures(),
	}, nil
}

func (a lotsAnswer) summary() string {
	switch a.Kind {
	case kindClosed:
		return fmt.Sprintf("%d sales", len(a.Closed))
	case kindWash:
		return fmt.Sprintf("%d wash sales", len(a.Washes))
	case kindHarvest:
		return fmt.Sprintf("%d lots at a loss", len(a.Open))
	}
	return fmt.Sprintf("%d lots", len(a.Open))
}

// forModel has at most n lines of each list.
func (a lotsAnswer) forModel(n int, hide bool) any {
	omitted := a.size() - n
	a.Open, a.Closed, a.Washes = slices.Clone(firstN(a.Open, n)), slices.Clone(firstN(a.Closed, n)), slices.Clone(firstN(a.Washes, n))
	a.Waiting, a.Prices = slices.Clone(firstN(a.Waiting, n)), firstN(a.Prices, n)
	if hide {
		a.hideAmounts()
	}
	if omitted > 0 {
		// Behind the masking: how many there are is no amount.
		a.Notes = append(slices.Clone(a.Notes), fmt.Sprintf("at most %d lines of each list stand here, %d are left out; narrow it by symbol, account or year", n, omitted))
	}
	return a
}

func firstN[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// hideAmounts takes the amounts out of an answer whose lists are its own.
func (a *lotsAnswer) hideAmounts() {
	a.Warnings, a.Notes = toolkit.MaskEach(a.Warnings, toolkit.KeepMessageNumbers, a.maskExempt...), append(toolkit.MaskEach(a.Notes, toolkit.KeepMessageNumbers, a.maskExempt...), toolkit.AmountsHiddenNote)
	for i := range a.Open {
		a.Open[i].hideAmounts(a.maskExempt)
	}
	for i := range a.Closed {
		c := &a.Closed[i]
		c.Quantity, c.Proceeds, c.Cost, c.Added, c.Disallowed, c.Gain = nil, nil, nil, nil, nil, nil
		c.ProceedsBase, c.CostBase, c.GainBase, c.GainWhy = nil, nil, nil, toolkit.MaskNumbers(c.GainWhy, toolkit.KeepMessageNumbers, a.maskExempt...)
	}
	a.Years, a.BaseYears = slices.Clone(a.Years), slices.Clone(a.BaseYears)
	for i := range a.Years {
		y := &a.Years[i]
		y.Proceeds, y.Cost, y.Disallowed, y.Gain = nil, nil, nil, nil
	}
	for i := range a.BaseYears {
		a.BaseYears[i].Gain = nil
	}
	for i := range a.Washes {
		w := &a.Washes[i]
		w.Disallowed, w.Quantity, w.Replaced = nil, nil, nil
	}
	for i := range a.Waiting {
		a.Waiting[i].Loss, a.Waiting[i].Quantity = nil, nil
	}
}

func (l *openLot) hideAmounts(exemptions []string) {
	l.Quantity, l.Value, l.Cost, l.Gain, l.ValueBase, l.CostBase, l.GainBase = nil, nil, nil, nil, nil, nil, nil
	l.TaxGain, l.GainWhy = nil, toolkit.MaskNumbers(l.GainWhy, toolkit.KeepMessageNumbers, exemptions...)
	l.Added = slices.Clone(l.Added)
	for i := range l.Added {
		l.Added[i].Amount, l.Added[i].Quantity = nil, nil
	}
	if l.Harvest == nil {
		return
	}
	h := *l.Harvest
	h.Blocks = slices.Clone(h.Blocks)
	for i := range h.Blocks {
		h.Blocks[i].Quantity = nil
	}
	l.Harvest = &h
}
