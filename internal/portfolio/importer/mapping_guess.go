package importer

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Limits of guessing.
const (
	maxMappedPreamble  = 40   // lines searched for the header
	maxMappedSample    = 5000 // data lines
	maxMappedKindWords = 40   // different transaction types
)

// GuessMapping proposes a mapping by column names and by what the cells prove. Everything else
// stays open, and the questions say how to set it; without questions, only a name is missing.
func GuessMapping(f File) (Mapping, []string) {
	m := Mapping{}
	rows, err := f.Rows(0)
	if err != nil {
		return m, []string{fmt.Sprintf("cannot read the file as a table: %v", err)}
	}
	header, columns, found := findMappedHeader(rows)
	if !found {
		return m, append([]string{"no line has known column names: set skip and columns"}, m.OpenQuestions()...)
	}
	m.Columns = columns
	m.Skip = rows[header].Line - 1
	if m.Separator = string(f.Separator()); m.Separator == "\t" {
		m.Separator = "tab"
	}
	data := rows[header+1:]
	g := mappingGuesser{table: NewTable(rows[header], data), rows: data[:min(len(data), maxMappedSample)]}
	g.guessDates(&m)
	g.guessNumbers(&m)
	g.guessKinds(&m)
	g.guessTotals(&m)
	if g.sharesNumbers(m.Columns.ID) {
		m.Columns.ID = "" // it is an order number, for example, shared by several fills
	}
	return m, m.OpenQuestions()
}

// findMappedHeader returns the line with the most known names: at least a date and two more.
func findMappedHeader(rows []Row) (int, MappingColumns, bool) {
	best, bestCount := -1, 2
	var columns MappingColumns
	for i, row := range rows[:min(len(rows), maxMappedPreamble)] {
		c, count := mappedColumnsIn(row)
		if c.Date != "" && count > bestCount {
			best, bestCount, columns = i, count, c
		}
	}
	return best, columns, best >= 0
}

func mappedColumnsIn(row Row) (MappingColumns, int) {
	var c MappingColumns
	count := 0
	taken := map[int]bool{}
	for _, known := range mappingColumnWords(&c) {
		for word := range strings.SplitSeq(known.words, "|") {
			i := slices.IndexFunc(row.Cells, func(cell string) bool { return foldWord(cell) == word })
			if i >= 0 && !taken[i] {
				*known.field, taken[i] = row.At(i), true
				count++
				break
			}
		}
	}
	return c, count
}

// mappingGuesser examines the cells of a table.
type mappingGuesser struct {
	table Table
	rows  []Row
}

// sharesNumbers reports whether different lines have the same number.
func (g mappingGuesser) sharesNumbers(column string) bool {
	first := map[string]Row{}
	for _, row := range g.rows {
		number := g.table.Cell(row, column)
		before, seen := first[number]
		if number != "" && seen && !slices.Equal(before.Cells, row.Cells) {
			return true
		}
		first[number] = row
	}
	return false
}

func (g mappingGuesser) columnCells(columns ...string) []string {
	var out []string
	for _, column := range columns {
		for _, row := range g.rows {
			if text := g.table.Cell(row, column); text != "" {
				out = append(out, text)
			}
		}
	}
	return out
}

// guessDates finds the date and time formats.
func (g mappingGuesser) guessDates(m *Mapping) {
	cells := g.columnCells(m.Columns.Date)
	layout, sure := GuessDayOrder(cells)
	if sure {
		day := formatDateLayout(layout)
		for _, tail := range []string{"", " HH:mm:ss", " HH:mm", "THH:mm:ssZ", "THH:mm:ss", " HH:mm:ss Z", " HH:mm:ssZ", ", HH:mm:ss", "; HH:mm:ss", "T"} {
			if allDatesParse(cells, day+tail) {
				m.Date = day + tail
				break
			}
		}
	}
	for _, pattern := range []string{"HH:mm:ss", "HH:mm", "HHmmss"} {
		if clocks := g.columnCells(m.Columns.Time); m.Time == "" && len(clocks) > 0 && allDatesParse(clocks, pattern) {
			m.Time = pattern
		}
	}
}

func allDatesParse(cells []string, pattern string) bool {
	layout, err := parseDateLayout(pattern)
	if err != nil {
		return false
	}
	for _, cell := range cells {
		if _, err := time.Parse(layout, cell); err != nil {
			return false
		}
	}
	return true
}

