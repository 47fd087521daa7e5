package importer

import (
	"strings"
	"time"
)

const ghostfolioName = "ghostfolio"

// Ghostfolio is Ghostfolio's export. Where the options name no account, each activity is
// of the one that the file gives it.
func Ghostfolio() Format {
	return Format{
		Name:  ghostfolioName,
		Title: "Ghostfolio, export (JSON or CSV)",
		Recognizes: func(f File) bool {
			return isGhostfolioJSON(f) && isGhostfolioList(f) || !isGhostfolioJSON(f) && isGhostfolioCSV(f)
		},
		Read: readGhostfolio,
	}
}

func readGhostfolio(f File, o Options) (Statement, error) {
	if isGhostfolioJSON(f) {
		return readGhostfolioJSON(f, o)
	}
	return readGhostfolioCSV(f, o)
}

func isGhostfolioJSON(f File) bool {
	return strings.HasPrefix(strings.TrimSpace(f.Text[:min(len(f.Text), 256)]), "{")
}

// ghostfolioActivity is one activity, as both kinds of file have it. All fields but the place
// are texts as they are written.
type ghostfolioActivity struct {
	id, account, note, currency, source, date, symbol, kind string
	fee, quantity, price                                    string
	draft                                                   bool
	err                                                     error // why it could not be read
	row                                                     Row
}

// ghostfolioReader turns activities into transactions.
type ghostfolioReader struct {
	collector *Collector
	zone      *time.Location
	accounts  map[string]string            // names of the file's accounts, by ID
	coins     map[string]string            // codes by CoinGecko's names
	profiles  map[string]ghostfolioProfile // what the file says of its own securities, by symbol
}
