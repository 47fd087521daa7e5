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

// Collector collects the transactions of a file and accounts for every line: a line that is neither
// recorded nor ignored becomes a problem in Statement.
type Collector struct {
	format   string
	options  Options
	counter  FingerprintCounter
	byID     map[recordKey]int // index in entries
	out      Statement
	reported map[int]bool
	traded   map[string]Listing // by ISIN
	// accounts are the account names in the file.
	accounts map[string]bool
}

// recordKey identifies a record. Two accounts may use the same number.
type recordKey struct{ account, number string }

func recordKeyOf(t *portfolio.Transaction) recordKey { return recordKey{t.Account, t.SourceID} }

// NewCollector returns a Collector for a format.
func NewCollector(format string, o Options) *Collector {
	return &Collector{
		format: format, options: o, byID: map[recordKey]int{}, reported: map[int]bool{}, accounts: map[string]bool{}, traded: map[string]Listing{},
		out: Statement{Format: format},
	}
}

// AccountFor returns the account of a line on which the file names one. It is the account from the options,
// unless that is empty or the options separate accounts.
func (c *Collector) AccountFor(named string) string {
	if named != "" {
		c.accounts[named] = true
	}
	if named != "" && (c.options.SeparateAccounts || c.options.Account == "") {
		return named
	}
	return c.options.Account
}

// Add works like AddAll for one transaction.
func (c *Collector) Add(t portfolio.Transaction, id string, rows ...Row) {
	t.SourceID = ""
	c.AddAll([]portfolio.Transaction{t}, id, rows...)
}

// AddAll records all transactions of the rows or none, because recording only part of a line would
// be wrong. It sets Source to the format, a missing Account to that of the options, and SourceID to
// id followed by the SourceID of the transaction, a suffix that distinguishes it from others of its
// rows ("", "/tax"). If the broker provides no id, pass "": the ID is then computed from the first
// row's cells.
//
// If a transaction is invalid or in pence, all rows become a problem. A repeated id in an account
// is ignored if the transactions are equal, and a problem otherwise. Without transactions AddAll
// does nothing.
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
		// File texts may be very long or contain terminal control characters.
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

// SetHeld states how many shares were held at the corporate action that was recorded for a row.
func (c *Collector) SetHeld(row Row, quantity decimal.Decimal) {
	for i := range c.out.Entries {
		if slices.Contains(c.out.Entries[i].Lines, row.Line) {
			c.out.Entries[i].Held = quantity
		}
	}
}

// Cancel ignores a payment and the line that reverses it, and adds the payment to Statement.Canceled.
func (c *Collector) Cancel(t portfolio.Transaction, id string, row, reversal Row) {
	if id == "" {
		id = c.counter.ID(row.identity())
	}
	t.Source, t.SourceID = c.format, id
	t.Account = cmp.Or(t.Account, c.options.Account)
	c.out.Canceled = append(c.out.Canceled, Entry{Lines: []int{row.Line, reversal.Line}, Transaction: t})
	c.Skip(IgnoreReason("a payment and its reversal"), row, reversal)
}

// checkTransactions validates transactions with the ledger's rules before anything is recorded. It
// sets a placeholder ID, because IDs are assigned later.
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
			return fmt.Errorf("two transactions have the number %s", Shorten(t.SourceID))
		}
	}
	return nil
}

// reportRepeated reports whether a broker number was already used. It ignores a line that repeats equal
// transactions; any other use of the number is a problem.
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
		c.Skip(IgnoreReason(fmt.Sprintf("duplicate of line %d: same broker reference, %s", first.Lines[0], number)), rows...)
	} else {
		c.RejectAll(rows, "has the same number %s as line %d but different values; compare both with the broker's statement", number, first.Lines[0])
	}
	return true
}

// sameTransaction compares the relevant fields, including the time, because fills of one order may
// differ only in time.
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

// Doubt reports an inconsistency in a row that is also recorded, ignored or a problem. Doubts with
// equal reasons are shown together.
func (c *Collector) Doubt(row Row, reason, detail string, args ...any) {
	c.out.Doubts = append(c.out.Doubts, SkippedLine{Line: row.Line, Text: Shorten(fmt.Sprintf(detail, args...)), Reason: reason})
}

// Ignore reports a row that was understood but has nothing to record.
func (c *Collector) Ignore(row Row, reason string) {
	c.out.Ignored = append(c.out.Ignored, c.skippedLine(row, reason))
}

// Reported reports whether the row was recorded, ignored or reported as a problem.
func (c *Collector) Reported(row Row) bool { return c.reported[row.Line] }

// Statement returns the result. rows are all rows below the header; those not reported yet become
// problems, unless they are empty. Problems and Ignored are sorted by line.
func (c *Collector) Statement(rows []Row) Statement {
	for _, row := range rows {
		if !c.reported[row.Line] && !row.Empty() {
			c.Problem(row, "not understood")
		}
	}
	byLine := func(a, b SkippedLine) int { return a.Line - b.Line }
	slices.SortStableFunc(c.out.Problems, byLine)
	slices.SortStableFunc(c.out.Ignored, byLine)
	slices.SortStableFunc(c.out.Doubts, byLine)
	c.out.Accounts = slices.Sorted(maps.Keys(c.accounts))
	slices.SortStableFunc(c.out.Entries, func(a, b Entry) int { return a.Lines[0] - b.Lines[0] })
	return c.out
}

// RejectAll reports rows that belong together as problems.
func (c *Collector) RejectAll(rows []Row, format string, args ...any) {
	for _, row := range rows {
		c.Problem(row, format, args...)
	}
}

// IgnoreReason is an error that means a row has nothing to record.
type IgnoreReason string

// Error returns the reason.
func (l IgnoreReason) Error() string { return string(l) }

// Skip reports rows without a transaction: as ignored if err is an IgnoreReason, otherwise as a
// problem.
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

// Fingerprint returns a short ID for a line without a broker number. It is equal for equal cells,
// ignoring spaces around them.
func Fingerprint(cells []string) string {
	h := sha256.New()
	var size [8]byte
	for _, cell := range cells {
		cell = trimCell(cell)
		// Write the length first, so that adjacent cells cannot be confused.
		binary.LittleEndian.PutUint64(size[:], uint64(len(cell)))
		h.Write(size[:])
		h.Write([]byte(cell))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// FingerprintCounter returns distinct fingerprints for equal lines of one file. The zero value is
// ready to use; each file needs its own.
type FingerprintCounter struct{ seen map[string]int }

// ID returns the fingerprint of the cells, with the suffix "-2" for the second occurrence and so
// on, so that reading a file again gives the same IDs.
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

// maxShortText is the maximum length of quoted text, in characters.
const maxShortText = 120

// Shorten returns text on one line, cut to 120 characters, without control or bidirectional
// characters.
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
