package advice

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tool"
)

// figures are the numbers of the answer: those of sums alone where it has them.
func (a rebalanceAnswer) figures() []tool.Figure {
	s := rebalanceFigures{source: a.Sources.source(), answer: a}
	s.sum("total", "total that takes part", a.Total, "sum(quantity * price) + cash + new cash")
	for _, d := range a.Drift {
		s.part("weight_"+d.Symbol, "weight of "+d.Symbol, d.Weight, "value / total", s.input("value", d.Value)...)
		s.part("target_"+d.Symbol, "target of "+d.Symbol, d.Target, "as given")
		s.part("drift_"+d.Symbol, "drift of "+d.Symbol, d.Drift, "weight - target", "weight "+formatPercent(d.Weight), "target "+formatPercent(d.Target))
		s.part("band_"+d.Symbol, "band of "+d.Symbol, d.Band, "min(points, part of the target)")
		s.part("weight_after_"+d.Symbol, "weight of "+d.Symbol+" after the plan", d.WeightAfter, "(value + trades) / (total - fees)", s.input("value after", d.ValueAfter)...)
		s.sum("value_"+d.Symbol, "value of "+d.Symbol, d.Value, "quantity * price")
		s.sum("value_after_"+d.Symbol, "value of "+d.Symbol+" after the plan", d.ValueAfter, "value + trades")
	}
	for _, t := range a.Trades {
		s.trade(t)
	}
	for _, l := range a.LeftOut {
		s.part("left_out_"+string(l.Symbol), fmt.Sprintf("left out: %s of %s", l.Side, l.Symbol), l.Part, "value / total")
		s.sum("left_out_value_"+string(l.Symbol), fmt.Sprintf("left out: %s of %s", l.Side, l.Symbol), l.Value, "|target - value|")
	}
	s.part("bought_part", "bought", a.Cost.Bought, "bought / total")
	s.part("sold_part", "sold", a.Cost.Sold, "sold / total")
	s.part("turnover", "turnover", a.Cost.Turnover, "min(bought, sold) / total")
	s.part("fees_part", "fees of the plan", a.Cost.FeesPart, "fees / total")
	s.sum("fees", "fees of the plan", a.Cost.Fees, "sum over trades of fixed + rate * value")
	s.sum("tax", "tax of the plan", a.Cost.Tax, "rate * gain of each term, losses set against gains", append(s.input("short rate", a.Cost.ShortRate), s.input("long rate", a.Cost.LongRate)...)...)
	if a.Cost.TaxPart != nil {
		s.part("tax_part", "tax of the plan", *a.Cost.TaxPart, "tax / total")
	}
	for _, g := range a.Cost.Gains {
		id := strings.TrimSuffix("gain_"+string(g.Term), "_")
		s.sum(id, strings.TrimSpace(string(g.Term)+" gain"), g.Gain, "proceeds - cost of the lots")
		s.part(id+"_part", strings.TrimSpace(string(g.Term)+" gain"), g.Part, "gain / total")
	}
	for _, c := range a.Cash {
		s.sum("cash_before_"+c.Account, "cash of "+c.Account, &c.Before, "balance + new cash")
		s.sum("cash_after_"+c.Account, "cash of "+c.Account+" after the plan", &c.After, "cash + sales - purchases - fees")
	}
	s.rules(a.judged.Rows)
	return s.figures
}

type rebalanceFigures struct {
	answer  rebalanceAnswer
	source  string
	figures []tool.Figure
}

func (s *rebalanceFigures) add(id, label string, value decimal.Decimal, unit, formula string, inputs ...string) {
	s.figures = append(s.figures, tool.Figure{
		ID: id, Label: label, Value: value, Unit: unit, AsOf: s.answer.day, Source: s.source, Formula: formula, Inputs: inputs,
	})
}

func (s *rebalanceFigures) part(id, label string, value decimal.Decimal, formula string, inputs ...string) {
	s.add(id, label, value.Shift(2).Round(4), "%", formula, inputs...)
}

// sum adds one that is there: what is hidden or not known is no figure.
func (s *rebalanceFigures) sum(id, label string, value *decimal.Decimal, formula string, inputs ...string) {
	if value != nil {
		s.add(id, label, *value, s.answer.Currency, formula, inputs...)
	}
}

// input says one in words, nothing where it is not known or hidden.
func (s *rebalanceFigures) input(name string, value *decimal.Decimal) []string {
	if value == nil {
		return nil
	}
	return []string{name + " " + value.String()}
}

// rules are the numbers of the verdict with what they are held against.
func (s *rebalanceFigures) rules(rows []investor.RuleResult) {
	for _, r := range rows {
		for _, n := range []struct {
			suffix, label, formula string
			value                  decimal.NullDecimal
		}{{"", r.Rule + " after the plan", "of the book after the plan", r.Number}, {"_limit", r.Rule + ", limit", "from the profile", r.Threshold}} {
			switch {
			case !n.value.Valid:
			case r.Unit == rebalance.UnitFraction:
				s.part("rule_"+r.Rule+n.suffix, n.label, n.value.Decimal, n.formula, r.Sentence)
			default:
				s.add("rule_"+r.Rule+n.suffix, n.label, n.value.Decimal, r.Unit, n.formula, r.Sentence)
			}
		}
	}
}

func (s *rebalanceFigures) trade(t tradeJSON) {
	id, label := fmt.Sprintf("%s_%s_%s", t.Side, t.Symbol, t.Account), fmt.Sprintf("%s %s in %s", t.Side, t.Symbol, t.Account)
	s.part(id+"_part", label, t.Part, "value / total", s.input("value", t.Value)...)
	if t.Quantity != nil {
		s.add(id+"_quantity", label, *t.Quantity, "units", "towards the target, in whole steps")
	}
	s.sum(id+"_price", "price of "+string(t.Symbol), t.Price, "as quoted, in the currency of the plan")
	s.sum(id+"_value", label, t.Value, "quantity * price", append(s.input("quantity", t.Quantity), s.input("price", t.Price)...)...)
	s.sum(id+"_fee", label+", fee", t.Fee, "fixed + rate * value")
	s.sum(id+"_gain", label+", gain", t.Gain, "proceeds - cost of the lots")
	s.sum(id+"_tax", label+", tax", t.Tax, "rate * gain")
	for i, l := range t.Lots {
		at := fmt.Sprintf("%s_lot_%d", id, i+1)
		if l.Quantity != nil {
			s.add(at+"_quantity", label+", lot "+l.Lot, *l.Quantity, "units", "of the lot")
		}
		s.sum(at+"_cost", label+", cost of lot "+l.Lot, l.Cost, "of the part sold, at the rate of its day")
		s.sum(at+"_gain", label+", gain of lot "+l.Lot, l.Gain, "proceeds - cost")
		s.sum(at+"_tax", label+", tax of lot "+l.Lot, l.Tax, "rate * gain")
	}
}
