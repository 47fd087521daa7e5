package importer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// ErrFormat means that a file is not of the format that it was read as: a column is
// missing, or it has no table at all.
var ErrFormat = errors.New("not a file of this format")

// Format is a kind of file.
type Format struct {
	Name  string // "schwab": in flags, and the Source of its transactions
	Title string // "Charles Schwab, transaction history (CSV)"
	// Recognizes tells whether a file is surely of the format, by its header and not
	// by its name.
	Recognizes func(f File) bool
	// Read makes transactions of a file. An error means that nothing could be read;
	// what is wrong with single lines is in the Statement.
	Read func(f File, o Options) (Statement, error)
}

// Options are what a file does not say.
type Options struct {
	Account string // that the transactions are of
	// SeparateAccounts keeps accounts apart that a file names itself: Account is then that of the
	// lines which name none.
	SeparateAccounts bool
	// Zone is where the account's days begin and end, for formats that write moments
	// in UTC; nil is UTC.
	Zone *time.Location
	// Currency is of the account, for formats that do not say; empty where the user
	// did not either, and then what needs it is not understood.
	Currency string
}

// Statement is what was read of a file.
type Statement struct {
	Format  string  `json:"format"`
	Entries []Entry `json:"entries"` // in the order of the file
	// Problems are lines that were not understood, Ignored those that were and are
	// nothing to record. Entries, Problems and Ignored together name every line that
	// is not empty nor part of a header. A line may be in Entries and in Problems: it
	// was read, and something around it is wrong, such as a balance that does not
	// follow from the one before.
	Problems []SkippedLine `json:"problems"`
	Ignored  []SkippedLine `json:"ignored"`
	// Accounts are those that the file names itself, sorted, whatever its transactions
	// were recorded as.
	Accounts []string `json:"accounts,omitempty"`
	// Settings are what a file records besides transactions: accounts, aliases, securities and
	// targets, each once and each valid by itself. Its list of transactions is empty. Nil means
	// that the file has no settings; only nfa's own JSON has them.
	Settings *portfolio.Ledger `json:"settings,omitempty"`
}

// Entry is a transaction with the lines it was made of, counted from 1; a line that
// stands for several is in an entry for each, all of the same lines. Its ID is
// empty and its Source and SourceID are set, but for nfa's own files: there lots are
// named by IDs, and what the user had entered has no source.
type Entry struct {
	Lines       []int                 `json:"lines"`
	Transaction portfolio.Transaction `json:"transaction"`
}

// SkippedLine is what there is to say of a line.
type SkippedLine struct {
	Line   int    `json:"line"`
	Text   string `json:"text"` // the line itself, shortened
	Reason string `json:"reason"`
}

// Detect finds the one format that a file has. None and several are both errors,
// which wrap ErrFormat and name the formats to choose from.
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
		return Format{}, fmt.Errorf("%s: %w: it is none of %s; any table can be read with a mapping of its columns", f.Name, ErrFormat, formatNames(formats))
	default:
		return Format{}, fmt.Errorf("%s: %w: it may be any of %s; say which", f.Name, ErrFormat, formatNames(found))
	}
}

// FindFormat finds a format by its name.
func FindFormat(formats []Format, name string) (Format, error) {
	for _, format := range formats {
		if strings.EqualFold(format.Name, strings.TrimSpace(name)) {
			return format, nil
		}
	}
	return Format{}, fmt.Errorf("no format %q; there are %s", Shorten(name), formatNames(formats))
}

func formatNames(formats []Format) string {
	all := make([]string, len(formats))
	for i, format := range formats {
		all[i] = format.Name
	}
	return strings.Join(all, ", ")
}
