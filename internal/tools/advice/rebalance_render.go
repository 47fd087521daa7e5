package advice

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/analytics/rebalance"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// summary is the answer in a few words, without a sum.
func (a rebalanceAnswer) summary() string {
	text := fmt.Sprintf("%d trades, bought %s, sold %s", len(a.Trades), formatPercent(a.Cost.Bought), formatPercent(a.Cost.Sold))
	if len(a.Trades) == 0 {
		text = "no trades"
	}
	if a.Verdict.Refused {
		text = a.Verdict.Decision
	}
	return strings.TrimSpace(text + " " + a.Sources.flagText())
}

func (a rebalanceAnswer) markdown() string {
	var b strings.Builder
	b.WriteString(a.opening())
	if a.Total != nil {
		fmt.Fprintf(&b, "Rebalancing %s %s in %s on %s\n\n", formatMoney(*a.Total, a.Currency), a.Currency, toolkit.TableCell(joinFew(a.Accounts)), a.AsOf)
	} else {
		fmt.Fprintf(&b, "Rebalancing %s on %s (%s)\n\n", toolkit.TableCell(joinFew(a.Accounts)), a.AsOf, a.Amounts)
	}
	b.WriteString(a.driftTable() + "\n" + a.tradeTable() + a.lotTable() + a.cost())
	for _, l := range a.LeftOut {
		fmt.Fprintf(&b, "- left out: %s %s of %s: %s%s\n", l.Side, formatPercent(l.Part), l.Symbol, l.Reason, sinceText(l.From))
	}
	b.WriteString("\n" + a.ruleTable())
	for _, line := range a.Verdict.Basis {
		b.WriteString("\n" + toolkit.TableCell(line) + "\n")
	}
	for _, w := range a.Warnings {
		b.WriteString("\n! " + toolkit.TableCell(w) + "\n")
	}
	fmt.Fprintf(&b, "\n%s\n\n%s.\n", a.Sources.footers(), a.Note)
	return b.String()
}

// opening is the verdict: a no comes before the plan, with each limit that fails.
func (a rebalanceAnswer) opening() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n", a.Verdict.Decision)
	for _, r := range a.Verdict.Rules {
		if r.Outcome != investor.Fail {
			continue
		}
		earlier := ""
		if r.Before == investor.Fail {
			earlier = " The book as it is fails it, too."
		}
		fmt.Fprintf(&b, "- %s: %s%s\n", r.Rule, toolkit.TableCell(r.Why), earlier)
	}
	if b.Len() > 0 && a.Verdict.Refused {
		b.WriteString("\nWhat follows is the plan that was refused, and no recommendation.\n\n")
	}
	return b.String()
}

func sinceText(day string) string {
	if day == "" {
		return ""
	}
	return ", possible from " + day
}

func (a rebalanceAnswer) driftTable() string {
	rows := make([][]string, len(a.Drift))
	for i, d := range a.Drift {
		state := ""
		switch {
		case d.Outside && d.OutsideAfter:
			state = "outside, and after"
		case d.Outside:
			state = "outside"
		case d.OutsideAfter:
			state = "outside after"
		}
		rows[i] = []string{d.Symbol, formatPercentFixed(d.Weight), formatPercentFixed(d.Target), toolkit.FormatSigned(d.Drift.Shift(2), 2), formatPercentFixed(d.Band), formatPercentFixed(d.WeightAfter), state}
	}
	return toolkit.MarkdownTable([]string{"holding", "weight %:", "target %:", "drift:", "band:", "after %:", "band left"}, rows)
}

func (a rebalanceAnswer) tradeTable() string {
	if len(a.Trades) == 0 {
		return "No trades: " + a.Why + ".\n"
	}
	rows := make([][]string, len(a.Trades))
	for i, t := range a.Trades {
		// The text of one cell goes onto two lines if it does not fit into one.
		rows[i] = []string{fmt.Sprintf("%s %s %s", t.Side, t.Symbol, t.Account), formatPercentFixed(t.Part)}
		if a.Total != nil {
			rows[i] = append(rows[i], t.Quantity.String(), t.Price.String(), formatMoney(*t.Value, a.Currency), formatMoney(*t.Fee, a.Currency), a.signedSum(t.Gain, t.Side), a.signedSum(t.Tax, t.Side))
		}
	}
	columns := []string{"trade", "part %:"}
	if a.Total != nil {
		columns = append(columns, "units:", "price "+a.Currency+":", "value:", "fee:", "gain:", "tax:")
	}
	return toolkit.MarkdownTable(columns, rows)
}

// signedSum is one of a sale; a purchase has no gain.
func (a rebalanceAnswer) signedSum(d *decimal.Decimal, side rebalance.Side) string {
	switch {
	case side == rebalance.Buy:
		return ""
	case d == nil:
		return absentMeasure
	}
	return formatMoney(*d, a.Currency)
}

// lotTable lists the lots that the user names to the broker for a sale.
func (a rebalanceAnswer) lotTable() string {
	if a.Total == nil {
		return ""
	}
	var rows [][]string
	for _, t := range a.Trades {
		for _, l := range t.Lots {
			cost := absentMeasure
			if l.Cost != nil {
				cost = formatMoney(*l.Cost, a.Currency)
			}
			rows = append(rows, []string{fmt.Sprintf("%s %s", t.Symbol, t.Account), l.Lot, l.Acquired, string(l.Term), l.Quantity.String(), cost, a.signedSum(l.Gain, t.Side), a.signedSum(l.Tax, t.Side)})
		}
	}
	if rows == nil {
		return ""
	}
	return "\n" + toolkit.MarkdownTable([]string{"sold from", "lot", "acquired", "term", "units:", "cost:", "gain:", "tax:"}, rows)
}

// cost says what the plan costs.
func (a rebalanceAnswer) cost() string {
	var b strings.Builder
	c := a.Cost
	fmt.Fprintf(&b, "\nBought %s and sold %s of the total; turnover %s, the lesser of both, as funds report it; fees %s of the total",
		formatPercent(c.Bought), formatPercent(c.Sold), formatPercent(c.Turnover), formatPercent(c.FeesPart))
	if c.Fees != nil {
		fmt.Fprintf(&b, " (%s %s)", formatMoney(*c.Fees, a.Currency), a.Currency)
	}
	switch {
	case c.TaxPart == nil:
		b.WriteString("; tax not known")
	case c.Tax != nil:
		fmt.Fprintf(&b, "; tax about %s %s", formatMoney(*c.Tax, a.Currency), a.Currency)
	default:
		fmt.Fprintf(&b, "; tax about %s of the total", formatPercent(*c.TaxPart))
	}
	for _, g := range c.Gains {
		term := strings.TrimSpace(string(g.Term) + " gain")
		if g.Gain != nil {
			fmt.Fprintf(&b, "; %s %s %s", term, formatMoney(*g.Gain, a.Currency), a.Currency)
			continue
		}
		fmt.Fprintf(&b, "; %s %s of the total", term, formatPercent(g.Part))
	}
	return b.String() + ".\n\n"
}

func (a rebalanceAnswer) ruleTable() string {
	rows := make([][]string, len(a.Verdict.Rules))
	for i, r := range a.Verdict.Rules {
		outcome := string(r.Outcome)
		if r.Outcome == investor.Fail {
			outcome = "**FAIL**"
		}
		rows[i] = []string{r.Rule, string(r.Before), outcome, r.Why}
	}
	return toolkit.MarkdownTable([]string{"your limits", "now", "after", "why"}, rows)
}
