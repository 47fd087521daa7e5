package importer

import (
	"errors"
	"fmt"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

const revolutName = "revolut"

// Revolut is Revolut's account statement of trading. It has no numbers of
// transactions: a line is known by all of its cells.
func Revolut() Format {
	return Format{
		Name:       revolutName,
		Title:      "Revolut, trading account statement (CSV)",
		Recognizes: func(f File) bool { return HasTable(f, revolutColumns()...) },
		Read:       readRevolut,
	}
}

func revolutColumns() []string {
	return []string{"Date", "Ticker", "Type", "Quantity", "Price per share", "Total Amount", "Currency", "FX Rate"}
}

func readRevolut(f File, o Options) (Statement, error) {
	t, err := ReadTable(f, revolutColumns()...)
	if err != nil {
		return Statement{}, err
	}
	r := revolutReader{collector: NewCollector(revolutName, o), table: t, zone: o.Zone}
	r.sign, r.signKnown = GuessDecimalSeparator(r.amountCells())
	r.read()
	return r.collector.Statement(t.Rows), nil
}

// revolutReader is what is known of a file.
type revolutReader struct {
	collector *Collector
	table     Table
	zone      *time.Location
	sign      DecimalSeparator // of the file's sums
	signKnown bool             // that it is
	held      revolutShareCounts
	partners  map[int]revolutRow // by line number: the other of two lines that belong together
}

// amountCells are the cells that tell how the file writes numbers.
func (r *revolutReader) amountCells() []string {
	var cells []string
	for _, row := range r.table.Rows {
		cells = append(cells, r.table.Cell(row, "Price per share"), r.table.Cell(row, "Total Amount"))
	}
	return cells
}

func (r *revolutReader) read() {
	lines := make([]revolutRow, 0, len(r.table.Rows))
	for _, row := range r.table.Rows {
		if row.Empty() {
			continue
		}
		l, err := r.parseRow(row)
		if err != nil {
			r.collector.Problem(row, "%s", err.Error())
			continue
		}
		lines = append(lines, l)
	}
	r.partners = revolutPartners(lines)
	r.held = countRevolutShares(lines)
	for _, l := range lines {
		if r.collector.Reported(l.row) {
			continue // said with its partner
		}
		r.record(l)
	}
}

// record records a line, with its partner where it has one.
func (r *revolutReader) record(l revolutRow) {
	rows := []Row{l.row}
	if other, ok := r.partners[l.row.Line]; ok {
		rows = append(rows, other.row)
	}
	t, err := r.transaction(l)
	if err != nil {
		r.collector.Skip(err, l.row) // its partner may have something to say of its own
		return
	}
	r.collector.Add(t, "", rows...)
}

// transaction is what a line stands for.
func (r *revolutReader) transaction(l revolutRow) (portfolio.Transaction, error) {
	switch {
	case l.trade != "":
		return r.trade(l)
	case l.transfer:
		return r.transfer(l)
	}
	switch l.kind {
	case "DIVIDEND":
		return r.payment(l, portfolio.KindDividend, 1)
	case "RETURN OF CAPITAL":
		return r.payment(l, portfolio.KindReturnOfCapital, 1)
	case "CASH TOP-UP":
		return r.payment(l, portfolio.KindDeposit, 1)
	case "CASH WITHDRAWAL":
		return r.payment(l, portfolio.KindWithdrawal, -1)
	case "CUSTODY FEE", "ROBO MANAGEMENT FEE", "CUSTODY FEE REVERSAL":
		return r.chargeOrRefund(l, portfolio.KindFee, portfolio.KindFeeRefund)
	case "DIVIDEND TAX (CORRECTION)":
		return r.chargeOrRefund(l, portfolio.KindTax, portfolio.KindTaxRefund)
	case "STOCK SPLIT":
		return r.split(l)
	case "MERGER - STOCK":
		return r.merger(l)
	case "MERGER - CASH", "POSITION CLOSURE":
		return r.liquidation(l)
	case "SPINOFF", "SPIN-OFF":
		return portfolio.Transaction{}, errors.New("the line does not say of which shares these came; enter the spin-off by hand")
	default:
		return portfolio.Transaction{}, fmt.Errorf("%q is no type that is known; enter it by hand", Shorten(l.kind))
	}
}
