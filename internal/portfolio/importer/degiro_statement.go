package importer

import (
	"slices"
	"strings"
)

// degiroStatement is the statement with the places of its columns. They are found by name as
// far as they have one: sums stand without a name beside their currency.
type degiroStatement struct {
	rows []Row // below the header

	date, clock, product, isin, description, change, balance int

	rate, order int // -1 where there is none
}

// maxDEGIROPreamble is how many rows are looked at for the header.
const maxDEGIROPreamble = 50

// findDEGIROStatement finds the header: the columns of a statement in any of its
// languages, with a nameless one behind the change and the balance.
func findDEGIROStatement(rows []Row) (degiroStatement, bool) {
	for i, row := range rows[:min(len(rows), maxDEGIROPreamble)] {
		if t, ok := degiroStatementHeader(row); ok {
			t.rows = rows[i+1:]
			return t, true
		}
	}
	return degiroStatement{}, false
}

func degiroStatementHeader(row Row) (degiroStatement, bool) {
	place := degiroColumnFinder(row)
	t := degiroStatement{
		date:        place("datum", "date", "fecha", "data"),
		clock:       place("tijd", "time", "uhrzeit", "heure", "hora", "ora", "czas", "cas"),
		product:     place("product", "produkt", "produit", "producto", "prodotto", "produto"),
		isin:        place("isin", "code isin"),
		description: place("omschrijving", "description", "beschreibung", "descripcion", "descrizione", "descricao", "opis", "popis"),
		change:      place("mutatie", "change", "anderung", "mouvements", "variacion", "variazioni", "mudanca", "zmiana", "zmena"),
		balance:     place("saldo", "balance", "solde", "zustatek"),
		order:       place("order id", "order-id", "id ordre", "id orden", "id ordine", "id da ordem", "identyfikator zlecenia", "id objednavky"),
		rate:        -1,
	}
	for _, column := range []int{t.date, t.clock, t.product, t.isin, t.description, t.change, t.balance} {
		if column < 0 {
			return degiroStatement{}, false
		}
	}
	if row.At(t.change+1) != "" || row.At(t.balance+1) != "" {
		return degiroStatement{}, false
	}
	if t.change == t.description+2 {
		t.rate = t.description + 1
	}
	return t, true
}

// degiroColumnFinder finds the first column that has one of the names, and -1 where none has.
func degiroColumnFinder(row Row) func(names ...string) int {
	cells := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		cells[i] = degiroNormalize(cell)
	}
	return func(names ...string) int {
		return slices.IndexFunc(cells, func(cell string) bool { return slices.Contains(names, cell) })
	}
}

// isContinuation reports that a row holds the rest of cells that were broken in two: it
// has neither day nor sums.
func (t degiroStatement) isContinuation(row Row) bool {
	for i := range row.Cells {
		if row.At(i) != "" && i != t.product && i != t.description && i != t.order {
			return false
		}
	}
	return true
}

// joinRows puts the rest of broken cells behind them. Numbers of orders are broken
// without a blank.
func (t degiroStatement) joinRows(row, rest Row) Row {
	cells := slices.Clone(row.Cells)
	for i := range min(len(cells), len(rest.Cells)) {
		switch more := rest.At(i); {
		case more == "":
		case i == t.order:
			cells[i] = strings.TrimSpace(cells[i]) + more
		default:
			cells[i] = strings.TrimSpace(cells[i]) + " " + more
		}
	}
	return Row{Line: row.Line, Cells: cells}
}
