// Package ibkr reads what Interactive Brokers exports: Flex Queries as XML or CSV,
// and activity statements as CSV.
//
// Trades are taken as executions where the file has those, and as orders else.
// Currency exchanges are read where the file names both currencies. Options,
// futures and contracts for difference are reported and not read. The same period
// should be imported from one kind of file alone: only Flex Queries have the
// broker's numbers by which a line is known again.
package ibkr

import (
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

const name = "ibkr"

// Format is all of the broker's exports.
func Format() broker.Format {
	return broker.Format{
		Name:       name,
		Title:      "Interactive Brokers, Flex Query (XML or CSV) and activity statement (CSV)",
		Recognizes: func(f sheet.File) bool { return shapeOf(f) != nil },
		Read:       read,
	}
}

// shape is one of the forms of a file: it gathers what there is to read.
type shape func(*gatherer, sheet.File) error

func shapeOf(f sheet.File) shape {
	if head := strings.TrimSpace(f.Text[:min(len(f.Text), 4096)]); strings.HasPrefix(head, "<") {
		if strings.Contains(head, "<FlexQueryResponse") || strings.Contains(head, "<FlexStatements") {
			return gatherXML
		}
		return nil
	}
	head := f
	head.Text = f.Text[:min(len(f.Text), 1<<16)]
	if strings.HasPrefix(head.Text, "Statement,Header,") || strings.HasPrefix(head.Text, `"Statement","Header",`) {
		return gatherActivity
	}
	// A head may end within a row, so only what comes before is looked at.
	if end := strings.LastIndexByte(head.Text, '\n'); end > 0 && len(f.Text) > len(head.Text) {
		head.Text = head.Text[:end]
	}
	rows, err := head.RowsWith(sheet.Options{Comma: ',', Lazy: true})
	if err != nil {
		return nil
	}
	for _, row := range rows {
		if s := sectionOf(row, headerOf(row)); s != sectionNone {
			return gatherFlat
		}
	}
	return nil
}

func read(f sheet.File, o broker.Options) (broker.Statement, error) {
	gather := shapeOf(f)
	if gather == nil {
		return broker.Statement{}, fmt.Errorf("%s: %w: no Flex Query or activity statement in English", f.Name, broker.ErrFormat)
	}
	g := &gatherer{Collector: broker.NewCollector(name, o)}
	if err := gather(g, f); err != nil {
		return broker.Statement{}, err
	}
	g.settleTrades()
	g.settleCash()
	g.settleActions()
	g.settleTransfers()
	return g.Statement(g.rows), nil
}

// gatherer holds what a file has until all of it is known: executions decide
// whether orders count, and dividends where taxes belong.
type gatherer struct {
	*broker.Collector
	counter   sheet.Counter
	rows      []sheet.Row
	trades    []trade
	payments  []payment
	actions   []action
	transfers []record
	sums      []sheet.Row // of trades, and lots of them
	traded    bool        // the file has trades themselves, whether they could be read or not
}

// account is where a record belongs. A dash stands for all accounts together.
func (g *gatherer) account(r record) string {
	return g.Account(strings.TrimPrefix(r.get("accountid"), "-"))
}

// id is the broker's number of a record, or a fingerprint of the fields that are
// the same whatever else the user had exported with them.
func (g *gatherer) id(r record, prefix string, numbers, fields []string) string {
	for _, number := range numbers {
		if text := r.get(number); text != "" && text != "0" {
			return prefix + text
		}
	}
	cells := []string{prefix}
	for _, field := range fields {
		cells = append(cells, r.get(field))
	}
	return prefix + g.counter.ID(cells)
}
