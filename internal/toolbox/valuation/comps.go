package valuation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/nfa-cli/nfa/internal/analytics/valuation"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

type compsInput struct {
	Target   business   `json:"target" jsonschema:"the business to value: its figures, net_debt and shares"`
	Peers    []business `json:"peers" jsonschema:"2 to 40 comparable businesses, each with market_cap and figures, or with multiples"`
	Use      []string   `json:"multiples,omitempty" jsonschema:"which to use: pe, pb, ps, p_fcf, ev_sales, ev_ebitda, ev_ebit; all that can be made when left out"`
	Trim     bool       `json:"exclude_outliers,omitempty" jsonschema:"leave out multiples more than three interquartile ranges outside of the middle half"`
	Price    float64    `json:"price,omitempty" jsonschema:"of a share of the target"`
	Currency string     `json:"currency,omitempty" jsonschema:"ISO 4217 code of the target's sums; multiples have none"`
}

// business is a company by its figures, of one year and in one unit.
type business struct {
	Name      string             `json:"name"`
	MarketCap float64            `json:"market_cap,omitempty"`
	NetDebt   float64            `json:"net_debt,omitempty" jsonschema:"debt less cash, negative for net cash"`
	Shares    float64            `json:"shares,omitempty"`
	NetIncome *float64           `json:"net_income,omitempty"`
	Book      *float64           `json:"book_value,omitempty" jsonschema:"shareholders' equity"`
	Revenue   *float64           `json:"revenue,omitempty"`
	FCF       *float64           `json:"free_cash_flow,omitempty"`
	EBITDA    *float64           `json:"ebitda,omitempty"`
	EBIT      *float64           `json:"ebit,omitempty"`
	Multiples map[string]float64 `json:"multiples,omitempty" jsonschema:"ready multiples by name, instead of figures: {\"pe\": 18.2}"`
}

const compsDescription = `Values a business by what comparable ones cost: multiples of the peers (pe, pb, ps, p_fcf, ev_sales, ev_ebitda, ev_ebit) with median and quartiles, and what each gives for the target, a share and in all. Peers whose figure is missing, zero or negative are left out of that multiple, and named with the reason; multiples far outside are named too.
It fetches nothing: take figures from financial_statements and key_ratios, of the same year for all. Multiples of the firm (ev_...) are turned into equity by the target's net debt. Choose peers for their business, not for the answer; fewer than four say little.`

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

// newComps is the tool that values by peers.
func newComps() tool.Tool {
	return tool.New("comps_valuation", compsDescription, tool.Reads, func(_ context.Context, in compsInput) (tool.Result, error) {
		answer, err := compare(in)
		if err != nil {
			return present.Invalid(fmt.Errorf("comps_valuation: %w", err))
		}
		return answer.result(), nil
	})
}

type compsAnswer struct {
	Target   string         `json:"target"`
	Currency string         `json:"currency,omitempty"`
	Price    *float64       `json:"price,omitempty"`
	Lines    []multipleJSON `json:"multiples"`
	PerShare *spreadJSON    `json:"value_per_share"` // of the medians; null without any
	Upside   *float64       `json:"upside,omitempty"`
	Warnings []string       `json:"warnings"`
}

type multipleJSON struct {
	Name     string          `json:"name"`
	Label    string          `json:"label"`
	Count    int             `json:"peers"`
	Spread   spreadJSON      `json:"spread"`
	Target   *float64        `json:"target_multiple,omitempty"` // at its price
	Values   *spreadJSON     `json:"value_per_share,omitempty"`
	Excluded []exclusionJSON `json:"excluded"`
	Reason   string          `json:"no_value_because,omitempty"`
}

type exclusionJSON struct {
	Peer   string `json:"peer"`
	Reason string `json:"reason"`
}

type spreadJSON struct {
	Low    float64 `json:"low"`
	First  float64 `json:"first_quartile"`
	Median float64 `json:"median"`
	Third  float64 `json:"third_quartile"`
	High   float64 `json:"high"`
}

const (
	fewestPeers = 2
	mostPeers   = 40
	enoughPeers = 4
)

