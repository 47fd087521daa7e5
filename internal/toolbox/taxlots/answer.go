package taxlots

import (
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio/tax"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

type lotsAnswer struct {
	Kind         string             `json:"kind"`
	Day          string             `json:"day"`
	Currency     string             `json:"currency,omitempty"` // of all that ends in _base
	Jurisdiction string             `json:"jurisdiction,omitempty"`
	Warnings     []string           `json:"warnings"`
	Open         []openLot          `json:"lots,omitempty"`
	Closed       []closedLot        `json:"sales,omitempty"` // the newest first
	Years        []yearLine         `json:"years,omitempty"` // by the rules of the jurisdiction, in the currencies of the sales
	BaseYears    []baseYear         `json:"years_base,omitempty"`
	Washes       []washLine         `json:"wash_sales,omitempty"`
	Waiting      []waitLine         `json:"losses_still_open,omitempty"`
	Notes        []string           `json:"notes"`
	Prices       []book.PriceOrigin `json:"prices"`
	Rates        []book.RateLine    `json:"rates"`

	day      market.Date
	filter   lotFilter
	rules    tax.Jurisdiction
	assessed *tax.Assessment
	added    map[lotKey][]tax.Added
	parts    map[lotKey]int // open lots of one name
	spared   []string       // words with digits that are no amounts
}

func (a lotsAnswer) size() int {
	return max(len(a.Open), len(a.Closed), len(a.Washes), len(a.Waiting), len(a.Prices))
}

func (a lotsAnswer) result(hide bool) (tool.Result, error) {
	text, err := present.Fitted(a.size(), func(n int) any { return a.forModel(n, hide) })
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
		Value: a, ForModel: text, ForUser: a.markdown(), Title: title, Summary: present.Warned(a.summary(), a.Warnings, book.LoudOf(a.Prices)), Figures: a.figures(),
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
	left := a.size() - n
	a.Open, a.Closed, a.Washes = slices.Clone(first(a.Open, n)), slices.Clone(first(a.Closed, n)), slices.Clone(first(a.Washes, n))
	a.Waiting, a.Prices = slices.Clone(first(a.Waiting, n)), first(a.Prices, n)
	if hide {
		a.hide()
	}
	if left > 0 {
		// Behind the masking: how many there are is no amount.
		a.Notes = append(slices.Clone(a.Notes), fmt.Sprintf("at most %d lines of each list stand here, %d are left out; narrow it by symbol, account or year", n, left))
	}
	return a
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }

// hide takes the amounts out of an answer whose lists are its own.
func (a *lotsAnswer) hide() {
	a.Warnings, a.Notes = present.MaskedAll(a.Warnings, present.KeptSaid, a.spared...), append(present.MaskedAll(a.Notes, present.KeptSaid, a.spared...), present.AmountsHidden)
	for i := range a.Open {
		a.Open[i].hide(a.spared)
	}
	for i := range a.Closed {
		c := &a.Closed[i]
		c.Quantity, c.Proceeds, c.Cost, c.Added, c.Disallowed, c.Gain = nil, nil, nil, nil, nil, nil
		c.ProceedsBase, c.CostBase, c.GainBase, c.GainWhy = nil, nil, nil, present.Masked(c.GainWhy, present.KeptSaid, a.spared...)
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

func (l *openLot) hide(spared []string) {
	l.Quantity, l.Value, l.Cost, l.Gain, l.ValueBase, l.CostBase, l.GainBase = nil, nil, nil, nil, nil, nil, nil
	l.TaxGain, l.GainWhy = nil, present.Masked(l.GainWhy, present.KeptSaid, spared...)
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
