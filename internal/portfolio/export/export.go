package export

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Format is the file format of an export.
type Format string

// Formats in use.
const (
	// FormatCSV has a line for each transaction and loses nothing of them. Accounts,
	// aliases, securities and targets are not in it.
	FormatCSV Format = "csv"
	// FormatJSON has everything.
	FormatJSON Format = "json"
	// FormatLedger is read by ledger and hledger. It says what moved and what was
	// paid; which lots a sale took is left to the reader.
	FormatLedger Format = "ledger"
)

// Formats lists them all.
func Formats() []Format { return []Format{FormatCSV, FormatJSON, FormatLedger} }

// ErrFormat means that there is no such format.
var ErrFormat = errors.New("unknown format")

// Write writes l. A transaction that cannot be applied is an error before anything is written
// (portfolio.ErrInvalid and others); an error of w may leave a part.
func Write(w io.Writer, l portfolio.Ledger, f Format) error {
	var write func(*bufio.Writer, portfolio.Ledger) error
	switch f {
	case FormatCSV:
		write = writeCSV
	case FormatJSON:
		write = writeJSON
	case FormatLedger:
		write = writeLedger
	default:
		return fmt.Errorf("%w %q: one of %v", ErrFormat, f, Formats())
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := write(out, l); err != nil {
		return fmt.Errorf("exporting as %s: %w", f, err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("exporting as %s: %w", f, err)
	}
	return nil
}

// validTransactions gives the transactions oldest first, those of a day by their IDs, or what
// is wrong with one.
func validTransactions(l portfolio.Ledger) ([]portfolio.Transaction, error) {
	for _, t := range l.Transactions {
		if err := t.Validate(); err != nil {
			return nil, fmt.Errorf("transaction %.64q: %w", t.ID, err)
		}
	}
	return slices.SortedStableFunc(slices.Values(l.Transactions), func(a, b portfolio.Transaction) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.ID, b.ID))
	}), nil
}
