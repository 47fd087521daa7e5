package edgar

import (
	"github.com/nfa-cli/nfa/internal/market"
)

// sumTerm is an item and whether it is subtracted; an optional one counts only where
// it is there.
type sumTerm struct {
	item     string
	minus    bool
	optional bool
}

// derive adds the figures that companies leave to the reader. What was filed
// stands; only what is absent is derived, and each says of what.
func (d *statementDraft) derive() {
	if d.view.template == market.TemplateGeneral {
		d.sum(market.ItemGrossProfit, sumTerm{item: market.ItemRevenue}, sumTerm{item: market.ItemCostOfRevenue, minus: true})
		d.sum(market.ItemCostOfRevenue, sumTerm{item: market.ItemRevenue}, sumTerm{item: market.ItemGrossProfit, minus: true})
	}
	if d.view.template == market.TemplateBank {
		d.sum(market.ItemNetInterestIncome, sumTerm{item: market.ItemInterestIncome}, sumTerm{item: market.ItemInterestExpense, minus: true})
		d.sum(market.ItemRevenue, sumTerm{item: market.ItemNetInterestIncome}, sumTerm{item: market.ItemNonInterestIncome})
	}
	d.sum(market.ItemSellingGeneral, sumTerm{item: partSelling}, sumTerm{item: partGeneral})
	d.sum(market.ItemFreeCashFlow, sumTerm{item: market.ItemOperatingCashFlow}, sumTerm{item: market.ItemCapitalExpenditure, minus: true})
	d.liabilities()
	d.debt()
	if _, ok := d.items[market.ItemDilutedEPS]; !ok && d.span != market.SpanAnnual && d.span != "" {
		d.warnings = append(d.warnings, "earnings per share of this span were not filed on their own; those of longer spans cannot be subtracted")
	}
}

// liabilities are often not tagged: they are what the equity leaves of the assets.
func (d *statementDraft) liabilities() {
	whole := market.ItemTotalAssets
	if _, ok := d.items[whole]; !ok {
		whole = partEquityAndDebts
	}
	d.sum(market.ItemTotalLiabilities, sumTerm{item: whole}, sumTerm{item: partTotalEquity, minus: true}, sumTerm{item: partTemporary, minus: true, optional: true})
	// Without that total the equity of the owners is all there is, unless others
	// are known to have a share.
	d.sum(market.ItemTotalLiabilities, sumTerm{item: whole}, sumTerm{item: market.ItemEquity, minus: true},
		sumTerm{item: market.ItemMinorityInterest, minus: true, optional: true}, sumTerm{item: partTemporary, minus: true, optional: true})
}

// debt adds what is owed with interest, each part once: the whole of long-term
// debt holds its current part, and all current debt holds both it and paper.
func (d *statementDraft) debt() {
	d.sum(market.ItemLongDebt, sumTerm{item: partLongWhole}, sumTerm{item: partLongCurrent, minus: true})
	// Some tag as long-term debt what is left without its current part.
	if d.items[market.ItemLongDebt].Value.IsNegative() {
		delete(d.items, market.ItemLongDebt)
	}
	d.copyOf(market.ItemShortDebt, partDebtCurrent)
	borrowed := partBorrowed
	if _, ok := d.items[borrowed]; !ok {
		borrowed = partPaper
	}
	d.sum(market.ItemShortDebt, sumTerm{item: partLongCurrent}, sumTerm{item: borrowed, optional: true})
	d.copyOf(market.ItemShortDebt, borrowed)
	d.sum(market.ItemTotalDebt, sumTerm{item: market.ItemLongDebt}, sumTerm{item: market.ItemShortDebt})
	d.copyOf(market.ItemTotalDebt, partBorrowings)
	d.sum(market.ItemTotalDebt, sumTerm{item: partLongWhole}, sumTerm{item: borrowed, optional: true})
	d.sum(market.ItemTotalDebt, sumTerm{item: market.ItemLongDebt}, sumTerm{item: market.ItemShortDebt, optional: true})
	// Nothing owed for long says nothing of what is owed soon.
	if _, known := d.items[market.ItemShortDebt]; !known && d.items[market.ItemTotalDebt].Value.IsZero() {
		delete(d.items, market.ItemTotalDebt)
	}
}

// copyOf lets a part stand for an item that is absent.
func (d *statementDraft) copyOf(item, part string) {
	if _, ok := d.items[item]; ok {
		return
	}
	if found, ok := d.items[part]; ok {
		d.items[item] = found
	}
}

// sum makes an absent item of others, if all are there.
func (d *statementDraft) sum(item string, terms ...sumTerm) {
	if _, ok := d.items[item]; ok {
		return
	}
	var out market.Item
	for i, t := range terms {
		in, ok := d.items[t.item]
		if !ok {
			if t.optional {
				continue
			}
			return
		}
		sign := " + "
		if t.minus {
			sign, in.Value = " - ", in.Value.Neg()
		}
		if i == 0 {
			sign = ""
		}
		out.Value = out.Value.Add(in.Value)
		out.Formula += sign + t.item
		out.Inputs = append(out.Inputs, inputOf(t.item, in))
		out.Unit = in.Unit
		if in.Filed.After(out.Filed) {
			out.Filed, out.Form, out.Accession = in.Filed, in.Form, in.Accession
		}
		for _, flag := range in.Flags {
			out.Flags = withFlag(out.Flags, flag)
		}
	}
	d.items[item] = out
}

func withFlag(flags []market.Flag, flag market.Flag) []market.Flag {
	return market.Provenance{Flags: flags}.With(flag).Flags
}

// inputOf is the concept that a derived figure used, or the item where that was
// derived itself.
func inputOf(item string, in market.Item) string {
	if in.Tag != "" {
		return in.Tag
	}
	return item
}

// dropParts takes out what served for deriving only.
func (d *statementDraft) dropParts() {
	for _, part := range [...]string{
		partSelling, partGeneral, partTotalEquity, partTemporary, partEquityAndDebts, partDebtCurrent,
		partLongCurrent, partLongWhole, partPaper, partBorrowed, partBorrowings,
	} {
		delete(d.items, part)
	}
}
