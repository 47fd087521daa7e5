package importer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Limits of guessing.
const (
	maxMappedPreamble  = 40   // lines searched for the header
	maxMappedSample    = 5000 // data lines
	maxMappedKindWords = 40   // different transaction types
)

// Corrections are what the user says about a table.
type Corrections struct {
	// Fields are columns by their field, such as "fee" ("" for none), and conventions; see
	// MappingFields.
	Fields map[string]string
	Kinds  map[string]string // meanings of words, as in Mapping.Kinds
}

// GuessMapping proposes a mapping by corrections, by column names and by what the cells prove.
// Everything else stays open, and the questions say how to set it; without questions, only a name is
// missing.
func GuessMapping(f File, by Corrections) (Mapping, []string) {
	corrections := by.Fields
	m := Mapping{}
	rows, err := f.Rows(0)
	if err != nil {
		return m, []string{fmt.Sprintf("cannot read the file as a table: %v", err)}
	}
	header, columns, found := findMappedHeader(rows, corrections)
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
	g.guessCurrency(&m)
	if _, corrected := corrections["isin"]; m.Columns.ISIN == "" && !corrected {
		m.Columns.ISIN = g.isinColumn()
	}
	g.guessDates(&m)
	conventions := m.conventions()
	for field, value := range corrections {
		if at, ok := conventions[field]; ok {
			*at = value
		}
	}
	g.guessCosts(&m, corrections)
	g.guessNumbers(&m)
	g.guessKinds(&m)
	m.AddKinds(by.Kinds)
	g.guessTotals(&m)
	if g.sharesNumbers(m.Columns.ID) && corrections["id"] == "" {
		m.Columns.ID = "" // it is an order number, for example, shared by several fills
	}
	return m, m.OpenQuestions()
}

// findMappedHeader returns the line with the most known names: at least a date and two more. It has
// all columns that the user names.
func findMappedHeader(rows []Row, corrections map[string]string) (int, MappingColumns, bool) {
	best, bestCount := -1, 2
	var columns MappingColumns
	for i, row := range rows[:min(len(rows), maxMappedPreamble)] {
		c, count := mappedColumnsIn(row, corrections)
		if c.Date != "" && count > bestCount {
			best, bestCount, columns = i, count, c
		}
	}
	return best, columns, best >= 0
}

// mappedColumnsIn finds the columns of a header: first those that the user names, then the exact
// names, then names with a unit or currency, such as "Courtage (SEK)".
func mappedColumnsIn(row Row, corrections map[string]string) (MappingColumns, int) {
	var c MappingColumns
	count := 0
	taken := map[int]bool{}
	table := NewTable(row, nil)
	corrected := map[*string]bool{}
	for field, at := range c.fields() {
		names, ok := corrections[field]
		if !ok {
			continue
		}
		*at, corrected[at] = names, true
		for name := range strings.SplitSeq(names, costSeparator) {
			i := table.Index(name)
			if i < 0 && names != "" {
				return c, 0
			}
			taken[i] = true
			count++
		}
	}
	for _, fold := range []func(string) string{foldWord, bareName} {
		for _, known := range mappingColumnWords(&c) {
			if *known.field != "" || corrected[known.field] {
				continue
			}
			for word := range strings.SplitSeq(known.words, "|") {
				i := slices.IndexFunc(row.Cells, func(cell string) bool { return fold(cell) == word })
				if i >= 0 && !taken[i] {
					*known.field, taken[i] = row.At(i), true
					count++
					break
				}
			}
		}
	}
	return c, count
}

var (
	unitPattern     = lazyregexp.New(`\s*(\([^)]*\)|\bin [a-z]{3}|\b(euro|eur|usd|gbp|chf|sek|nok|dkk)|\[[^]]*\]|[$€£])\s*$`)
	currencyPattern = lazyregexp.New(`\b[A-Z]{3}\b`)
)

// bareName returns a column name without its unit: "courtage" for "Courtage (SEK)".
func bareName(cell string) string { return unitPattern().ReplaceAllString(foldWord(cell), "") }

