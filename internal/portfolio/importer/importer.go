package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ErrFormat means that a file does not have the expected format: a column is missing, or there is
// no table.
var ErrFormat = errors.New("unexpected file format")

// Format is a supported file format.
type Format struct {
	Name  string // "schwab": used in flags, and as Source of its transactions
	Title string // "Charles Schwab, transaction history (CSV)"
	// Recognizes reports whether a file certainly has the format, by its header and not its name.
	Recognizes func(f File) bool
	// Read reads the transactions of a file. An error means that nothing could be read; problems
	// with single lines are in the Statement.
	Read func(f File, o Options) (Statement, error)
}

// Options are facts that a file does not contain.
type Options struct {
	Account string // account of the transactions
	// SeparateAccounts keeps the accounts named in the file apart. Account is then used for lines
	// without one.
	SeparateAccounts bool
	// Zone is the time zone of the account's dates, for formats that write times in UTC; nil means
	// UTC.
	Zone *time.Location
	// Meanings gives the meaning of words that the format does not know, as in Mapping.Kinds.
	Meanings map[string]string
	// Currency is the account's currency, for formats without one. If it is empty, lines that need
	// it become problems.
	Currency string
}

// Statement is the result of reading a file.
type Statement struct {
	Format  string  `json:"format"`
	Entries []Entry `json:"entries"` // in file order
	// Problems are lines that were not understood; Ignored are lines with nothing to record.
	// Together with Entries they cover every line that is not empty or a header.
	Problems []SkippedLine `json:"problems"`
	Ignored  []SkippedLine `json:"ignored"`
	// Doubts are lines with something that does not fit, such as a balance. They are also in one of
	// the other lists.
	Doubts []SkippedLine `json:"doubts,omitempty"`
	// CashBefore is the cash of each account and currency before the first line, if the file has its
	// balance after each line.
	CashBefore []CashBalance `json:"cash_before,omitempty"`
	// Canceled are payments with the lines that reverse them, which are both in Ignored. An earlier
	// file may have the payment without its reversal.
	Canceled []Entry `json:"canceled,omitempty"`
	// Listings are the securities as the file names them, by the symbol they are recorded under. Formats
	// that already use nfa's symbols add none.
	Listings map[market.Symbol]Listing `json:"-"`
	// Accounts are the account names in the file, sorted, even if its transactions use another
	// account.
	Accounts []string `json:"accounts,omitempty"`
	// Settings are the accounts, aliases, securities and targets in the file, each once and each
	// valid by itself. It has no transactions. Nil means that the file has no settings; only nfa's
	// own JSON has them.
	Settings *portfolio.Ledger `json:"settings,omitempty"`
}

// Entry is a transaction with its line numbers, starting at 1. A line with several transactions has
// an entry for each, all with the same lines. ID is empty and Source and SourceID are set, except
// for nfa's own files: they keep IDs, because lots are named by them, and transactions entered by
// hand have no source.
type Entry struct {
	Lines       []int                 `json:"lines"`
	Transaction portfolio.Transaction `json:"transaction"`
	// Held is the quantity that was held at a corporate action, if the file states it.
	Held decimal.Decimal `json:"held,omitzero"`
}

// SkippedLine is a line that was ignored or not understood.
type SkippedLine struct {
	Line   int    `json:"line"`
	Text   string `json:"text"` // the original line, shortened
	Reason string `json:"reason"`
}

// Detect returns the one format that recognizes a file. If none or several do, the error wraps
// ErrFormat and lists the formats to choose from.
func Detect(formats []Format, f File) (Format, error) {
	var found []Format
	for _, format := range formats {
		if format.Recognizes(f) {
			found = append(found, format)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Format{}, fmt.Errorf("%s: %w: none of %s", f.Name, ErrFormat, formatNames(formats))
	default:
		return Format{}, fmt.Errorf("%s: %w: matches several formats, %s; choose one", f.Name, ErrFormat, formatNames(found))
	}
}

// FindFormat returns a format by its name.
func FindFormat(formats []Format, name string) (Format, error) {
	for _, format := range formats {
		if strings.EqualFold(format.Name, strings.TrimSpace(name)) {
			return format, nil
		}
	}
	return Format{}, fmt.Errorf("no format %q; use one of %s", Shorten(name), formatNames(formats))
}

func formatNames(formats []Format) string {
	all := make([]string, len(formats))
	for i, format := range formats {
		all[i] = format.Name
	}
	return strings.Join(all, ", ")
}
