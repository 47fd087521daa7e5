package edgar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

// sumTerm is an item of a sum, added or subtracted. An optional item is used only if present.
type sumTerm struct {
	item     string
	minus    bool
	optional bool
}

// derive adds figures that companies do not report directly. Filed figures are never replaced, and
// each derived figure lists its inputs.
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
	d.pretaxIncome()
	d.depreciation()
	d.sum(market.ItemFreeCashFlow, sumTerm{item: market.ItemOperatingCashFlow}, sumTerm{item: market.ItemCapitalExpenditure, minus: true})
	d.sum(market.ItemShortInvestments, sumTerm{item: partDebtSecurities}, sumTerm{item: partShareSecurities, optional: true})
	d.liabilities()
	d.debt()
	if _, ok := d.items[market.ItemDilutedEPS]; !ok && d.span != market.SpanAnnual && d.span != "" {
		d.warnings = append(d.warnings, "no earnings per share: the company filed none for this period or for the periods that nfa derives it from")
	}
}

// pretaxIncome derives pretax income: total profit plus tax. Without total profit, it uses net
// income if there are no known noncontrolling interests.
func (d *statementDraft) pretaxIncome() {
	profit := partProfit
	if _, ok := d.items[profit]; !ok {
		profit = partNetIncome
		if _, shared := d.items[market.ItemMinorityInterest]; shared {
			return
		}
	}
	d.sum(market.ItemPretaxIncome, sumTerm{item: profit}, sumTerm{item: market.ItemIncomeTax}, sumTerm{item: partDiscontinued, minus: true, optional: true})
}

// depreciation adds depreciation and amortization if the cash flow statement has no total.
func (d *statementDraft) depreciation() {
	_, filed := d.items[market.ItemDepreciation]
	d.sum(market.ItemDepreciation, sumTerm{item: partDepreciation}, sumTerm{item: partAmortization, optional: true})
	_, amortized := d.items[partAmortization]
	if _, derived := d.items[market.ItemDepreciation]; derived && !filed && !amortized {
		d.warnings = append(d.warnings, market.ItemDepreciation+" is depreciation only: no figure for amortization was found")
	}
}

// liabilities derives total liabilities, which are often not tagged, as assets minus equity.
func (d *statementDraft) liabilities() {
	whole := market.ItemTotalAssets
	if _, ok := d.items[whole]; !ok {
		whole = partEquityAndDebts
	}
	d.sum(market.ItemTotalLiabilities, sumTerm{item: whole}, sumTerm{item: partTotalEquity, minus: true}, sumTerm{item: partTemporary, minus: true, optional: true})
	// Without that total, use the owners' equity, unless there are noncontrolling interests.
	d.sum(market.ItemTotalLiabilities, sumTerm{item: whole}, sumTerm{item: market.ItemEquity, minus: true},
		sumTerm{item: market.ItemMinorityInterest, minus: true, optional: true}, sumTerm{item: partTemporary, minus: true, optional: true})
}

// debt adds interest-bearing debt, each part once: long-term debt may include its current part, and
// all current debt includes both that and commercial paper.
func (d *statementDraft) debt() {
	d.sum(market.ItemLongDebt, sumTerm{item: partLongWhole}, sumTerm{item: partLongCurrent, minus: true})
	// Some companies tag the noncurrent part as long-term debt.
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
	// No long-term debt does not mean that there is no short-term debt.
	if _, known := d.items[market.ItemShortDebt]; !known && d.items[market.ItemTotalDebt].Value.IsZero() {
		delete(d.items, market.ItemTotalDebt)
	}
}

// copyOf replaces an absent item with its only component.
func (d *statementDraft) copyOf(item, part string) {
	if _, ok := d.items[item]; ok {
		return
	}
	if found, ok := d.items[part]; ok {
		d.items[item] = found
	}
}

// sum derives an absent item from others, if all of them are present.
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

// inputOf returns the concept that a derived figure used, or the item if the item was itself
// derived.
func inputOf(item string, in market.Item) string {
	if in.Tag != "" {
		return in.Tag
	}
	return item
}

// parts returns the lines that are used only to derive other lines.
func parts() []string {
	return []string{
		partProfit, partNetIncome, partDiscontinued, partSelling, partGeneral, partDepreciation, partAmortization, partDebtSecurities, partShareSecurities, partTotalEquity, partTemporary,
		partEquityAndDebts, partDebtCurrent, partLongCurrent, partLongWhole, partPaper, partBorrowed, partBorrowings,
	}
}