// currencyInName returns the currency that a column name has as its unit, or "".
func currencyInName(name string) string {
	unit := unitPattern().FindString(strings.ToLower(name))
	code := currencyPattern().FindString(strings.ToUpper(unit))
	switch {
	case IsFiat(code):
		return code
	case strings.Contains(unit, "euro") || strings.Contains(unit, "€"):
		return "EUR"
	case strings.Contains(unit, "£"):
		return "GBP"
	}
	return ""
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
// guessCurrency drops a currency column without codes, such as a German value date ("Valuta"), and
// uses the currency in the name of the amount.
func (g mappingGuesser) guessCurrency(m *Mapping) {
	if slices.ContainsFunc(g.columnCells(m.Columns.Currency), func(cell string) bool { return !ValidCurrency(strings.ToUpper(cell)) }) {
		m.Columns.Currency = ""
	}
	if m.Columns.Currency == "" {
		m.Fixed.Currency = cmp.Or(currencyInName(m.Columns.Amount), currencyInName(m.Columns.Price))
	}
}

// isinColumn returns the column in which all cells are ISINs, or "".
func (g mappingGuesser) isinColumn() string {
	for _, name := range g.table.Header.Cells {
		cells := g.columnCells(trimCell(name))
		if len(cells) > 0 && !slices.ContainsFunc(cells, func(cell string) bool { return !ValidISIN(cell) }) {
			return trimCell(name)
		}
	}
	return ""
}

// guessCosts adds the other columns with costs, so that none is lost.
func (g mappingGuesser) guessCosts(m *Mapping, corrections map[string]string) {
	used := m.Columns.nonEmpty()
	for i, name := range g.table.Header.Cells {
		name = trimCell(name)
		charged := slices.ContainsFunc(g.rows, func(row Row) bool {
			numbers := NumberReadings(row.At(i), 0)
			return len(numbers) > 0 && !numbers[0].IsZero()
		})
		if slices.Contains(used, name) || !charged || !costColumnPattern().MatchString(name) || notACostPattern().MatchString(name) {
			continue
		}
		field, at := "fee", &m.Columns.Fee
		if taxColumnPattern().MatchString(name) {
			field, at = "tax", &m.Columns.Tax
		}
		if _, corrected := corrections[field]; corrected {
			continue
		}
		*at = strings.TrimSuffix(name+costSeparator+*at, costSeparator)
	}
}

var taxColumnPattern = lazyregexp.New(`(?i)tax|withholding|steuer|impôt|impuesto|imposta|skatt|belasting`)

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
	for _, pattern := range []string{"DD MMM YYYY", "DD-MMM-YYYY", "MMM D, YYYY", "MMM D, YYYY, h:mm:ss A", "DD MMM YYYY HH:mm:ss"} {
		if m.Date == "" && len(cells) > 0 && allDatesParse(cells, pattern) {
			m.Date = pattern
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
	costs := slices.Concat(strings.Split(c.Fee, costSeparator), strings.Split(c.Tax, costSeparator))
	if sign, sure := GuessDecimalSeparator(g.columnCells(append(costs, c.Quantity, c.Price, c.Amount)...)); sure && m.Decimal == "" {
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
		if _, below := signs(column); below {
			return NumbersSigned
		}
		return NumbersUnsigned
	}
	m.Quantities, m.Amounts = cmp.Or(m.Quantities, convention(c.Quantity)), cmp.Or(m.Amounts, convention(c.Amount))
	switch above, below := signs(costs...); {
	case m.Costs != "":
	case !above && !below: // there are none
		m.Costs, m.Totals = CostsPositive, cmp.Or(m.Totals, TotalsGross)
	case !below:
		m.Costs = CostsPositive
	case !above:
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
		meaning := known[foldWord(word)]
		if similar := meaningIn(word, known); meaning == "" && !g.contradicts(m, word, similar) {
			meaning = similar
		}
		m.Kinds[word] = meaning
	}
	if m.Columns.Kind == "" && m.Quantities == NumbersSigned {
		m.Fixed.Kind = MeaningTrade
	}
}

// guessTotals finds whether amounts are before or after fees, from trades with price and quantity.
// contradicts reports whether a line with a word has an amount with the other sign than its meaning
// implies: "Rit.provento" is not a dividend but the tax on it.
func (g mappingGuesser) contradicts(m *Mapping, word, meaning string) bool {
	paid := false
	switch portfolio.Kind(meaning) {
	case portfolio.KindBuy, portfolio.KindFee, portfolio.KindTax, portfolio.KindInterestDue, portfolio.KindWithdrawal:
		paid = true
	}
	return m.Amounts == NumbersSigned && slices.ContainsFunc(g.rows, func(row Row) bool {
		d, _, err := ParseMoney(g.table.Cell(row, m.Columns.Amount), DecimalSeparator(m.Decimal[0]))
		return g.table.Cell(row, m.Columns.Kind) == word && err == nil && !d.IsZero() && d.IsNegative() != paid
	})
}

// meaningIn returns the meaning of words such as "Sepa Deposit": the one that its words have, if it
// is the only one and none of them undoes or delays it.
func meaningIn(words string, known map[string]string) string {
	words = foldWord(words)
	if undoneWords().MatchString(words) {
		return ""
	}
	meaning := ""
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) }) {
		found := known[word]
		if len(word) < 3 || found == "" || found == meaning {
			continue
		}
		if meaning != "" {
			return ""
		}
		meaning = found
	}
	return meaning
}

