package positions

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// PriceOrigin is the source of the price of one security.
type PriceOrigin struct {
	Symbol market.Symbol `json:"symbol" label:"symbol"`
	toolkit.Origin
}

// RateLine is an exchange rate used in a total.
type RateLine struct {
	Pair string          `json:"pair" label:"exchange rate"`
	Rate decimal.Decimal `json:"rate" label:"rate" unit:"ratio"`
	Date string          `json:"date" label:"as of"`
	toolkit.Origin
}

// PriceOrigins returns the price sources of all positions that have a market value in their own
// currency.
func (v Valuation) PriceOrigins() []PriceOrigin {
	out := []PriceOrigin{}
	for _, l := range v.Lines {
		if l.Value.Valid {
			out = append(out, PriceOrigin{l.Symbol, toolkit.OriginOf(l.Price.Provenance)})
		}
	}
	return out
}

// RateLines returns the exchange rates used in a valuation, each once.
func (v Valuation) RateLines() []RateLine {
	out := []RateLine{}
	add := func(r Rate) {
		same := func(have RateLine) bool { return have.Pair == r.Pair.String() }
		if r.Provenance.Source == "" || slices.ContainsFunc(out, same) {
			return
		}
		p := r.Provenance
		p.AsOf = r.Rate.Date
		out = append(out, RateLine{Pair: r.Pair.String(), Rate: r.Value, Date: toolkit.FormatDate(r.Rate.Date), Origin: toolkit.OriginOf(p).WithoutAdjustment()})
	}
	for _, l := range v.Lines {
		add(l.Rate)
	}
	for _, c := range v.Cash {
		add(c.Rate)
	}
	return out
}

// JoinFlagText joins the flags of several origins, each once, for a summary.
func JoinFlagText(origins []PriceOrigin) string {
	var flags []string
	for _, o := range origins {
		if text := o.FlagText(); text != "" && !slices.Contains(flags, text) {
			flags = append(flags, text)
		}
	}
	return strings.Join(flags, " ")
}

// JoinSources names the ledger and every price source of a figure.
func JoinSources(prices []PriceOrigin) string {
	names := []string{LedgerSource}
	for _, p := range prices {
		if !slices.Contains(names, p.Source) {
			names = append(names, p.Source)
		}
	}
	return strings.Join(names, "; ")
}
