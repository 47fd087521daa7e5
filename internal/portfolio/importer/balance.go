package importer

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// CashBalance is the cash of an account before the first line of a file.
type CashBalance struct {
	Account  string          `json:"account"`
	Currency string          `json:"currency"`
	Date     market.Date     `json:"date"` // of the first line
	Amount   decimal.Decimal `json:"amount"`
}

// balanceLine is a line with the cash of its account after it.
type balanceLine struct {
	row               Row
	account, currency string
	date              market.Date
	balance           decimal.Decimal
	changes           []decimal.Decimal // possible changes by the line; none if unknown
	doubtful          bool              // the balance may be that of another account
}

// balanceGap is the doubt reported for a line whose balance is not the previous balance plus its change.
const balanceGap = "the balance does not follow from the previous line: lines may be missing from the file, or a number is wrong"

// checkBalances checks that each balance in a file follows from the one before, and sets the cash before
// the first line. The file may list the oldest or the newest line first: the order that fits better is
// used.
func (c *Collector) checkBalances(lines []balanceLine) {
	newestFirst := len(lines) > 0 && lines[0].date.After(lines[len(lines)-1].date)
	up := followBalances(lines)
	slices.Reverse(lines)
	found := followBalances(lines)
	if len(up.gaps) < len(found.gaps) || len(up.gaps) == len(found.gaps) && !newestFirst {
		found = up
	}
	for _, gap := range found.gaps {
		l := gap.line
		c.Doubt(l.row, balanceGap, "%[1]s %[2]s before, %[3]s %[2]s after", gap.before, l.currency, l.balance)
	}
	if len(found.gaps)*3 <= found.compared { // otherwise the column is not a running balance
		c.out.CashBefore = found.openings
	}
}

// followedBalances is the result of reading lines from oldest to newest.
type followedBalances struct {
	openings []CashBalance
	compared int
	gaps     []balanceGapLine
}

type balanceGapLine struct {
	line   balanceLine
	before decimal.Decimal
}

func followBalances(lines []balanceLine) followedBalances {
	type key struct{ account, currency string }
	var f followedBalances
	last := map[key]decimal.Decimal{}
	for _, l := range lines {
		k := key{l.account, l.currency}
		before, known := last[k]
		fits := slices.ContainsFunc(l.changes, l.balance.Sub(before).Equal)
		switch {
		case l.doubtful && (!known || !fits):
			continue
		case !known && len(l.changes) == 1:
			f.openings = append(f.openings, CashBalance{l.account, l.currency, l.date, l.balance.Sub(l.changes[0])})
		case known && len(l.changes) > 0:
			if f.compared++; !fits {
				f.gaps = append(f.gaps, balanceGapLine{l, before})
			}
		}
		last[k] = l.balance
	}
	return f
}

// checkRecordedBalances checks each line's balance against the cash that its transactions move. Lines that
// were not recorded may have moved cash too, so their change is unknown.
func (r *specReader) checkRecordedBalances(lines []*specLine) {
	recorded := map[int][]portfolio.Transaction{}
	for _, e := range r.collector.out.Entries {
		if len(e.Lines) == 1 {
			recorded[e.Lines[0]] = append(recorded[e.Lines[0]], e.Transaction)
		}
	}
	var balances []balanceLine
	for _, l := range lines {
		balance, mark, err := l.number(r.balance)
		if err != nil || !balance.Valid {
			continue
		}
		b := balanceLine{row: l.row, account: l.account, currency: l.currency, date: l.date, balance: balance.Decimal}
		if b.account == "" {
			b.account = r.options.Account
		}
		if mark != "" {
			b.currency = mark
		}
		if all := recorded[l.row.Line]; len(all) > 0 {
			change := decimal.Zero
			for i := range all {
				change = change.Add(all[i].CashIn(b.account, b.currency))
			}
			b.changes = []decimal.Decimal{change}
		}
		balances = append(balances, b)
	}
	r.collector.checkBalances(balances)
}
