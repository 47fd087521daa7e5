package importer

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const degiroDateLayout = "02-01-2006"

// DEGIRO returns the format of DEGIRO's account statement or list of transactions.
func DEGIRO() Format {
	return Format{
		Name: "degiro", Title: "DEGIRO, account statement or transactions (CSV)",
		Recognizes: func(f File) bool {
			rows, err := f.Rows(0)
			if err != nil {
				return false
			}
			_, statement := findDEGIROTable(rows, degiroStatementHeader)
			_, trades := findDEGIROTable(rows, degiroTradesHeader)
			return statement || trades
		},
		Read: readDEGIRO,
	}
}

func readDEGIRO(f File, o Options) (Statement, error) {
	rows, err := f.Rows(0)
	if err != nil {
		return Statement{}, err
	}
	t, trades := findDEGIROTable(rows, degiroTradesHeader)
	if !trades {
		var ok bool
		if t, ok = findDEGIROTable(rows, degiroStatementHeader); !ok {
			return Statement{}, fmt.Errorf("%s: %w: no header with the columns of DEGIRO's account statement (Date, Time, Product, ISIN, Description, Change, Balance) or transactions",
				f.Name, ErrFormat)
		}
	}
	if err := CheckDayOrder(f, t.rows, func(row Row) string { return row.At(t.date) }, degiroDateLayout); err != nil {
		return Statement{}, err
	}
	var written []string
	for _, row := range t.rows {
		for _, column := range t.sums {
			written = append(written, row.At(column))
		}
	}
	t.sign, _ = GuessDecimalSeparator(written)
	r := &degiroReader{degiroTable: t, collector: NewCollector("degiro", o), zone: o.Zone, reversedDividends: map[string]bool{}}
	if trades {
		r.recordTradeList()
	} else {
		r.recordStatement()
	}
	return r.collector.Statement(t.rows), nil
}

// degiroTable is one of the two tables with the indexes of its columns. Columns are found by name;
// one of the columns for amount and currency has no name.
type degiroTable struct {
	rows []Row            // below the header
	sums []int            // amount columns, which show the decimal separator
	sign DecimalSeparator // decimal separator of all amounts; 0 if the file has both

	date, clock, product, isin int
	order                      int // -1 if missing

	// Columns of the account statement.
	description, change, balance int
	rate                         int // -1 if missing

	// Columns of the list of transactions.
	quantity, price, local, value, total int
	fee                                  []int          // fees of DEGIRO and third parties for the trade
	autoFX                               []int          // DEGIRO's fee for the currency exchange
	currency                             map[int]string // from column names such as "Total EUR"
}

func findDEGIROTable(rows []Row, header func(Row) (degiroTable, bool)) (degiroTable, bool) {
	for i, row := range rows[:min(len(rows), maxPreamble)] {
		if t, ok := header(row); ok {
			t.rows = rows[i+1:]
			return t, true
		}
	}
	return degiroTable{}, false
}

// degiroColumns finds the columns that both tables have, in any supported language. The returned
// function finds others: it returns the first column with one of the names, or -1.
func degiroColumns(row Row) (degiroTable, func(names string) int) {
	cells := make([]string, len(row.Cells))
	for i, cell := range row.Cells {
		cells[i] = foldAccents(degiroFixMojibake(cell))
	}
	place := func(names string) int {
		all := strings.Split(names, "|")
		return slices.IndexFunc(cells, func(cell string) bool { return slices.Contains(all, cell) })
	}
	return degiroTable{
		date: place("datum|date|fecha|data"), clock: place("tijd|time|uhrzeit|heure|hora|ora|czas|cas"),
		product: place("product|produkt|produit|producto|prodotto|produto"), isin: place("isin|code isin"),
		order: place("order id|order-id|id ordre|id orden|id ordine|id da ordem|identyfikator zlecenia|id objednavky"),
	}, place
}

func degiroStatementHeader(row Row) (degiroTable, bool) {
	t, place := degiroColumns(row)
	t.description = place("omschrijving|description|beschreibung|descripcion|descrizione|descricao|opis|popis")
	t.change = place("mutatie|change|anderung|mouvements|variacion|variazioni|mudanca|zmiana|zmena")
	t.balance = place("saldo|balance|solde|zustatek")
	t.sums = []int{t.change, t.change + 1, t.balance, t.balance + 1}
	if t.rate = -1; t.change == t.description+2 {
		t.rate = t.description + 1
	}
	missing := min(t.date, t.clock, t.product, t.isin, t.description, t.change, t.balance) < 0
	return t, !missing && row.At(t.change+1) == "" && row.At(t.balance+1) == ""
}

// degiroTradesHeader recognizes the list of transactions: it has a quantity and a price but no
// balance.
func degiroTradesHeader(row Row) (degiroTable, bool) {
	// Some files have the currency in column names instead of next to the amounts.
	currency := map[int]string{}
	cells := slices.Clone(row.Cells)
	for i := range cells {
		name := row.At(i)
		if n := len(name) - 4; n > 0 && name[n] == ' ' && ValidCurrency(name[n+1:]) {
			cells[i], currency[i] = name[:n], name[n+1:]
		}
	}
	row = Row{Cells: cells}
	t, place := degiroColumns(row)
	t.currency = currency
	t.quantity = place("aantal|quantity|anzahl|quantite|numero|quantita|quantidade")
	t.price = place("koers|price|kurs|cours|precio|quotazione|preco|precos")
	t.local = place("lokale waarde|local value|wert in lokalwahrung|valeur locale|valor local|valore locale")
	t.value = place("waarde|value|wert|valeur|valor|valore")
	t.total = place("totaal|total|gesamt|totale")
	t.sums = []int{t.price, t.local, t.value, t.total}
	if min(t.date, t.clock, t.product, t.isin, t.quantity, t.price, t.local, t.value, t.total) < 0 {
		return degiroTable{}, false
	}
	for i := t.value + 1; i < t.total; i++ {
		switch name := foldAccents(degiroFixMojibake(row.At(i))); {
		case strings.Contains(name, "autofx"):
			t.autoFX = append(t.autoFX, i)
		case degiroClassOf(name) == degiroFee || strings.HasPrefix(name, "transaction and/or third"):
			t.fee = append(t.fee, i)
		}
	}
	return t, len(t.fee) > 0
}

