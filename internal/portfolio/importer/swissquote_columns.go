package importer

import (
	"strings"
)

// swissquoteColumns are the names that a file has for what is read of it. Those of account
// are empty where the file has them not.
type swissquoteColumns struct {
	date, order, kind, symbol, name, isin, quantity, price, costs, accrued, net, balance, currency string

	// A file may tell the currency of the net amount from that of the account, and
	// then what the account's cash changed by.
	netCurrency, accountNet string
}

// swissquoteLanguages are the names of columns by language, several where Swissquote changed
// them.
func swissquoteLanguages() []map[string][]string {
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

// findSwissquoteTable looks for a header in any of the languages.
func findSwissquoteTable(rows []Row) (Table, swissquoteColumns, bool) {
	for i, row := range rows {
		// Cheap to tell from all other rows: a header is short, and near the top.
		if i > 20 {
			break
		}
		t := NewTable(row, rows[i+1:])
		for _, language := range swissquoteLanguages() {
			if c, ok := swissquoteColumnsOf(t, language); ok {
				return t, c, true
			}
		}
	}
	return Table{}, swissquoteColumns{}, false
}

func swissquoteColumnsOf(t Table, language map[string][]string) (swissquoteColumns, bool) {
	var c swissquoteColumns
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

// swissquoteAction is what a word of Swissquote's stands for.
type swissquoteAction int

const (
	swissquoteUnknown swissquoteAction = iota
	swissquotePurchase
	swissquoteSale
	swissquoteDividend
	swissquoteGain
	swissquoteInterest
	swissquoteCustody
	swissquotePayment
	swissquoteCredit
	swissquoteDebit
	swissquoteExchanged
)

// swissquoteActionOf reads the word for what happened, in any of the languages.
func swissquoteActionOf(word string) swissquoteAction {
	switch strings.ToLower(strings.TrimSpace(word)) {
	case "buy", "kauf", "achat":
		return swissquotePurchase
	case "sell", "verkauf", "vente":
		return swissquoteSale
	case "dividend", "dividende", "dividends":
		return swissquoteDividend
	case "capital gain", "gain en capital":
		return swissquoteGain
	case "interest", "interests", "zinsen", "zinsen auf einlagen", "zinsen auf belastungen", "intérêts":
		return swissquoteInterest
	case "custody fees", "depotgebühren", "droits de garde", "frais de garde", "spesen steuerauszug", "tax statement":
		return swissquoteCustody
	case "payment", "zahlung", "paiement", "twint":
		return swissquotePayment
	case "credit", "gutschrift", "einzahlung", "crédit":
		return swissquoteCredit
	case "debit", "belastung", "auszahlung", "débit":
		return swissquoteDebit
	case "forex credit", "forex debit", "forex-gutschrift", "forex-belastung", "fx-gutschrift comp.", "fx-belastung comp.",
		"fx credit comp.", "fx debit comp.", "crédit forex", "débit forex":
		return swissquoteExchanged
	}
	return swissquoteUnknown
}
