// Package bookkeeping holds the tools that write the user's book: entries by hand,
// brokers' files, removals and settings, and the list of what is recorded. What
// changes the book is shown first, checked against the whole of it, and done whole
// or not at all. A new tool is a file of its own and a line in Tools.
package bookkeeping

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// Deps are the book and what it is written from.
type Deps struct {
	book.Deps
	// NewIDs names n transactions that are recorded now.
	NewIDs func(n int) ([]string, error)
	// Read reads a file that the user names, whole and as it is; name is without its
	// folder. It is bounded. Nil leaves out the tool that imports.
	Read func(path string) (name string, raw []byte, err error)
	// Mappings keep how the columns of files are read; nil keeps none.
	Mappings Mappings
	// Searches finds listings beyond the Directory; nil leaves those alone.
	Searches market.SearchSource
}

// Mappings keep documents by name.
type Mappings interface {
	// Mapping reports false where none has the name.
	Mapping(ctx context.Context, name string) (doc json.RawMessage, ok bool, err error)
	SaveMapping(ctx context.Context, name string, doc json.RawMessage) error
	Mappings(ctx context.Context) (names []string, err error)
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	tools := []tool.Tool{
		newAddTransaction(d),
		newPortfolioTransactions(d),
		newRemoveTransaction(d),
		newPortfolioSettings(d),
	}
	if d.Read != nil {
		tools = append(tools, newImportTransactions(d))
	}
	return tools
}

// source is where the numbers of these tools are from.
const source = "the user's book"

// origin is what an answer says of its numbers.
func (d Deps) origin() present.Origin {
	return present.OriginOf(market.Provenance{Source: source, AsOf: d.today(), FetchedAt: d.Now()}).WithoutAdjustment()
}

func (d Deps) today() market.Date { return question.Today(d.Now()) }

// errReplay keeps a look into the past from changing the present.
var errReplay = errors.New("the clock is set back, and then the book is only read; to change it, run without --as-of")

func (d Deps) writable() error {
	if d.Replay {
		return errReplay
	}
	return nil
}

// errUnprepared is a call that was not previewed, which no Router makes.
var errUnprepared = errors.New("the change was not prepared")

// after is the book with a change made, everything in it applied. What is added is
// looked at once, by Open; that a line of a file is not recorded twice is for the
// store.
func after(l portfolio.Ledger, c portfolio.Change) (*portfolio.Book, error) {
	added := c.Add
	c.Add = nil
	changed, err := l.With(c)
	if err != nil {
		return nil, err
	}
	changed.Transactions = append(changed.Transactions, added...)
	b, err := portfolio.Open(changed)
	if err != nil {
		return nil, err
	}
	return b, b.Advance(market.Date{})
}

// update makes a change that is decided by the ledger as it is at that moment.
func (d Deps) update(ctx context.Context, decide func(portfolio.Ledger) (portfolio.Change, error)) error {
	if err := d.Store.Update(ctx, decide); err != nil {
		return fmt.Errorf("writing the book: %w", err)
	}
	return nil
}

func dated(d market.Date) string { return d.Format("2006-01-02") }

// withID finds a transaction.
func withID(l portfolio.Ledger, id string) (portfolio.Transaction, bool) {
	i := slices.IndexFunc(l.Transactions, func(t portfolio.Transaction) bool { return t.ID == id })
	if i < 0 {
		return portfolio.Transaction{}, false
	}
	return l.Transactions[i], true
}
