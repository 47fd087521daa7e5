package importer

import (
	"fmt"
	"strings"
)

const ibkrName = "ibkr"

// IBKR is all of the broker's exports.
func IBKR() Format {
	return Format{
		Name:       ibkrName,
		Title:      "Interactive Brokers, Flex Query (XML or CSV) and activity statement (CSV)",
		Recognizes: func(f File) bool { return ibkrFileReaderFor(f) != nil },
		Read:       readIBKR,
	}
}

// ibkrFileReader is one of the forms of a file: it gathers what there is to read.
type ibkrFileReader func(*ibkrGatherer, File) error

func ibkrFileReaderFor(f File) ibkrFileReader {
	if head := strings.TrimSpace(f.Text[:min(len(f.Text), 4096)]); strings.HasPrefix(head, "<") {
		if strings.Contains(head, "<FlexQueryResponse") || strings.Contains(head, "<FlexStatements") {
			return gatherIBKRFlexXML
		}
		return nil
	}
	head := f
	head.Text = f.Text[:min(len(f.Text), 1<<16)]
	if strings.HasPrefix(head.Text, "Statement,Header,") || strings.HasPrefix(head.Text, `"Statement","Header",`) {
		return gatherIBKRActivity
	}
	// A head may end within a row, so only what comes before is looked at.
	if end := strings.LastIndexByte(head.Text, '\n'); end > 0 && len(f.Text) > len(head.Text) {
		head.Text = head.Text[:end]
	}
	rows, err := head.RowsWith(TableOptions{Comma: ',', Lazy: true})
	if err != nil {
		return nil
	}
	for _, row := range rows {
		if s := ibkrSectionOf(row, ibkrHeader(row)); s != ibkrSectionNone {
			return gatherIBKRFlexCSV
		}
	}
	return nil
}

func readIBKR(f File, o Options) (Statement, error) {
	gather := ibkrFileReaderFor(f)
	if gather == nil {
		return Statement{}, fmt.Errorf("%s: %w: no Flex Query or activity statement in English", f.Name, ErrFormat)
	}
	g := &ibkrGatherer{Collector: NewCollector(ibkrName, o)}
	if err := gather(g, f); err != nil {
		return Statement{}, err
	}
	g.settleTrades()
	g.settleCash()
	g.settleActions()
	g.settleTransfers()
	return g.Statement(g.rows), nil
}

// ibkrGatherer holds what a file has until all of it is known: executions decide
// whether orders count, and dividends where taxes belong.
type ibkrGatherer struct {
	*Collector
	counter     FingerprintCounter
	rows        []Row
	trades      []ibkrTrade
	payments    []ibkrPayment
	actions     []ibkrAction
	transfers   []ibkrRecord
	summaryRows []Row // of trades, and lots of them
	hasTrades   bool  // the file has trades themselves, whether they could be read or not
}

// account is where a record belongs. A dash stands for all accounts together.
func (g *ibkrGatherer) account(r ibkrRecord) string {
	return g.AccountFor(strings.TrimPrefix(r.get("accountid"), "-"))
}

// id is the broker's number of a record, or a fingerprint of the fields that are
// the same whatever else the user had exported with them.
func (g *ibkrGatherer) id(r ibkrRecord, prefix string, numbers, fields []string) string {
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
