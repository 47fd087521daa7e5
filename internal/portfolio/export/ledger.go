package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// writeLedger applies the transactions, because what a split or merger moves depends on what
// was held.
func writeLedger(out *bufio.Writer, l portfolio.Ledger) error {
	engine, err := lots.New(l)
	if err != nil {
		return err
	}
	if err := engine.Advance(market.Date{}); err != nil {
		return err
	}
	names := newCommodityNames(l)
	fmt.Fprintf(out, "; %s of %s. Signs that mean something here are written as %%XX in names and notes.\n",
		humanize.Count(len(l.Transactions), "transaction", "transactions"), humanize.Count(len(l.Accounts), "account", "accounts"))
	postings := engine.Postings()
	for _, t := range engine.OrderedTransactions() {
		end := slices.IndexFunc(postings, func(p portfolio.Posting) bool { return p.Transaction != t.ID })
		if end < 0 {
			end = len(postings)
		}
		writeEntry(out, t, newLedgerEntry(t, postings[:end], names))
		postings = postings[end:]
	}
	return nil
}

// writeEntry writes one transaction. What moved nothing is a comment: programs
// refuse an entry without postings.
func writeEntry(out io.Writer, t portfolio.Transaction, lines []ledgerPosting) {
	mark := ""
	if len(lines) == 0 {
		mark = "; "
	}
	fmt.Fprintf(out, "\n%s%s %s", mark, t.Date.Format(time.DateOnly), t.Kind)
	if t.Symbol != "" {
		fmt.Fprintf(out, " %s", escapeComment(string(t.Symbol)))
	}
	fmt.Fprintln(out)
	for _, remark := range []struct{ name, text string }{
		{"id", t.ID}, {"name", t.Name}, {"isin", t.ISIN}, {"source", t.Source}, {"source_id", t.SourceID}, {"note", t.Note},
	} {
		if remark.text != "" {
			fmt.Fprintf(out, "    ; %s: %s\n", remark.name, escapeComment(remark.text))
		}
	}
	for _, l := range lines {
		fmt.Fprintf(out, "    %s  %s\n", l.account, l.amount())
	}
}
