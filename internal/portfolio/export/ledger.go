package export

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/lots"
)

// writeLedger applies the transactions, because the postings of a split or merger depend on the
// shares held.
func writeLedger(out *bufio.Writer, l portfolio.Ledger) error {
	engine, err := lots.New(l)
	if err != nil {
		return err
	}
	if err := engine.Advance(market.Date{}); err != nil {
		return err
	}
	names := newCommodityNames(l)
	fmt.Fprintf(out, "; %s of %s. Special characters in names and notes are written as %%XX.\n",
		humanize.Count(len(l.Transactions), "transaction", "transactions"), humanize.Count(len(l.Accounts), "account", "accounts"))
	postings := engine.Postings()
	for _, t := range engine.OrderedTransactions() {
		end := slices.IndexFunc(postings, func(p portfolio.Posting) bool { return p.Transaction != t.ID })
		if end < 0 {
			end = len(postings)
		}
		writeEntry(out, *t, newLedgerEntry(*t, postings[:end], names))
		postings = postings[end:]
	}
	return nil
}

// writeEntry writes one transaction. A transaction without postings becomes a comment, because
// ledger programs reject an empty entry.
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

// Names and notes are free text. Characters with a meaning in the format are percent-encoded, such
// as %3B for a semicolon. Different names stay different, and none can end a line, a name or a
// comment.

func escape(text string, means func(before, r rune) bool) string {
	var out strings.Builder
	before := ' '
	for _, r := range text {
		if r == '%' || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || means(before, r) {
			for _, b := range []byte(string(r)) {
				fmt.Fprintf(&out, "%%%02X", b)
			}
		} else {
			out.WriteRune(r)
		}
		before = r
	}
	return out.String()
}

// accountSegment escapes a name for use between the colons of an account. Two spaces would end the
// account name.
func accountSegment(name string) string {
	if trimmed := strings.TrimRight(name, " "); trimmed != name {
		return accountSegment(trimmed) + strings.Repeat("%20", len(name)-len(trimmed))
	}
	return escape(name, func(before, r rune) bool {
		return strings.ContainsRune(":;\"", r) || unicode.IsSpace(r) && (r != ' ' || before == ' ')
	})
}

// escapeComment escapes text after a semicolon, where programs look for tags, dates in brackets and
// values after two colons.
func escapeComment(text string) string {
	return escape(text, func(_, r rune) bool { return strings.ContainsRune(":[];", r) || unicode.IsSpace(r) && r != ' ' })
}

// commodityNames returns the commodity names of a ledger.
type commodityNames struct{ currencies map[string]bool }

func newCommodityNames(l portfolio.Ledger) commodityNames {
	n := commodityNames{currencies: map[string]bool{}}
	for _, t := range l.Transactions {
		n.currencies[t.Currency], n.currencies[t.ToCurrency] = true, true
	}
	return n
}

// security returns a symbol in quotes. If the symbol is also a currency in the ledger, it gets the
// suffix "shares": ALL is both Allstate and the Albanian lek.
func (n commodityNames) security(s market.Symbol) string {
	name := escape(string(s), func(_, r rune) bool { return strings.ContainsRune("\";", r) || unicode.IsSpace(r) })
	if n.currencies[string(s)] {
		name += " shares"
	}
	return `"` + name + `"`
}