// guessNumbers finds the decimal separator and the meaning of signs.
func (g mappingGuesser) guessNumbers(m *Mapping) {
	c := m.Columns
	if sign, sure := GuessDecimalSeparator(g.columnCells(c.Quantity, c.Price, c.Amount, c.Fee, c.Tax)); sure {
		m.Decimal = string(rune(sign))
	}
	if m.Decimal == "" {
		return
	}
	signs := func(columns ...string) (above, below bool) {
		for _, cell := range g.columnCells(columns...) {
			d, _, err := ParseMoney(cell, DecimalSeparator(m.Decimal[0]))
			above = above || err == nil && d.IsPositive()
			below = below || err == nil && d.IsNegative()
		}
		return above, below
	}
	convention := func(column string) string {
		switch above, below := signs(column); {
		case below:
			return NumbersSigned
		case above:
			return NumbersUnsigned
		}
		return ""
	}
	m.Quantities, m.Amounts = convention(c.Quantity), convention(c.Amount)
	switch above, below := signs(c.Fee, c.Tax); {
	case above && !below:
		m.Costs = CostsPositive
	case below && !above:
		m.Costs = CostsNegative
	}
}

// guessKinds looks up the transaction types; unknown ones stay open.
func (g mappingGuesser) guessKinds(m *Mapping) {
	known := mappingKindWords()
	m.Kinds = map[string]string{}
	for _, word := range g.columnCells(m.Columns.Kind) {
		if len(m.Kinds) == maxMappedKindWords {
			break
		}
		m.Kinds[word] = known[foldWord(word)]
	}
	if m.Columns.Kind == "" && m.Quantities == NumbersSigned {
		m.Fixed.Kind = MeaningTrade
	}
}

// guessTotals finds whether amounts are before or after fees, from trades with price and quantity.
func (g mappingGuesser) guessTotals(m *Mapping) {
	if m.Decimal == "" || m.Columns.Quantity == "" || m.Columns.Price == "" || m.Columns.Amount == "" {
		return
	}
	s := m.spec()
	r := newSpecReader(&s, g.table, Options{Currency: "XXX"}) // any code, it is not used
	gross, net := false, false
	for _, row := range g.rows {
		l := &specLine{specReader: r, row: row, currency: g.table.Cell(row, m.Columns.Currency)}
		l.action = foldWord(l.cell(m.Columns.Kind))
		if l.parseNumbers() != nil || m.parse(l) != nil {
			continue
		}
		value, ok := l.mappedProduct()
		costs, slack := l.fee.Decimal.Abs().Add(l.tax.Decimal.Abs()), l.mappedSlack()
		kind := l.rule().kind
		trade := kind == portfolio.KindBuy || kind == portfolio.KindSell || l.rule().in == portfolio.KindBuy
		if !ok || !l.amount.Valid || !trade || costs.LessThanOrEqual(slack.Mul(decimal.NewFromInt(2))) {
			continue
		}
		away := l.amount.Decimal.Abs().Sub(value).Abs()
		gross = gross || away.LessThanOrEqual(slack)
		net = net || away.Sub(costs).Abs().LessThanOrEqual(slack)
	}
	switch {
	case gross && !net:
		m.Totals = TotalsGross
	case net && !gross:
		m.Totals = TotalsNet
	}
}

