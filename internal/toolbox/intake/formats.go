package intake

import (
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/coinbase"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/degiro"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/delta"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/etoro"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/ghostfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/ibkr"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/native"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/ofx"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/parqet"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/revolut"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/schwab"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/swissquote"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/trading212"
)

// Formats lists the files that are read without a mapping, one line each.
func Formats() []broker.Format {
	return []broker.Format{
		native.Format(),
		coinbase.Format(),
		degiro.Format(),
		delta.Format(),
		etoro.Format(),
		ghostfolio.Format(),
		ibkr.Format(),
		ofx.Format(),
		parqet.Format(),
		revolut.Format(),
		schwab.Format(),
		swissquote.Format(),
		trading212.Format(),
	}
}
