package importer

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Collector gathers what a format reads of a file and keeps account of its lines,
// so that none is lost: whatever was neither read nor ignored for a reason becomes
// a problem at the end.
type Collector struct {
	format   string
	options  Options
	counter  FingerprintCounter
	byID     map[recordKey]int // to its place in entries
	out      Statement
	reported map[int]bool
	// accounts are those that the file names.
	accounts map[string]bool
}

// recordKey is what a broker's number tells apart: those of two accounts may be equal.
type recordKey struct{ account, number string }

func recordKeyOf(t *portfolio.Transaction) recordKey { return recordKey{t.Account, t.SourceID} }

// NewCollector begins a statement of the format.
func NewCollector(format string, o Options) *Collector {
	return &Collector{
		format: format, options: o, byID: map[recordKey]int{}, reported: map[int]bool{}, accounts: map[string]bool{},
		out: Statement{Format: format},
	}
}

// AccountFor is what a line is of where the file says it is of named: that of the options,
// unless they have none or keep accounts apart.
func (c *Collector) AccountFor(named string) string {
	if named != "" {
		c.accounts[named] = true
	}
	if named != "" && (c.options.SeparateAccounts || c.options.Account == "") {
		return named
	}
	return c.options.Account
}

// Add is AddAll for rows that stand for one transaction.
func (c *Collector) Add(t portfolio.Transaction, id string, rows ...Row) {
	t.SourceID = ""
	c.AddAll([]portfolio.Transaction{t}, id, rows...)
}

