package edgar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// maxCoverDelay is how many days after its period a report counts the shares on its
// cover.
const maxCoverDelay = 200

// coverSharesConcept takes the shares outstanding from the cover of the period's own
// report: it is of some weeks later than the balance sheet and, where a company
// has several classes, the only place that counts them. Several counts of one day
// are its classes.
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
	var item market.Item
	var asOf day
	classes := 0
	for _, r := range v.company.facts[coverSharesConcept] {
		for _, f := range r.facts {
			if f.filing != newest || f.end < d.end || f.end > d.end+maxCoverDelay {
				continue
			}
			if f.end > asOf {
				asOf, item.Value, classes = f.end, f.value, 1
				continue
			}
			item.Value = item.Value.Add(f.value)
			classes++
		}
	}
	item.Unit, item.Tag = "shares", coverSharesConcept
	item.Form, item.Accession, item.Filed = newest.form, newest.accession, newest.filed.date()
	item.Inputs = []string{coverSharesConcept + " on " + asOf.String()}
	if classes > 1 {
		item.Formula = "sum of classes of shares"
		item.Flags = []market.Flag{market.FlagSuspect}
		d.warnings = append(d.warnings, fmt.Sprintf("shares outstanding are the sum of %d classes on the cover; check them against the report", classes))
	}
	d.items[market.ItemSharesOutstanding] = item
}

// maxScaleError is how far income may be from earnings a share times shares before one
// of them is taken to be tagged in thousands. Preferred dividends, losses and
// classes of shares stay far below it.
const maxScaleError = 50

// checkShareScale checks share counts against income and earnings: early filings gave
// thousands of shares as if they were shares. The figures stay as filed.
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
	d.warnings = append(d.warnings, count+" does not fit net income and "+each+": one of them is likely tagged in another scale")
}

// flagNonControlling doubts a net income that is the whole profit where others have a share of
// the company: what is left to its owners was not tagged.
func (d *statementDraft) flagNonControlling() {
	net, ok := d.items[market.ItemNetIncome]
	if _, shared := d.items[market.ItemMinorityInterest]; !ok || !shared {
		return
	}
	whole := func(concept string) bool {
		concept, _, _ = strings.Cut(concept, " ") // of an input, its span follows
		return strings.HasSuffix(concept, ":ProfitLoss")
	}
	if !whole(net.Tag) && !slices.ContainsFunc(net.Inputs, whole) {
		return
	}
	net.Flags = withFlag(net.Flags, market.FlagSuspect)
	d.items[market.ItemNetIncome] = net
	d.warnings = append(d.warnings, "net income is the whole profit: the part of noncontrolling interests was not tagged apart")
}
