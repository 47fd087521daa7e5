package swissquote

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
)

// columns are the names that a file has for what is read of it. Those of account
// are empty where the file has them not.
type columns struct {
	date, order, kind, symbol, name, isin, quantity, price, costs, accrued, net, balance, currency string

	// A file may tell the currency of the net amount from that of the account, and
	// then what the account's cash changed by.
	netCurrency, accountNet string
}

// languages are the names of columns by language, several where Swissquote changed
// them.
func languages() []map[string][]string {
	return []map[string][]string{
		{
			"date": {"Date"}, "order": {"Order #"}, "kind": {"Transaction", "Transactions"}, "symbol": {"Symbol"}, "name": {"Name"}, "isin": {"ISIN"},
			"quantity": {"Quantity"}, "price": {"Unit price"}, "costs": {"Costs"}, "accrued": {"Accrued Interest"}, "net": {"Net Amount"},
			"balance": {"Balance"}, "currency": {"Currency"},
			"netCurrency": {"Net Amount Currency", "Currency Net Amount"}, "accountNet": {"Net Amount in the currency of the account", "Net Amount in account currency"},
		},
		{
			"date": {"Datum"}, "order": {"Auftrag #"}, "kind": {"Transaktionen", "Transaktion"}, "symbol": {"Symbol"}, "name": {"Name"}, "isin": {"ISIN"},
			"quantity": {"Anzahl"}, "price": {"Stückpreis"}, "costs": {"Kosten"}, "accrued": {"Aufgelaufene Zinsen"}, "net": {"Nettobetrag"},
			"balance": {"Saldo"}, "currency": {"Währung"},
			"netCurrency": {"Währung Nettobetrag"}, "accountNet": {"Nettobetrag in der Währung des Kontos", "Nettobetrag in Kontowährung"},
		},
		{
			"date": {"Date"}, "order": {"Ordre #", "Numéro d'ordre", "N° d'ordre"}, "kind": {"Transaction", "Transactions"}, "symbol": {"Symbole"}, "name": {"Nom"},
			"isin": {"ISIN"}, "quantity": {"Quantité"}, "price": {"Prix unitaire"}, "costs": {"Coûts", "Frais"}, "accrued": {"Intérêts courus"},
			"net": {"Montant net"}, "balance": {"Solde"}, "currency": {"Devise", "Monnaie"},
			"netCurrency": {"Devise du montant net", "Monnaie du montant net"}, "accountNet": {"Montant net dans la devise du compte", "Montant net dans la monnaie du compte"},
		},
	}
}

// find looks for a header in any of the languages.
func find(rows []sheet.Row) (sheet.Table, columns, bool) {
	for i, row := range rows {
		// Cheap to tell from all other rows: a header is short, and near the top.
		if i > 20 {
			break
		}
		t := sheet.NewTable(row, rows[i+1:])
		for _, language := range languages() {
			if c, ok := columnsOf(t, language); ok {
				return t, c, true
			}
		}
	}
	return sheet.Table{}, columns{}, false
}

func columnsOf(t sheet.Table, language map[string][]string) (columns, bool) {
	var c columns
	for _, column := range []struct {
		name string
		to   *string
		must bool
	}{
		{"date", &c.date, true}, {"order", &c.order, true}, {"kind", &c.kind, true}, {"symbol", &c.symbol, true}, {"name", &c.name, false},
		{"isin", &c.isin, true}, {"quantity", &c.quantity, true}, {"price", &c.price, true}, {"costs", &c.costs, true},
		{"accrued", &c.accrued, false}, {"net", &c.net, true}, {"balance", &c.balance, false}, {"currency", &c.currency, false},
		{"netCurrency", &c.netCurrency, false}, {"accountNet", &c.accountNet, false},
	} {
		for _, name := range language[column.name] {
			if t.Has(name) {
				*column.to = name
				break
			}
		}
		if *column.to == "" && column.must {
			return c, false
		}
	}
	return c, c.currency != "" || c.netCurrency != ""
}

// act is what a word of Swissquote's stands for.
type act int

const (
	unknown act = iota
	purchase
	sale
	dividend
	gain
	interest
	custody
	payment
	credit
	debit
	exchanged
)

// actOf reads the word for what happened, in any of the languages.
func actOf(word string) act {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "buy", "kauf", "achat":
		return purchase
	case "sell", "verkauf", "vente":
		return sale
	case "dividend", "dividende", "dividends":
		return dividend
	case "capital gain", "gain en capital":
		return gain
	case "interest", "interests", "zinsen", "zinsen auf einlagen", "zinsen auf belastungen", "intérêts":
		return interest
	case "custody fees", "depotgebühren", "droits de garde", "frais de garde", "spesen steuerauszug", "tax statement":
		return custody
	case "payment", "zahlung", "paiement", "twint":
		return payment
	case "credit", "gutschrift", "einzahlung", "crédit":
		return credit
	case "debit", "belastung", "auszahlung", "débit":
		return debit
	case "forex credit", "forex debit", "forex-gutschrift", "forex-belastung", "fx-gutschrift comp.", "fx-belastung comp.",
		"fx credit comp.", "fx debit comp.", "crédit forex", "débit forex":
		return exchanged
	}
	return unknown
}