// AddAll records all transactions that rows stand for, or none, because half of a line would be
// worse than nothing. The Source of each is the format, its Account that of the options if it
// has none, and its SourceID is id followed by the SourceID that it comes with, which
// distinguishes it from the others of its rows ("", "/tax"). An empty id stands for a broker
// that gives no number: the first row's cells then make one.
//
// If one of them is invalid or in pence, all rows are a problem. The same id a second time in
// an account is ignored if the transactions are equal, and a problem if they are not. Without
// transactions it records nothing.
func (c *Collector) AddAll(txs []portfolio.Transaction, id string, rows ...Row) {
	if len(txs) == 0 {
		return
	}
	if id == "" && len(rows) > 0 {
		id = c.counter.ID(rows[0].identity())
	}
	txs = slices.Clone(txs)
	for i := range txs {
		t := &txs[i]
		t.ID, t.Source, t.SourceID = "", c.format, id+t.SourceID
		// Texts of a file may be of any length and steer a terminal.
		t.Name, t.Note = Shorten(t.Name), Shorten(t.Note)
		if t.Account == "" {
			t.Account = c.options.Account
		}
	}
	if err := checkTransactions(txs); err != nil {
		c.RejectAll(rows, "%s", err)
		return
	}
	if c.reportRepeated(txs, rows) {
		return
	}
	var lines []int
	for _, row := range rows {
		c.reported[row.Line] = true
		lines = append(lines, row.Line)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	for _, t := range txs {
		c.byID[recordKeyOf(&t)] = len(c.out.Entries)
		c.out.Entries = append(c.out.Entries, Entry{Lines: slices.Clone(lines), Transaction: t})
	}
}

// checkTransactions validates transactions with the rules of the ledger before anything is
// recorded. The ID is assigned later, so a placeholder stands for it.
func checkTransactions(txs []portfolio.Transaction) error {
	for i := range txs {
		t := &txs[i]
		t.ID = "new"
		err := t.Validate()
		t.ID = ""
		if err := cmp.Or(err, rejectMinorUnits(t.Currency), rejectMinorUnits(t.ToCurrency)); err != nil {
			return err
		}
		if slices.ContainsFunc(txs[:i], func(other portfolio.Transaction) bool { return other.SourceID == t.SourceID }) {
			return fmt.Errorf("two transactions of the one number %s", Shorten(t.SourceID))
		}
	}
	return nil
}

// reportRepeated reports whether something was recorded under a number of one of them. A line that
// stands twice, all of whose transactions are there and say the same, is ignored; one that only has
// the number of another is a problem.
func (c *Collector) reportRepeated(txs []portfolio.Transaction, rows []Row) bool {
	first, found, same := Entry{}, 0, true
	for i := range txs {
		at, ok := c.byID[recordKeyOf(&txs[i])]
		if !ok {
			continue
		}
		if found++; found == 1 {
			first = c.out.Entries[at]
		}
		same = same && sameTransaction(c.out.Entries[at].Transaction, txs[i])
	}
	if found == 0 {
		return false
	}
	number := Shorten(first.Transaction.SourceID)
	if same && found == len(txs) {
		c.Skip(IgnoreReason(fmt.Sprintf("the same as line %d, by the broker's number %s", first.Lines[0], number)), rows...)
	} else {
		c.RejectAll(rows, "has the number %s of line %d and says something else: compare both with the broker's statement", number, first.Lines[0])
	}
	return true
}

// sameTransaction compares what counts of two transactions, the moment among it: fills of one
// order are of the same shares and sums, at other times.
func sameTransaction(a, b portfolio.Transaction) bool {
	return a.Kind == b.Kind && a.Symbol == b.Symbol && a.ISIN == b.ISIN && a.Date.Equal(b.Date) && a.Time.Equal(b.Time) && a.Currency == b.Currency &&
		a.Quantity.Equal(b.Quantity) && sameNull(a.Price, b.Price) && a.Amount.Equal(b.Amount) && a.Fee.Equal(b.Fee) && a.Tax.Equal(b.Tax) &&
		a.CostUnknown == b.CostUnknown && a.Acquired.Equal(b.Acquired) && a.Short == b.Short && sameNull(a.CostPart, b.CostPart) &&
		a.ToAccount == b.ToAccount && a.ToSymbol == b.ToSymbol && a.ToCurrency == b.ToCurrency && a.ToAmount.Equal(b.ToAmount) &&
		a.New.Equal(b.New) && a.Old.Equal(b.Old)
}

func sameNull(a, b decimal.NullDecimal) bool { return a.Valid == b.Valid && a.Decimal.Equal(b.Decimal) }

// Problem reports a row that was not understood, with a reason that says what to do.
func (c *Collector) Problem(row Row, format string, args ...any) {
	c.out.Problems = append(c.out.Problems, c.skippedLine(row, fmt.Sprintf(format, args...)))
}

// Ignore leaves a row out that was understood and is nothing to record.
func (c *Collector) Ignore(row Row, reason string) {
	c.out.Ignored = append(c.out.Ignored, c.skippedLine(row, reason))
}

// Reported reports whether something was said of the row already.
func (c *Collector) Reported(row Row) bool { return c.reported[row.Line] }

// Statement is what was gathered. Of rows, which are all that the file has below
// its header, those of which nothing was said become problems; empty ones do not
// count. Problems and Ignored are in the order of lines.
func (c *Collector) Statement(rows []Row) Statement {
	for _, row := range rows {
		if !c.reported[row.Line] && !row.Empty() {
			c.Problem(row, "not understood")
		}
	}
	byLine := func(a, b SkippedLine) int { return a.Line - b.Line }
	slices.SortStableFunc(c.out.Problems, byLine)
	slices.SortStableFunc(c.out.Ignored, byLine)
	c.out.Accounts = slices.Sorted(maps.Keys(c.accounts))
	slices.SortStableFunc(c.out.Entries, func(a, b Entry) int { return a.Lines[0] - b.Lines[0] })
	return c.out
}

// RejectAll reports rows that belong together and were not understood together.
func (c *Collector) RejectAll(rows []Row, format string, args ...any) {
	for _, row := range rows {
		c.Problem(row, format, args...)
	}
}

// IgnoreReason is why rows are nothing to record, for formats that find it where an error
// is returned.
type IgnoreReason string

// Error is the reason.
func (l IgnoreReason) Error() string { return string(l) }

// Skip says why rows became no transaction: they are ignored for a IgnoreReason, and a
// problem for any other error.
func (c *Collector) Skip(err error, rows ...Row) {
	reason, ignored := errors.AsType[IgnoreReason](err)
	for _, row := range rows {
		if ignored {
			c.Ignore(row, string(reason))
			continue
		}
		c.Problem(row, "%s", err)
	}
}

func (c *Collector) skippedLine(row Row, reason string) SkippedLine {
	c.reported[row.Line] = true
	return SkippedLine{Line: row.Line, Text: row.Text(), Reason: reason}
}

// Fingerprint is a short name for a line to which the broker gives no number: equal
// for equal cells, blanks around them aside, and else different.
func Fingerprint(cells []string) string {
	h := sha256.New()
	var size [8]byte
	for _, cell := range cells {
		cell = trimCell(cell)
		// With its length before it, no cell can run into the next.
		binary.LittleEndian.PutUint64(size[:], uint64(len(cell)))
		h.Write(size[:])
		h.Write([]byte(cell))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// FingerprintCounter gives fingerprints that differ for equal lines of one file. The zero
// value is ready; each file needs its own.
type FingerprintCounter struct{ seen map[string]int }

// ID is the fingerprint of the cells, and "-2" behind it the second time, so that
// reading a file again gives every line the same name.
func (c *FingerprintCounter) ID(cells []string) string {
	if c.seen == nil {
		c.seen = map[string]int{}
	}
	mark := Fingerprint(cells)
	c.seen[mark]++
	if n := c.seen[mark]; n > 1 {
		return mark + "-" + strconv.Itoa(n)
	}
	return mark
}

// maxShortText is what people need to find a line again, in characters.
const maxShortText = 120

// Shorten makes one line of a text, of at most 120 characters, without those that
// steer a terminal or the direction of writing.
func Shorten(text string) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar {
			blank = n > 0
			continue
		}
		if blank {
			b.WriteByte(' ')
			n, blank = n+1, false
		}
		if n >= maxShortText-1 {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