// degiroClass is the type of a line.
type degiroClass int

const (
	degiroUnknown degiroClass = iota
	degiroTrade
	degiroAction // corporate action: shares exchanged for others
	degiroExchange
	degiroInternal // between DEGIRO and its own bank
	degiroCashFund // money market fund that holds the account's cash
	degiroDividend
	degiroWithheld
	degiroReturnOfCapital
	degiroFee
	degiroTax
	degiroInterest
	degiroPayment  // deposit or withdrawal, by sign
	degiroReserved // a payment to be booked later, or its release
	degiroCourtesy // bonus or refund from the broker
)

// degiroClassOf classifies a description without accents.
func degiroClassOf(description string) degiroClass {
	switch d, traded := parseDEGIROTrade(description); {
	case traded && d.event == "":
		return degiroTrade
	case traded && !strings.Contains(description, "fonds monetaires") && !strings.Contains(description, "geldmarktfonds") && !strings.Contains(description, "money market fund"):
		return degiroAction
	}
	for _, c := range degiroVocabulary {
		if slices.Contains(c.exact, description) || slices.ContainsFunc(c.within, func(part string) bool { return strings.Contains(description, part) }) {
			return c.class
		}
	}
	return degiroUnknown
}

// degiroVocabulary has terms in Dutch, English, German, French, Spanish, Italian and Portuguese.
// The first match wins, so specific terms come first.
var degiroVocabulary = []struct {
	class  degiroClass
	exact  []string // the whole description
	within []string // a substring
}{
	{degiroInternal, nil, []string{"cash sweep transfer", "flatexdegiro"}},
	{degiroReserved, []string{"processed flatex withdrawal", "flatex terugstorting", "flatex withdrawal", "prelievo flatex", "flatex auszahlung"},
		[]string{"reservation ", "reservering ", "reservierung ", "reserva ingreso", "reserva deposito", "prenotazione deposito"}},
	{degiroCashFund, nil, []string{"fonds monetaires", "geldmarktfonds", "money market fund", "mercado monetario", "mercato monetario", "fundo do mercado"}},
	{degiroExchange, []string{"valuta creditering", "valuta debitering", "fx credit", "fx debit", "ingreso cambio de divisa", "retirada cambio de divisa",
		"credito fx", "prelievo fx", "credito de divisa", "levantamento de divisa", "wahrungswechsel", "cambio valuta"},
		[]string{"wahrungswechsel (", "operation de change", "cambio valuta ("}},
	{degiroWithheld, []string{"dividendbelasting", "dividend tax", "dividendensteuer", "quellensteuer", "withholding tax", "impots sur dividende",
		"impot sur les dividendes", "retencion del dividendo", "ritenuta sul dividendo", "imposta sui dividendi", "imposto sobre dividendo"}, nil},
	{degiroDividend, []string{"dividend", "dividende", "dividendo", "fund distribution", "fondsausschuttung", "ausschuttung"}, nil},
	{degiroReturnOfCapital, []string{"kapitalruckzahlung", "remboursement de capital", "return of capital"}, nil},
	{degiroFee, nil, []string{"transactiekosten", "third party fees", "transaktionsgebuhr", "frais degiro de courtage", "frais de courtage", "costes de transaccion",
		"costi di transazione", "comissoes de transacao", "custos de transacao", "aansluitingskosten", "connection fee", "connectivity fee",
		"handelsmodalitaten", "anschlussgebuhr", "frais de connexion", "costi di connessione", "custo de conectividade", "comision de conectividad",
		"corporate action kosten", "corporate action fee", "comision por accion corporativa", "adr/gdr", "zahlungsgebuhr"}},
	{degiroTax, nil, []string{"stamp duty", "transaction tax", "transactiebelasting", "impuesto de transaccion", "impuesto sobre transacciones", "transaktionssteuer",
		"imposto de selo", "taxe sur les transactions", "imposta sulle transazioni", "imposta di bollo"}},
	{degiroInterest, []string{"flatex interest income", "flatex interest", "interest", "rente", "zinsen", "interets", "intereses", "interes", "interessi", "juros"}, nil},
	{degiroCourtesy, []string{"degiro courtesy", "degiro rebate promotion", "degiro verrekening promotie", "promocion degiro", "rabatt fur aktion"}, nil},
	{degiroPayment, []string{"deposit", "ideal deposit", "sofort deposit", "flatex deposit", "storting", "ideal storting", "flatex storting", "einzahlung",
		"sofort einzahlung", "soforteinzahlung", "flatex einzahlung", "versement de fonds", "ingreso", "flatex ingreso", "deposito", "deposito flatex", "depositos",
		"withdrawal", "terugstorting", "auszahlung", "retrait de fonds", "retirada", "prelievo", "levantamento"}, nil},
}

// degiroFixMojibake repairs UTF-8 that was decoded as Latin-1, such as "CrÃ©dito".
func degiroFixMojibake(text string) string {
	if !strings.ContainsAny(text, "ÃÂ") {
		return text
	}
	raw := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 0xFF {
			return text
		}
		raw = append(raw, byte(r))
	}
	if !utf8.Valid(raw) {
		return text
	}
	return string(raw)
}
