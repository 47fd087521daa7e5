package earnings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/analytics/performance/returns"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// returnLine is one return by its method.
type returnLine struct {
	Method    string           `json:"method"`
	Pct       *decimal.Decimal `json:"pct,omitempty"`
	AnnualPct *decimal.Decimal `json:"annual_pct,omitempty"`
	Formula   string           `json:"formula"`
	Why       string           `json:"why,omitempty"`
	Notes     []string         `json:"notes,omitempty"`

	inputs []string
}

func returnsOf(timeWeighted, moneyWeighted, dietz, linked returns.Measure, only string) []returnLine {
	var out []returnLine
	for i, m := range []returns.Measure{timeWeighted, moneyWeighted, dietz, linked} {
		if name := methods()[i]; only == "" || only == name {
			out = append(out, returnOf(name, m))
		}
	}
	return out
}

func returnOf(name string, m returns.Measure) returnLine {
	l := returnLine{Method: name, Pct: percentFloat(m.Value), AnnualPct: percentFloat(m.Annual), Formula: m.Formula, Why: m.Why, Notes: m.Notes}
	for _, in := range m.Inputs {
		unit := in.Unit
		if !in.Date.IsZero() {
			unit += " on " + present.Dated(in.Date)
		}
		l.inputs = append(l.inputs, present.Input(in.Name, in.Value.Round(inputPlaces), strings.TrimSpace(unit)))
	}
	return l
}

// inputPlaces are the digits of what went into a figure.
const inputPlaces = 6

// capitalOf is the average capital that a Modified Dietz return divides by, nil where
// that is absent.
func capitalOf(m returns.Measure) *float64 {
	i := slices.IndexFunc(m.Inputs, func(in returns.Input) bool { return in.Name == "average capital" })
	if m.Value == nil || i < 0 || !m.Inputs[i].Value.IsPositive() {
		return nil
	}
	capital := m.Inputs[i].Value.InexactFloat64()
	return &capital
}

// attributionLine is where the gain of a window came from; the per cents are of the
// average capital and add up to the Modified Dietz return.
type attributionLine struct {
	Effects []effect `json:"effects,omitempty"`
	Formula string   `json:"formula"`
	Why     string   `json:"why,omitempty"`
}

type effect struct {
	Name   string           `json:"name"`
	Amount *decimal.Decimal `json:"amount,omitempty"`
	Pct    *decimal.Decimal `json:"pct,omitempty"`
}

func (w windowAnswer) attributed(base string) *attributionLine {
	at := w.report.Attribution
	out := &attributionLine{Formula: performance.FormulaGain, Why: at.Why}
	if at.Why != "" {
		return out
	}
	t := at.Total
	for _, e := range []struct {
		name   string
		amount decimal.Decimal
	}{{"price", t.Price}, {"income", t.Income}, {"currency", t.Currency}, {"fees", t.Fees}, {"taxes", t.Taxes}, {"gain", t.Gain}} {
		line := effect{Name: e.name, Amount: book.Money(decimal.NewNullDecimal(e.amount), base)}
		if w.dietz != nil {
			part := e.amount.InexactFloat64() / *w.dietz
			line.Pct = percentFloat(&part)
		}
		out.Effects = append(out.Effects, line)
	}
	return out
}

// contribution is what one position, the cash of a currency, or the exchanges between
// currencies did.
type contribution struct {
	Of    string           `json:"of"`
	Start *decimal.Decimal `json:"start,omitempty"`
	End   *decimal.Decimal `json:"end,omitempty"`
	Gain  *decimal.Decimal `json:"gain,omitempty"`
	Pct   *decimal.Decimal `json:"pct,omitempty"`

	gain     decimal.Decimal
	fraction *float64
}

