package companies

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/analytics/fundamental"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// multiple is a price over a figure.
type multiple struct {
	name, label string
	firm        bool // of the firm rather than its equity
	of          func(business) *float64
}

func multiples() []multiple {
	return []multiple{
		{"pe", "P/E", false, func(b business) *float64 { return b.NetIncome }},
		{"pb", "P/B", false, func(b business) *float64 { return b.Book }},
		{"ps", "P/S", false, func(b business) *float64 { return b.Revenue }},
		{"p_fcf", "P/FCF", false, func(b business) *float64 { return b.FCF }},
		{"ev_sales", "EV/sales", true, func(b business) *float64 { return b.Revenue }},
		{"ev_ebitda", "EV/EBITDA", true, func(b business) *float64 { return b.EBITDA }},
		{"ev_ebit", "EV/EBIT", true, func(b business) *float64 { return b.EBIT }},
	}
}

// multipleOf is the multiple of a peer, or why it has none.
func (m multiple) multipleOf(b business) (float64, string) {
	if v, ok := b.Multiples[m.name]; ok {
		if !(v > 0) || v > maxMultiple {
			return 0, fmt.Sprintf("a multiple of %v means nothing", v)
		}
		return v, ""
	}
	worth, figure := b.MarketCap, m.of(b)
	switch {
	case m.firm && b.NetDebt == nil:
		return 0, "its net_debt was not given"
	case m.firm:
		worth += *b.NetDebt
	}
	switch {
	case figure == nil:
		return 0, "its figure was not given"
	case !(b.MarketCap > 0):
		return 0, "its market_cap was not given"
	case *figure <= 0:
		return 0, "its figure is not positive, so the multiple means nothing"
	case worth <= 0:
		return 0, "the firm is worth less than its net cash"
	}
	if worth / *figure > maxMultiple {
		return 0, "its figure is next to nothing, so the multiple means nothing"
	}
	return worth / *figure, ""
}

// line is a multiple of the peers, with a warning for each that lies far outside
// and was kept.
func (m multiple) line(in compsInput) (line multipleJSON, outside []string) {
	line = multipleJSON{Name: m.name, Label: m.label, Excluded: []exclusionJSON{}}
	var values []float64
	var names []string
	for _, peer := range in.Peers {
		v, why := m.multipleOf(peer)
		if why != "" {
			line.Excluded = append(line.Excluded, exclusionJSON{peer.Name, why})
			continue
		}
		values, names = append(values, v), append(names, peer.Name)
	}
	all := fundamental.NewDistribution(values)
	var kept []float64
	for i, v := range values {
		switch {
		case !all.IsOutlier(v):
			kept = append(kept, v)
		case in.Trim:
			line.Excluded = append(line.Excluded, exclusionJSON{names[i], fmt.Sprintf("%v lies far outside of the others", toolkit.RoundSignificant(v))})
		default:
			kept = append(kept, v)
			outside = append(outside, fmt.Sprintf("%s of %s, %v, lies far outside of the others and is counted; exclude_outliers leaves it out", m.label, toolkit.TableCell(names[i]), toolkit.RoundSignificant(v)))
		}
	}
	spread := fundamental.NewDistribution(kept)
	if line.Count = spread.Count; line.Count > 0 {
		line.Spread = new(roundSpread(spread, func(v float64) float64 { return v }))
	}
	m.value(&line, in, spread)
	return line, outside
}

// value puts the peers' multiples on the target's figure.
func (m multiple) value(line *multipleJSON, in compsInput, spread fundamental.Distribution) {
	figure := m.of(in.Target)
	switch {
	case spread.Count == 0:
		line.Reason = "no peer has it"
	case figure == nil:
		line.Reason = "the target's figure was not given"
	case *figure <= 0:
		line.Reason = "the target's figure is not positive"
	case m.firm && in.Target.NetDebt == nil:
		line.Reason = "the target's net_debt was not given"
	default:
		debt := 0.0
		if m.firm {
			debt = *in.Target.NetDebt
		}
		values := roundSpread(spread, func(v float64) float64 { return (v**figure - debt) / in.Target.Shares })
		line.Values = &values
		if in.Price > 0 {
			own := toolkit.RoundSignificant((in.Price*in.Target.Shares + debt) / *figure)
			line.Target = &own
		}
	}
}

func roundSpread(s fundamental.Distribution, f func(float64) float64) spreadJSON {
	at := func(v float64) float64 { return toolkit.RoundSignificant(f(v)) }
	return spreadJSON{Low: at(s.Low), First: at(s.Q1), Median: at(s.Median), Third: at(s.Q3), High: at(s.High)}
}