func (d *statementDraft) dropParts() {
	for _, part := range parts() {
		delete(d.items, part)
	}
}

// maxCoverDelay is the maximum number of days between the end of a period and the share count on
// the report's cover.
const maxCoverDelay = 200

// coverShares takes the shares outstanding from the cover of the period's own report. Its count is dated some
// weeks after the balance sheet and, for companies with several share classes, is the only one. Several
// counts on one day are the share classes.
func (d *statementDraft) coverShares() {
	v := d.view
	var newest *factFiling
	for _, r := range v.company.facts[coverSharesConcept] {
		for i := range r.facts {
			f := &r.facts[i]
			if f.filing.filed > v.known || v.covers[f.filing] != d.end || f.end < d.end || f.end > d.end+maxCoverDelay {
				continue
			}
			if newest == nil || f.filing.filed > newest.filed {
				newest = f.filing
			}
		}
	}
	if newest == nil {
		return
	}
	var counts []decimal.Decimal
	var asOf day
	for _, r := range v.company.facts[coverSharesConcept] {
		for _, f := range r.facts {
			if f.filing != newest || f.end < d.end || f.end > d.end+maxCoverDelay {
				continue
			}
			if f.end > asOf {
				asOf, counts = f.end, nil
			}
			counts = append(counts, f.value)
		}
	}
	item := market.Item{
		Unit: "shares", Tag: coverSharesConcept, Form: newest.form, Accession: newest.accession, Filed: newest.filed.date(),
		Inputs: []string{coverSharesConcept + " on " + asOf.String()},
	}
	slices.SortFunc(counts, decimal.Decimal.Cmp)
	for i, count := range counts {
		if len(v.classes) == len(counts) {
			count = v.classes[i].PerUnit(count)
		}
		item.Value = item.Value.Add(count)
	}
	switch {
	case len(counts) == 1:
	case len(v.classes) == len(counts):
		item.Formula = "sum of the share classes, weighted by their economic rights"
	default:
		item.Formula = "sum of the share classes"
		item.Flags = []market.Flag{market.FlagSuspect}
		d.warnings = append(d.warnings, fmt.Sprintf("shares outstanding are the sum of %d share classes on the cover page; check the report", len(counts)))
	}
	d.items[market.ItemSharesOutstanding] = item
}

// maxScaleError is the ratio of net income to (EPS x shares) above which one of the figures was
// probably tagged in thousands. Preferred dividends, losses and share classes stay far below it.
const maxScaleError = 50

// checkShareScale checks share counts against net income and earnings per share, because early filings tagged
// thousands of shares as shares. It adds a warning and leaves the figures as filed.
func (d *statementDraft) checkShareScale(count, each string) {
	income, eps, shares := d.items[market.ItemNetIncome], d.items[each], d.items[count]
	implied := eps.Value.Mul(shares.Value).Abs()
	if implied.IsZero() || income.Value.IsZero() {
		return
	}
	times := income.Value.Abs().Div(implied).InexactFloat64()
	if times > 1.0/maxScaleError && times < maxScaleError {
		return
	}
	shares.Flags = withFlag(shares.Flags, market.FlagSuspect)
	d.items[count] = shares
	d.warnings = append(d.warnings, count+" is inconsistent with net income and "+each+"; one of the two is probably tagged in a different scale")
}

// flagNonControlling flags net income that includes noncontrolling interests, because the part of
// the owners was not tagged.
func (d *statementDraft) flagNonControlling() {
	net, ok := d.items[market.ItemNetIncome]
	if _, shared := d.items[market.ItemMinorityInterest]; !ok || !shared {
		return
	}
	whole := func(concept string) bool {
		concept, _, _ = strings.Cut(concept, " ") // prefix of an input; the period follows
		return strings.HasSuffix(concept, ":ProfitLoss")
	}
	if !whole(net.Tag) && !slices.ContainsFunc(net.Inputs, whole) {
		return
	}
	net.Flags = withFlag(net.Flags, market.FlagSuspect)
	d.items[market.ItemNetIncome] = net
	d.warnings = append(d.warnings, "net income includes noncontrolling interests, which were not tagged separately")
}
