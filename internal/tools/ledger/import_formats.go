package ledger

import (
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// Formats lists the files that are read without a mapping, one line each.
func Formats() []importer.Format {
	return []importer.Format{
		importer.Native(),
		importer.Coinbase(),
		importer.DEGIRO(),
		importer.Delta(),
		importer.EToro(),
		importer.Ghostfolio(),
		importer.IBKR(),
		importer.OFX(),
		importer.Parqet(),
		importer.Revolut(),
		importer.Schwab(),
		importer.Swissquote(),
		importer.Trading212(),
	}
}