// undoneWords matches words that change the meaning of those next to them.
var undoneWords = lazyregexp.New(`cancel|storn|revers|correct|adjust|refund|rebate|pending|reject|expire|fail|annul|return|accrued|to cover|exchange|split|transfer|reinvest`)

func (g mappingGuesser) guessTotals(m *Mapping) {
	if m.Totals != "" || m.Decimal == "" || m.Columns.Quantity == "" || m.Columns.Price == "" || m.Columns.Amount == "" {
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
		amount := l.amount.Decimal.Abs()
		away := amount.Sub(value).Abs()
		before := amountBeforeCosts(kind, amount, costs)
		gross = gross || away.LessThanOrEqual(slack) || m.converted(l, value, amount)
		net = net || away.Sub(costs).Abs().LessThanOrEqual(slack) || m.converted(l, value, before)
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
		{&c.Date, "date|trade date|transaction date|datum|handelsdatum|handelstag|buchungstag|buchungsdatum|transaktionsdatum|date d'opération|date de transaction|date opération|fecha|fecha de operación|fecha operación|transactiedatum|data|data operazione|data transazione|datetime|timestamp|date/time|datum/uhrzeit|activity date|date of trade|trade date/time|transaction time|execution date|executed at|data operação|dato|transaktionsdag"},
		{&c.Time, "time|trade time|uhrzeit|zeit|heure|hora|tijd|ora"},
		{&c.Kind, "type|action|transaction type|transaction|activity|kind|typ|art|vorgang|transaktion|transaktionstyp|buchungsart|geschäftsart|opération|type d'opération|type de transaction|sens|tipo|tipo de operación|operación|tipo operazione|operazione|soort|transactie|transactietype|buy/sell|side|kauf/verkauf|typ av transaktion|transaktionstyp|trans code|activity type|buy / sell|direction|category|transaksjonstype|tipo de movimento"},
		{&c.ISIN, "isin|isin code|code isin|isin-code|codice isin|código isin"},
		{&c.Symbol, "symbol|ticker|ticker symbol|tickersymbol|symbole|símbolo|simbolo|symbool|stock symbol|instrument code|asset|instrument symbol|stock"},
		{&c.Name, "name|security|security name|description|instrument|product|bezeichnung|wertpapier|wertpapiername|titel|libellé|valeur|nom|nombre|valor|producto|descripción|naam|omschrijving|titolo|descrizione|prodotto|nome|värdepapper/beskrivning|värdepapper|verdipapir|asset name|instrument name|company|security / isin"},
		{&c.Quantity, "quantity|shares|units|qty|no. of shares|number of shares|anzahl|stück|stücke|menge|anteile|quantité|nombre de titres|cantidad|títulos|acciones|aantal|quantità|numero titoli|antal|antall|asset quantity|no of shares|nominal|filled quantity|share quantity"},
		{&c.Price, "price|unit price|price per share|share price|price / share|kurs|preis|stückpreis|ausführungskurs|cours|prix|prix unitaire|precio|precio unitario|koers|prijs|prezzo|prezzo unitario|asset price|trade price|execution price|avg price|average price|prisma|pris"},
		{&c.Amount, "amount|total|total amount|net amount|gross amount|value|betrag|gesamtbetrag|wert|summe|kurswert|montant|montant net|montant total|importe|importe total|importe neto|bedrag|totaal|importo|controvalore|totale|belopp|beløb|beløp|cash flow|transaction amount|total trade value|total value|net cash|net proceeds|proceeds|importo"},
		{&c.Currency, "currency|währung|buchungswährung|devise|monnaie|moneda|divisa|valuta|munt|transaktionsvaluta|transaction currency|account currency|waluta"},
		{&c.FeeCurrency, "fee currency|commission currency|gebührenwährung|währung gebühr|devise frais|divisa comisión|valuta kosten|valuta commissione"},
		{&c.Fee, "fee|fees|commission|commissions|gebühr|gebühren|provision|entgelt|spesen|frais|courtage|frais de courtage|comisión|comisiones|gastos|kosten|transactiekosten|commissioni|commissione|spese|courtage|kurtage|kurtasje|brokerage|brokerage fee|trading fee|transaction fee|avgift|prowizja|comm|fees & comm|transaction costs"},
		{&c.Tax, "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|impôts|taxe|taxes retenues|impuesto|impuestos|retención|belasting|bronbelasting|dividendbelasting|tassa|tasse|imposta|imposte|ritenuta|stamp duty|skatt|källskatt"},
		{&c.Note, "note|notes|comment|memo|notiz|kommentar|bemerkung|verwendungszweck|remarque|commentaire|nota|notas|comentario|opmerking|note personali|commento"},
		{&c.ID, "id|transaction id|order id|trade id|reference|order number|transaktions-id|auftragsnummer|ordernummer|referenz|référence|numéro d'ordre|referencia|número de orden|referentie|riferimento|numero ordine|transaction number|trans id|verifikationsnummer"},
		{&c.Status, "status|state|estado|stato|statut"},
		{&c.Rate, "exchange rate|fx rate|conversion rate|currency rate|valutakurs|växlingskurs|wechselkurs|devisenkurs|taux de change|tipo de cambio|cambio|wisselkoers|kurs walutowy"},
		{&c.Account, "account|account number|account name|konto|kontonummer|depot|compte|numéro de compte|cuenta|rekening|rekeningnummer|conto|portfolio|konto/depot|depå"},
	}
}

