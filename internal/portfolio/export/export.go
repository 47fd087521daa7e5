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

// Format is a file format for export.
type Format string

// Export formats.
const (
	// FormatCSV has one line per transaction, with all its fields. It omits accounts, aliases,
	// securities and targets.
	FormatCSV Format = "csv"
	// FormatJSON has the whole ledger.
	FormatJSON Format = "json"
	// FormatLedger is for ledger and hledger. It has movements and prices; the reader computes
	// which lots a sale took.
	FormatLedger Format = "ledger"
)

// Formats returns all formats.
func Formats() []Format { return []Format{FormatCSV, FormatJSON, FormatLedger} }

// ErrFormat means that the format is unknown.
var ErrFormat = errors.New("unknown format")

// Write writes l to w. If a transaction cannot be applied (portfolio.ErrInvalid and others), Write
// returns an error before writing anything. If w fails, part of the output may have been written.
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
		return fmt.Errorf("%w %q: use one of %v", ErrFormat, f, Formats())
	}
	out := bufio.NewWriterSize(w, 64<<10)
	if err := write(out, l); err != nil {
		return fmt.Errorf("export as %s: %w", f, err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export as %s: %w", f, err)
	}
	return nil
}

// validTransactions returns the transactions by date and then ID, or an error for the first invalid
// one.
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
