package positions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/performance"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
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

func newReturnLines(timeWeighted, moneyWeighted, dietz, linked performance.Return, only string) []returnLine {
	var out []returnLine
	for i, m := range []performance.Return{timeWeighted, moneyWeighted, dietz, linked} {
		if name := returnMethods()[i]; only == "" || only == name {
			out = append(out, newReturnLine(name, m))
		}
	}
	return out
}

func newReturnLine(name string, m performance.Return) returnLine {
	l := returnLine{Method: name, Pct: roundPercentFloat(m.Value), AnnualPct: roundPercentFloat(m.Annual), Formula: m.Formula, Why: m.Reason, Notes: m.Notes}
	for _, in := range m.Inputs {
		unit := in.Unit
		if !in.Date.IsZero() {
			unit += " on " + toolkit.FormatDate(in.Date)
		}
		l.inputs = append(l.inputs, toolkit.FigureInput(in.Name, in.Value.Round(inputPlaces), strings.TrimSpace(unit)))
	}
	return l
}

// inputPlaces are the digits of what went into a figure.
const inputPlaces = 6

// averageCapital is the average capital that a Modified Dietz return divides by, nil where
// that is absent.
func averageCapital(m performance.Return) *float64 {
	i := slices.IndexFunc(m.Inputs, func(in performance.ReturnInput) bool { return in.Name == "average capital" })
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

func (w windowAnswer) newAttribution(base string) *attributionLine {
	at := w.report.Attribution
	out := &attributionLine{Formula: performance.FormulaGain, Why: at.Reason}
	if at.Reason != "" {
		return out
	}
	t := at.Total
	for _, e := range []struct {
		name   string
		amount decimal.Decimal
	}{{"price", t.Price}, {"income", t.Income}, {"currency", t.Currency}, {"fees", t.Fees}, {"taxes", t.Taxes}, {"gain", t.Gain}} {
		line := effect{Name: e.name, Amount: RoundMoney(decimal.NewNullDecimal(e.amount), base)}
		if w.dietz != nil {
			part := e.amount.InexactFloat64() / *w.dietz
			line.Pct = roundPercentFloat(&part)
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

// newContributions are the parts of a gain, the largest first, whatever its sign.
func newContributions(at performance.Attribution, base string) []contribution {
	var out []contribution
	for _, l := range at.Lines {
		name := string(l.Symbol)
		switch {
		case name != "":
		case l.Cash != "":
			name = "cash in " + l.Cash
		default:
			name = "exchanges of currency"
		}
		out = append(out, contribution{
			Of: name, Start: RoundMoney(decimal.NewNullDecimal(l.Start), base), End: RoundMoney(decimal.NewNullDecimal(l.End), base),
			Gain: RoundMoney(decimal.NewNullDecimal(l.Gain), base), Pct: roundPercentFloat(l.Return), gain: l.Gain, fraction: l.Return,
		})
	}
	slices.SortStableFunc(out, func(a, b contribution) int { return cmp.Or(b.gain.Abs().Cmp(a.gain.Abs()), cmp.Compare(a.Of, b.Of)) })
	return out
}

// largestContributions are at most n contributions, the last of them the sum of all others, so that
// they add up all the same.
func largestContributions(all []contribution, n int, base string) []contribution {
	if len(all) <= n || n < 1 {
		return all
	}
	remainder := contribution{Of: fmt.Sprintf("%d others", len(all)-n+1)}
	sum := 0.0
	for _, c := range all[n-1:] {
		remainder.gain = remainder.gain.Add(c.gain)
		if c.fraction != nil {
			sum += *c.fraction
			remainder.fraction = &sum
		}
	}
	remainder.Gain, remainder.Pct = RoundMoney(decimal.NewNullDecimal(remainder.gain), base), roundPercentFloat(remainder.fraction)
	return append(slices.Clone(all[:n-1]), remainder)
}

// gainLine is what was made on lots, by the rates of their own days.
type gainLine struct {
	Amount  *decimal.Decimal `json:"amount,omitempty"`
	Lots    int              `json:"lots"`
	Unknown int              `json:"unknown,omitempty"` // lots whose gain is not known, which the sum leaves out
	Formula string           `json:"formula"`
}

func newGainLine(g performance.GainSum, base string) *gainLine {
	sum := decimal.NullDecimal{Decimal: g.Sum, Valid: g.Unknown == 0 || g.Unknown < len(g.Lots)}
	return &gainLine{Amount: RoundMoney(sum, base), Lots: len(g.Lots), Unknown: g.Unknown, Formula: g.Formula}
}

// comparisonAnswer is the same money in a benchmark.
type comparisonAnswer struct {
	Symbol      string           `json:"symbol"`
	Kind        string           `json:"kind,omitempty"` // of return
	Why         string           `json:"why,omitempty"`
	End         *decimal.Decimal `json:"end,omitempty"`
	Ahead       *decimal.Decimal `json:"ahead,omitempty"` // how much more the portfolio has
	Returns     []returnLine     `json:"returns,omitempty"`
	AheadTimePP *decimal.Decimal `json:"ahead_time_weighted_pp,omitempty"`
	AheadMoney  *decimal.Decimal `json:"ahead_money_weighted_pp,omitempty"`
	Formula     string           `json:"formula"`
}

func (w *windowAnswer) compare(m performanceRequest, k marketPast, h *performance.History) error {
	if m.benchmark == "" {
		return nil
	}
	w.Benchmark = &comparisonAnswer{Symbol: m.benchmark, Why: k.benchmarkMissing, Formula: performance.FormulaBenchmark}
	if k.benchmark == nil {
		return nil
	}
	c, err := h.Compare(*k.benchmark, w.report.From, w.report.To)
	if err != nil {
		return fmt.Errorf("comparing with %s: %w", k.benchmark.Symbol, err)
	}
	w.Benchmark = &comparisonAnswer{
		Symbol: string(c.Symbol), Kind: "total return, dividends reinvested; hypothetical, without costs and taxes", Why: c.Reason,
		End: RoundMoney(c.End, m.base), Ahead: RoundMoney(c.EndDifference, m.base), Formula: c.Formula,
		AheadTimePP: roundPercentFloat(c.TimeWeightedDifference), AheadMoney: roundPercentFloat(c.MoneyWeightedDifference),
	}
	for _, line := range []struct {
		name string
		of   performance.Return
	}{{"time_weighted", c.TimeWeighted}, {"money_weighted", c.MoneyWeighted}, {"series", c.Series}} {
		if c.Reason != "" && line.name != "series" || line.of.Formula == "" || m.method != "" && line.name != m.method && line.name != "series" {
			continue
		}
		w.Benchmark.Returns = append(w.Benchmark.Returns, newReturnLine(line.name, line.of))
	}
	return nil
}