// mappingKindWords are brokers' words for transaction types.
func mappingKindWords() map[string]string {
	kinds := map[string]string{}
	for _, meaning := range [][2]string{
		{string(portfolio.KindBuy), "buy|bought|purchase|b|kauf|achat|compra|comprar|koop|aankoop|acquisto|market buy|limit buy|wertpapierkauf|köp|kjøp|køb|savings plan|sparplan|savings plan execution|zakup|compra de"},
		{string(portfolio.KindSell), "sell|sold|sale|s|verkauf|vente|venta|vender|verkoop|vendita|market sell|limit sell|wertpapierverkauf|sälj|salg|sprzedaż|vendita di"},
		{string(portfolio.KindDividend), "dividend|dividends|cash dividend|dividende|dividendes|dividendo|dividendos|dividendi|distribution|ausschüttung|utdelning|utbytte|udbytte|dywidenda|coupon|provento"},
		{string(portfolio.KindReinvest), "dividend reinvestment|reinvested dividend|reinvest|drip"},
		{string(portfolio.KindInterest), "interest|credit interest|zinsen|habenzinsen|intérêts|intereses|rente|interessi|ränta|rente|renter|odsetki"},
		{string(portfolio.KindInterestDue), "debit interest|margin interest|sollzinsen|debetrente"},
		{string(portfolio.KindFee), "fee|fees|custody fee|gebühr|gebühren|depotgebühr|frais|droits de garde|comisión|gastos|kosten|commissione|commissioni|spese|avgift|commission|opłata|administrative fee"},
		{string(portfolio.KindTax), "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|taxe|impuesto|retención|belasting|dividendbelasting|imposta|ritenuta|skatt|avkastningsskatt|utländsk källskatt|källskatt|podatek|withholding|kildeskatt"},
		{string(portfolio.KindFeeRefund), "fee refund|fee rebate|fee reversal|gebührenerstattung|remboursement de frais|devolución de comisión|rimborso commissioni"},
		{string(portfolio.KindTaxRefund), "tax refund|steuererstattung|steuerrückerstattung|remboursement d'impôt|devolución de impuestos|belastingteruggave|rimborso imposte"},
		{string(portfolio.KindDeposit), "deposit|cash deposit|einzahlung|versement|dépôt|depósito|ingreso|storting|deposito|versamento|insättning|innskudd|indbetaling|wpłata|top up|top-up|bonifico"},
		{string(portfolio.KindWithdrawal), "withdrawal|withdraw|cash withdrawal|auszahlung|retrait|retirada|reintegro|opname|prelievo|uttag|uttak|udbetaling|wypłata|payout"},
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
