// Package ghostfolio reads the exports of Ghostfolio: the JSON of its own export,
// whose list was called "orders" in early versions and is "activities" now, and the
// CSV that it imports.
//
// The value of an activity is quantity times unit price; a fee comes on top.
// Ghostfolio has one fee and no tax, so that taxes withheld, which many of its users
// enter as fees, are fees here too.
package ghostfolio

import (
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "ghostfolio"

// Format is Ghostfolio's export. Where the options name no account, each activity is
// of the one that the file gives it.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Ghostfolio, export (JSON or CSV)",
		Recognizes: func(f sheet.File) bool { return isJSON(f) && listed(f) || !isJSON(f) && isTable(f) },
		Read:       read,
	}
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	if isJSON(f) {
		return readJSON(f, o)
	}
	return readTable(f, o)
}

func isJSON(f sheet.File) bool {
	return strings.HasPrefix(strings.TrimSpace(f.Text[:min(len(f.Text), 256)]), "{")
}

// activity is one line of the book, as both kinds of file have it. All but the
// place are texts as they are written.
type activity struct {
	id, account, note, currency, source, date, symbol, kind string
	fee, quantity, price                                    string
	draft                                                   bool
	broken                                                  error // why it could not be read
	row                                                     sheet.Row
}

// reader turns activities into transactions.
type reader struct {
	collector *broker.Collector
	zone      *time.Location
	accounts  map[string]string  // names of the file's accounts, by ID
	coins     map[string]string  // codes by CoinGecko's names
	profiles  map[string]profile // what the file says of its own securities, by symbol
}