func compare(in compsInput) (compsAnswer, error) {
	currency, err := question.Currency(in.Currency)
	if err != nil {
		return compsAnswer{}, err
	}
	if len(in.Peers) < fewestPeers || len(in.Peers) > mostPeers {
		return compsAnswer{}, fmt.Errorf("%d peers; give %d to %d", len(in.Peers), fewestPeers, mostPeers)
	}
	if !(in.Target.Shares > 0) {
		return compsAnswer{}, errors.New("the target needs its number of shares, for a value a share")
	}
	used, err := chosen(in.Use)
	if err != nil {
		return compsAnswer{}, err
	}
	a := compsAnswer{Target: in.Target.Name, Currency: currency, Warnings: []string{}}
	if in.Price > 0 {
		a.Price = &in.Price
	}
	for _, m := range used {
		line := m.line(in)
		if line.Count == 0 && len(in.Use) == 0 {
			continue // nobody gave its figure, and nobody asked
		}
		a.Lines = append(a.Lines, line)
		if line.Count > 0 && line.Count < enoughPeers {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s of %d peers says little", m.label, line.Count))
		}
	}
	if len(a.Lines) == 0 {
		return a, errors.New("no multiple can be made; give each peer its market_cap with figures, or multiples")
	}
	a.conclude()
	return a, nil
}

func chosen(names []string) ([]multiple, error) {
	all := multiples()
	if len(names) == 0 {
		return all, nil
	}
	var out []multiple
	for _, name := range names {
		i := slices.IndexFunc(all, func(m multiple) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("multiple %.20q: there are pe, pb, ps, p_fcf, ev_sales, ev_ebitda and ev_ebit", name)
		}
		out = append(out, all[i])
	}
	return out, nil
}

// multipleOf is the multiple of a peer, or why it has none.
func (m multiple) multipleOf(b business) (float64, string) {
	if v, ok := b.Multiples[m.name]; ok {
		if !(v > 0) || math.IsInf(v, 0) {
			return 0, fmt.Sprintf("a multiple of %v means nothing", v)
		}
		return v, ""
	}
	worth, figure := b.MarketCap, m.of(b)
	if m.firm {
		worth += b.NetDebt
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
	return worth / *figure, ""
}

func (m multiple) line(in compsInput) multipleJSON {
	line := multipleJSON{Name: m.name, Label: m.label, Excluded: []exclusionJSON{}}
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
	all := valuation.SpreadOf(values)
	var kept []float64
	for i, v := range values {
		switch {
		case !all.Outlies(v):
			kept = append(kept, v)
		case in.Trim:
			line.Excluded = append(line.Excluded, exclusionJSON{names[i], fmt.Sprintf("%v lies far outside of the others", present.Tidy(v))})
		default:
			kept = append(kept, v)
			line.Excluded = append(line.Excluded, exclusionJSON{names[i], fmt.Sprintf("not left out, but %v lies far outside of the others", present.Tidy(v))})
		}
	}
	spread := valuation.SpreadOf(kept)
	line.Count, line.Spread = spread.Count, tidied(spread, func(v float64) float64 { return v })
	m.value(&line, in, spread)
	return line
}

// value puts the peers' multiples on the target's figure.
func (m multiple) value(line *multipleJSON, in compsInput, spread valuation.Spread) {
	figure := m.of(in.Target)
	switch {
	case spread.Count == 0:
		line.Reason = "no peer has it"
	case figure == nil:
		line.Reason = "the target's figure was not given"
	case *figure <= 0:
		line.Reason = "the target's figure is not positive"
	default:
		debt := 0.0
		if m.firm {
			debt = in.Target.NetDebt
		}
		values := tidied(spread, func(v float64) float64 { return (v**figure - debt) / in.Target.Shares })
		line.Values = &values
		if in.Price > 0 {
			own := present.Tidy((in.Price*in.Target.Shares + debt) / *figure)
			line.Target = &own
		}
	}
}

func tidied(s valuation.Spread, f func(float64) float64) spreadJSON {
	at := func(v float64) float64 { return present.Tidy(f(v)) }
	return spreadJSON{Low: at(s.Low), First: at(s.First), Median: at(s.Median), Third: at(s.Third), High: at(s.High)}
}

// conclude spreads what the medians give.
func (a *compsAnswer) conclude() {
	var medians []float64
	for _, l := range a.Lines {
		if l.Values != nil {
			medians = append(medians, l.Values.Median)
		}
	}
	if len(medians) == 0 {
		a.Warnings = append(a.Warnings, "no multiple could be put on the target")
		return
	}
	all := tidied(valuation.SpreadOf(medians), func(v float64) float64 { return v })
	a.PerShare = &all
	if a.Price != nil {
		upside := present.Fraction(all.Median / *a.Price - 1)
		a.Upside = &upside
	}
}