// contributionsOf are the parts of a gain, the largest first, whatever its sign.
func contributionsOf(at performance.Attribution, base string) []contribution {
	var out []contribution
	for _, l := range at.Lines {
		of := string(l.Symbol)
		switch {
		case of != "":
		case l.Cash != "":
			of = "cash in " + l.Cash
		default:
			of = "exchanges of currency"
		}
		out = append(out, contribution{
			Of: of, Start: book.Money(decimal.NewNullDecimal(l.Start), base), End: book.Money(decimal.NewNullDecimal(l.End), base),
			Gain: book.Money(decimal.NewNullDecimal(l.Gain), base), Pct: percentFloat(l.Return), gain: l.Gain, fraction: l.Return,
		})
	}
	slices.SortStableFunc(out, func(a, b contribution) int { return cmp.Or(b.gain.Abs().Cmp(a.gain.Abs()), cmp.Compare(a.Of, b.Of)) })
	return out
}

// largest are at most n contributions, the last of them the sum of all others, so that
// they add up all the same.
func largest(all []contribution, n int, base string) []contribution {
	if len(all) <= n || n < 1 {
		return all
	}
	rest := contribution{Of: fmt.Sprintf("%d others", len(all)-n+1)}
	sum := 0.0
	for _, c := range all[n-1:] {
		rest.gain = rest.gain.Add(c.gain)
		if c.fraction != nil {
			sum += *c.fraction
			rest.fraction = &sum
		}
	}
	rest.Gain, rest.Pct = book.Money(decimal.NewNullDecimal(rest.gain), base), percentFloat(rest.fraction)
	return append(slices.Clone(all[:n-1]), rest)
}

// gainLine is what was made on lots, by the rates of their own days.
type gainLine struct {
	Amount  *decimal.Decimal `json:"amount,omitempty"`
	Lots    int              `json:"lots"`
	Unknown int              `json:"unknown,omitempty"` // lots whose gain is not known, which the sum leaves out
	Formula string           `json:"formula"`
}

func gainOf(g performance.GainSum, base string) *gainLine {
	sum := decimal.NullDecimal{Decimal: g.Sum, Valid: g.Unknown == 0 || g.Unknown < len(g.Lots)}
	return &gainLine{Amount: book.Money(sum, base), Lots: len(g.Lots), Unknown: g.Unknown, Formula: g.Formula}
}

// comparisonAnswer is the same money in a benchmark.
type comparisonAnswer struct {
	Symbol      string           `json:"symbol"`
	Kind        string           `json:"kind,omitempty"` // of return
	Why         string           `json:"why,omitempty"`
	End         *decimal.Decimal `json:"end,omitempty"`
	Ahead       *decimal.Decimal `json:"ahead,omitempty"` // how much more the book has
	Returns     []returnLine     `json:"returns,omitempty"`
	AheadTimePP *decimal.Decimal `json:"ahead_time_weighted_pp,omitempty"`
	AheadMoney  *decimal.Decimal `json:"ahead_money_weighted_pp,omitempty"`
	Formula     string           `json:"formula"`
}

func (w *windowAnswer) compare(m measured, k known, h *performance.History) error {
	if m.benchmark == "" {
		return nil
	}
	w.Benchmark = &comparisonAnswer{Symbol: m.benchmark, Why: k.why, Formula: performance.FormulaBenchmark}
	if k.benchmark == nil {
		return nil
	}
	c, err := h.Compare(*k.benchmark, w.report.From, w.report.To)
	if err != nil {
		return fmt.Errorf("comparing with %s: %w", k.benchmark.Symbol, err)
	}
	w.Benchmark = &comparisonAnswer{
		Symbol: string(c.Symbol), Kind: "total return, dividends reinvested; hypothetical, without costs and taxes", Why: c.Why,
		End: book.Money(c.End, m.base), Ahead: book.Money(c.Ahead, m.base), Formula: c.Formula,
		AheadTimePP: percentFloat(c.AheadTime), AheadMoney: percentFloat(c.AheadMoney),
	}
	for _, one := range []struct {
		name string
		of   returns.Measure
	}{{"time_weighted", c.TimeWeighted}, {"money_weighted", c.MoneyWeighted}, {"series", c.Series}} {
		if c.Why != "" && one.name != "series" || one.of.Formula == "" || m.method != "" && one.name != m.method && one.name != "series" {
			continue
		}
		w.Benchmark.Returns = append(w.Benchmark.Returns, returnOf(one.name, one.of))
	}
	return nil
}
