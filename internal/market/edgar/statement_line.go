package edgar

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// lineMeasure is what a line's figures count.
type lineMeasure int

const (
	measureMoney lineMeasure = iota
	measurePerShare
	measureShares
)

// statementLine is one figure of a statement and the concepts that may hold it. Tiers go
// from the best to what may stand in where a period has none of them; within a
// tier concepts mean the same. Concepts without a prefix are of us-gaap.
type statementLine struct {
	item    string
	measure lineMeasure
	balance bool // of a day, not of a span
	tiers   []string
	only    market.Template // empty for all
	// largest of a tier is taken: a total stands beside a part of it.
	largest bool
}

// splitConcepts splits "A B" into concepts with their prefixes.
func splitConcepts(text string) []string {
	tags := strings.Fields(text)
	for i, tag := range tags {
		if !strings.Contains(tag, ":") {
			tags[i] = "us-gaap:" + tag
		}
	}
	return tags
}

// Concepts of lines that no statement shows but others are derived from.
const (
	partSelling        = "selling and marketing"
	partGeneral        = "general and administrative"
	partTotalEquity    = "equity with noncontrolling interests"
	partTemporary      = "temporary equity"
	partEquityAndDebts = "liabilities and equity"
	partDebtCurrent    = "all current debt"
	partLongCurrent    = "long-term debt, current part"
	partLongWhole      = "long-term debt with its current part"
	partPaper          = "commercial paper"
	partBorrowed       = "short-term borrowings"
	partBorrowings     = "all borrowings"
)

// coverSharesConcept is of a day after the period: it is looked up by filing.
const coverSharesConcept = "dei:EntityCommonStockSharesOutstanding"

// coreConcepts concepts show which periods a company reports on. They stand in every
// periodic report.
func coreConcepts() []string {
	return splitConcepts(`NetIncomeLoss ProfitLoss Revenues RevenueFromContractWithCustomerExcludingAssessedTax SalesRevenueNet
		EarningsPerShareDiluted EarningsPerShareBasic NetCashProvidedByUsedInOperatingActivities OperatingIncomeLoss
		ifrs-full:ProfitLoss ifrs-full:Revenue ifrs-full:ProfitLossAttributableToOwnersOfParent ifrs-full:CashFlowsFromUsedInOperatingActivities`)
}

// allConcepts are all that a statement may be made of.
func allConcepts() map[string]bool {
	all := map[string]bool{coverSharesConcept: true}
	for _, tag := range coreConcepts() {
		all[tag] = true
	}
	for _, table := range [...][]statementLine{incomeLines(), financialLines(), balanceLines(), cashFlowLines()} {
		for _, l := range table {
			for _, t := range l.tiers {
				for _, tag := range splitConcepts(t) {
					all[tag] = true
				}
			}
		}
	}
	return all
}

// linesOf are the lines of a template.
func linesOf(t market.Template) []statementLine {
	var out []statementLine
	for _, table := range [...][]statementLine{incomeLines(), financialLines(), balanceLines(), cashFlowLines()} {
		for _, l := range table {
			if l.only == "" || l.only == t {
				out = append(out, l)
			}
		}
	}
	return out
}

// TemplateOf is the template of a company by its four-digit SIC: depository and
// credit institutions, brokers and bank holdings have a bank's lines, insurance
// carriers an insurer's. Agents, property and holding companies have income from
// operations as others do.
func TemplateOf(sic string) market.Template {
	if len(sic) != 4 {
		return market.TemplateGeneral
	}
	switch sic[:2] {
	case "60", "61", "62":
		return market.TemplateBank
	case "63":
		return market.TemplateInsurer
	}
	if sic == "6712" {
		return market.TemplateBank
	}
	return market.TemplateGeneral
}
