package degiro

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// table is the statement with the places of its columns. They are found by name as
// far as they have one: sums stand without a name beside their currency.
type table struct {
	rows []sheet.Row // below the header

	date, clock, product, isin, description, change, balance int

	rate, order int // -1 where there is none
}

// mostPreamble is how many rows are looked at for the header.
const mostPreamble = 50

// findStatement finds the header: the columns of a statement in any of its
// languages, with a nameless one behind the change and the balance.
func findStatement(rows []sheet.Row) (table, bool) {
	for i, row := range rows[:min(len(rows), mostPreamble)] {
		if t, ok := header(row); ok {
			t.rows = rows[i+1:]
			return t, true
		}
	}
	return table{}, false
}

func header(row sheet.Row) (table, bool) {
	place := places(row)
	t := table{
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
			return table{}, false
		}
	}
	if row.At(t.change+1) != "" || row.At(t.balance+1) != "" {
		return table{}, false
	}
	if t.change == t.description+2 {
		t.rate = t.description + 1
	}
	return t, true
}

// places finds the first column that has one of the names, and -1 where none has.
func places(row sheet.Row) func(names ...string) int {
	cells := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		cells[i] = plain(cell)
	}
	return func(names ...string) int {
		return slices.IndexFunc(cells, func(cell string) bool { return slices.Contains(names, cell) })
	}
}

// continues reports that a row holds the rest of cells that were broken in two: it
// has neither day nor sums.
func (t table) continues(row sheet.Row) bool {
	for i := range row.Cells {
		if row.At(i) != "" && i != t.product && i != t.description && i != t.order {
			return false
		}
	}
	return true
}

// joined puts the rest of broken cells behind them. Numbers of orders are broken
// without a blank.
func (t table) joined(row, rest sheet.Row) sheet.Row {
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
	return sheet.Row{Line: row.Line, Cells: cells}
}