// mappingColumnWords are column names in English, German, French, Spanish, Dutch and Italian. For
// each field, the most specific ones come first.
func mappingColumnWords(c *MappingColumns) []struct {
	field *string
	words string
} {
	return []struct {
		field *string
		words string
	}{
		{&c.Date, "date|trade date|transaction date|datum|handelsdatum|handelstag|buchungstag|buchungsdatum|transaktionsdatum|date d'opération|date de transaction|date opération|fecha|fecha de operación|fecha operación|transactiedatum|data|data operazione|data transazione|datetime|timestamp|date/time|datum/uhrzeit"},
		{&c.Time, "time|trade time|uhrzeit|zeit|heure|hora|tijd|ora"},
		{&c.Kind, "type|action|transaction type|transaction|activity|kind|typ|art|vorgang|transaktion|transaktionstyp|buchungsart|geschäftsart|opération|type d'opération|type de transaction|sens|tipo|tipo de operación|operación|tipo operazione|operazione|soort|transactie|transactietype|buy/sell|side|kauf/verkauf"},
		{&c.ISIN, "isin|isin code|code isin|isin-code|codice isin|código isin"},
		{&c.Symbol, "symbol|ticker|ticker symbol|tickersymbol|symbole|símbolo|simbolo|symbool|stock symbol|instrument code"},
		{&c.Name, "name|security|security name|description|instrument|product|bezeichnung|wertpapier|wertpapiername|titel|libellé|valeur|nom|nombre|valor|producto|descripción|naam|omschrijving|titolo|descrizione|prodotto|nome"},
		{&c.Quantity, "quantity|shares|units|qty|no. of shares|number of shares|anzahl|stück|stücke|menge|anteile|quantité|nombre de titres|cantidad|títulos|acciones|aantal|quantità|numero titoli"},
		{&c.Price, "price|unit price|price per share|share price|price / share|kurs|preis|stückpreis|ausführungskurs|cours|prix|prix unitaire|precio|precio unitario|koers|prijs|prezzo|prezzo unitario"},
		{&c.Amount, "amount|total|total amount|net amount|gross amount|value|betrag|gesamtbetrag|wert|summe|kurswert|montant|montant net|montant total|importe|importe total|importe neto|bedrag|totaal|importo|controvalore|totale"},
		{&c.Currency, "currency|währung|buchungswährung|devise|monnaie|moneda|divisa|valuta|munt"},
		{&c.FeeCurrency, "fee currency|commission currency|gebührenwährung|währung gebühr|devise frais|divisa comisión|valuta kosten|valuta commissione"},
		{&c.Fee, "fee|fees|commission|commissions|gebühr|gebühren|provision|entgelt|spesen|frais|courtage|frais de courtage|comisión|comisiones|gastos|kosten|transactiekosten|commissioni|commissione|spese"},
		{&c.Tax, "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|impôts|taxe|taxes retenues|impuesto|impuestos|retención|belasting|bronbelasting|dividendbelasting|tassa|tasse|imposta|imposte|ritenuta"},
		{&c.Note, "note|notes|comment|memo|notiz|kommentar|bemerkung|verwendungszweck|remarque|commentaire|nota|notas|comentario|opmerking|note personali|commento"},
		{&c.ID, "id|transaction id|order id|trade id|reference|order number|transaktions-id|auftragsnummer|ordernummer|referenz|référence|numéro d'ordre|referencia|número de orden|referentie|riferimento|numero ordine"},
		{&c.Account, "account|account number|account name|konto|kontonummer|depot|compte|numéro de compte|cuenta|rekening|rekeningnummer|conto"},
	}
}

// mappingKindWords are brokers' words for transaction types.
func mappingKindWords() map[string]string {
	kinds := map[string]string{}
	for _, meaning := range [][2]string{
		{string(portfolio.KindBuy), "buy|bought|purchase|b|kauf|achat|compra|comprar|koop|aankoop|acquisto|market buy|limit buy|wertpapierkauf"},
		{string(portfolio.KindSell), "sell|sold|sale|s|verkauf|vente|venta|vender|verkoop|vendita|market sell|limit sell|wertpapierverkauf"},
		{string(portfolio.KindDividend), "dividend|dividends|cash dividend|dividende|dividendes|dividendo|dividendos|dividendi|distribution|ausschüttung"},
		{string(portfolio.KindReinvest), "dividend reinvestment|reinvested dividend|reinvest|drip"},
		{string(portfolio.KindInterest), "interest|credit interest|zinsen|habenzinsen|intérêts|intereses|rente|interessi"},
		{string(portfolio.KindInterestDue), "debit interest|margin interest|sollzinsen|debetrente"},
		{string(portfolio.KindFee), "fee|fees|custody fee|gebühr|gebühren|depotgebühr|frais|droits de garde|comisión|gastos|kosten|commissione|commissioni|spese"},
		{string(portfolio.KindTax), "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|taxe|impuesto|retención|belasting|dividendbelasting|imposta|ritenuta"},
		{string(portfolio.KindFeeRefund), "fee refund|fee rebate|fee reversal|gebührenerstattung|remboursement de frais|devolución de comisión|rimborso commissioni"},
		{string(portfolio.KindTaxRefund), "tax refund|steuererstattung|steuerrückerstattung|remboursement d'impôt|devolución de impuestos|belastingteruggave|rimborso imposte"},
		{string(portfolio.KindDeposit), "deposit|cash deposit|einzahlung|versement|dépôt|depósito|ingreso|storting|deposito|versamento"},
		{string(portfolio.KindWithdrawal), "withdrawal|withdraw|cash withdrawal|auszahlung|retrait|retirada|reintegro|opname|prelievo"},
		{string(portfolio.KindTransferIn), "transfer in|einbuchung|einlieferung|entrée de titres|traspaso entrada"},
		{string(portfolio.KindTransferOut), "transfer out|ausbuchung|auslieferung|sortie de titres|traspaso salida"},
		{string(portfolio.KindReturnOfCapital), "return of capital|kapitalrückzahlung|remboursement de capital"},
	} {
		for word := range strings.SplitSeq(meaning[1], "|") {
			kinds[word] = meaning[0]
		}
	}
	return kinds
}
