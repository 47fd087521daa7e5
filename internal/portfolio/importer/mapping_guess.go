package importer

import (
	"cmp"
	"fmt"
	"maps"
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

// Corrections holds the user's corrections to a guessed mapping.
type Corrections struct {
	// Fields maps a field of MappingFields to its column, such as "fee" to "Commission" ("" for none), or
	// to its convention.
	Fields map[string]string
	Kinds  map[string]string // meanings of words, as in Mapping.Kinds
}

// GuessMapping proposes a mapping from the user's corrections, the column names and the cells. Fields that
// it cannot infer stay empty, and it returns a question for each, which says how to set it. Without
// questions, only Name is missing.
func GuessMapping(f File, by Corrections) (Mapping, []string) {
	corrections := by.Fields
	m := Mapping{}
	rows, err := f.Rows(0)
	if err != nil {
		return m, []string{fmt.Sprintf("cannot read the file as a table: %v", err)}
	}
	rows = slices.DeleteFunc(slices.Clone(rows), isFooter)
	header, columns, found := findMappedHeader(rows, corrections)
	if !found {
		return m, append([]string{"no line has known column names; set skip and columns"}, m.OpenQuestions()...)
	}
	m.Columns = columns
	m.Skip = rows[header].Line - 1
	if m.Separator = string(f.Separator()); m.Separator == "\t" {
		m.Separator = "tab"
	}
	data := rows[header+1:]
	g := mappingGuesser{table: NewTable(rows[header], data), rows: data[:min(len(data), maxMappedSample)], known: mappingKindWords()}
	g.guessCurrency(&m)
	if _, corrected := corrections["isin"]; m.Columns.ISIN == "" && !corrected {
		m.Columns.ISIN = g.columnOf(ValidISIN)
	}
	if _, corrected := corrections["kind"]; m.Columns.Kind == "" && !corrected {
		if m.Columns.Kind = g.columnOf(func(cell string) bool { return g.known[foldName(cell)] != "" }); m.Columns.Kind == m.Columns.Name {
			m.Columns.Name = ""
		}
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
	g.leaveUnknownKinds(&m)
	g.guessTotals(&m)
	if _, corrected := corrections["currency"]; !corrected {
		g.dropPriceCurrency(&m)
	}
	if g.sharesNumbers(m.Columns.ID) && corrections["id"] == "" {
		m.Columns.ID = "" // it may be an order number shared by several fills
	}
	return m, m.OpenQuestions()
}

// findMappedHeader returns the line with the most known names, at least a date and two more. The line must
// have all columns that the user names.
func findMappedHeader(rows []Row, corrections map[string]string) (int, MappingColumns, bool) {
	best, bestCount := -1, 2
	var columns MappingColumns
	for i, row := range rows[:min(len(rows), maxMappedPreamble)] {
		c, count := mappedColumnsIn(NewTable(row, rows[i+1:]), corrections)
		if c.Date != "" && count > bestCount {
			best, bestCount, columns = i, count, c
		}
	}
	return best, columns, best >= 0
}

// mappedColumnsIn finds the columns of a table: first the ones that the user names, then by exact
// names, then by names with a unit or currency, such as "Courtage (SEK)".
func mappedColumnsIn(table Table, corrections map[string]string) (MappingColumns, int) {
	var c MappingColumns
	count := 0
	taken := map[int]bool{}
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
	names := make([]string, len(table.Header.Cells))
	for _, fold := range []func(string) string{foldName, bareName} {
		for i, cell := range table.Header.Cells {
			names[i] = fold(cell)
		}
		for _, known := range mappingColumnWords(&c) {
			if *known.field != "" || corrected[known.field] {
				continue
			}
			if i := known.find(table, names, taken); i >= 0 {
				*known.field, taken[i] = table.Header.At(i), true
				count++
			}
		}
	}
	if !corrected[&c.Paid] && !slices.Contains(strings.Split(foldAccents(creditWords), "|"), bareName(c.Amount)) {
		c.Paid = "" // the amounts have signs
	}
	return c, count
}

// find returns the index of the first column that is named with one of the words and whose cells fit. If
// there is none, it returns an empty column with such a name, or -1.
func (k columnWords) find(table Table, names []string, taken map[int]bool) int {
	empty := -1
	for word := range strings.SplitSeq(foldAccents(k.words), "|") {
		i := slices.Index(names, word)
		if i < 0 || taken[i] {
			continue
		}
		fits, filled := k.cells == nil, false
		for _, row := range table.Rows[:min(len(table.Rows), maxMappedSample)] {
			if cell := row.At(i); cell != "" && !fits {
				filled, fits = true, k.cells(cell)
			} else if cell != "" {
				return i
			}
		}
		if fits {
			return i
		}
		if !filled && empty < 0 {
			empty = i
		}
	}
	return empty
}

func hasDigit(cell string) bool { return strings.ContainsAny(cell, "0123456789") }

func isNumber(cell string) bool {
	_, _, errPoint := ParseMoney(cell, DecimalPoint)
	_, _, errComma := ParseMoney(cell, DecimalComma)
	return errPoint == nil || errComma == nil
}

func isText(cell string) bool { return !isNumber(cell) }

// foldName normalizes a column name or a word for comparison: "Unit Price", "unit_price" and
// "UnitPrice" are the same.
func foldName(name string) string {
	return foldAccents(camelCase().ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1 $2"))
}

var (
	camelCase       = lazyregexp.New(`([a-z])([A-Z])`)
	unitPattern     = lazyregexp.New(`\s*(\([^)]*\)|\bin [a-z]{3}|\b(euro|eur|usd|gbp|chf|sek|nok|dkk)|\[[^]]*\]|[$€£])\s*$`)
	currencyPattern = lazyregexp.New(`\b[A-Z]{3}\b`)
)

// bareName returns a column name without its unit: "courtage" for "Courtage (SEK)".
func bareName(cell string) string {
	return unitPattern().ReplaceAllString(strings.TrimRight(foldName(cell), " *:#"), "")
}

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
	known map[string]string // meanings of words
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

// columnOf returns the first column whose cells all fit, or "".
func (g mappingGuesser) columnOf(fits func(cell string) bool) string {
	for _, name := range g.table.Header.Cells {
		cells := g.columnCells(trimCell(name))
		if len(cells) > 0 && !slices.ContainsFunc(cells, func(cell string) bool { return !fits(cell) }) {
			return trimCell(name)
		}
	}
	return ""
}

// guessCosts adds the remaining columns with costs, so that no cost is missed.
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

var taxColumnPattern = lazyregexp.New(`(?i)tax|withholding|steuer|impôt|impuesto|imposta|skatt|belasting|税金|税额|税額`)

// guessDates finds the date and time formats.
func (g mappingGuesser) guessDates(m *Mapping) {
	cells := g.columnCells(m.Columns.Date)
	layout, sure := GuessDayOrder(cells)
	if sure {
		day := formatDateLayout(layout)
		for _, tail := range []string{"", " HH:mm:ss", " HH:mm", "THH:mm:ssZ", "THH:mm:ss", "THH:mm", " h:mm:ss A", " HH:mm:ss Z", " HH:mm:ssZ", ", HH:mm:ss", "; HH:mm:ss", "T"} {
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
	if sign, sure := GuessDecimalSeparator(g.columnCells(append(costs, c.Quantity, c.Price, c.Amount, c.Paid)...)); sure && m.Decimal == "" {
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
	m.Quantities = cmp.Or(m.Quantities, convention(c.Quantity))
	switch {
	case m.Amounts != "":
	case c.Paid != "":
		m.Amounts = NumbersSigned
	case slices.ContainsFunc(g.rows, func(row Row) bool {
		d, err := g.amount(m, row)
		return err == nil && d.IsPositive() && isPayment(portfolio.Kind(g.known[foldName(g.table.Cell(row, c.Kind))]))
	}):
		m.Amounts = NumbersUnsigned
	default:
		m.Amounts = convention(c.Amount)
	}
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
	m.Kinds = map[string]string{}
	for _, word := range g.columnCells(m.Columns.Kind) {
		if len(m.Kinds) == maxMappedKindWords {
			break
		}
		meaning := g.known[foldName(word)]
		if similar := meaningIn(word, g.known); meaning == "" && !g.contradicts(m, word, similar) {
			meaning = similar
		}
		m.Kinds[word] = meaning
	}
	if m.Columns.Kind == "" && m.Quantities == NumbersSigned {
		m.Fixed.Kind = MeaningTrade
	}
}

// leaveUnknownKinds drops the words without a meaning if most words have one. The import then skips their
// lines and asks for the meanings.
func (g mappingGuesser) leaveUnknownKinds(m *Mapping) {
	known, unknown := 0, 0
	for _, word := range g.columnCells(m.Columns.Kind) {
		if m.Kinds[word] != "" {
			known++
		} else {
			unknown++
		}
	}
	if known > unknown {
		maps.DeleteFunc(m.Kinds, func(_, meaning string) bool { return meaning == "" })
	}
}

// contradicts reports whether a line with a word has an amount with the other sign than its meaning
// implies: "Rit.provento" is not a dividend but the tax on it.
func (g mappingGuesser) contradicts(m *Mapping, word, meaning string) bool {
	return m.Decimal != "" && m.Amounts == NumbersSigned && slices.ContainsFunc(g.rows, func(row Row) bool {
		d, err := g.amount(m, row)
		return g.table.Cell(row, m.Columns.Kind) == word && err == nil && !d.IsZero() && d.IsNegative() != isPayment(portfolio.Kind(meaning))
	})
}

// amount returns the amount of a line, with its sign. The decimal separator must be known.
func (g mappingGuesser) amount(m *Mapping, row Row) (decimal.Decimal, error) {
	text := g.table.Cell(row, m.Columns.Amount)
	if text == "" && m.Columns.Paid != "" {
		text = "-" + g.table.Cell(row, m.Columns.Paid)
	}
	d, _, err := ParseMoney(text, DecimalSeparator(m.Decimal[0]))
	return d, err
}

// meaningIn returns the meaning of a phrase such as "Sepa Deposit": the only one among its words, or "" if
// there are several or a word negates or delays it.
func meaningIn(words string, known map[string]string) string {
	words = foldName(words)
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
var undoneWords = lazyregexp.New(`short|cancel|storn|revers|correct|adjust|refund|rebate|pending|reject|expire|fail|annul|return|accrued|to cover|exchange|split|transfer|reinvest`)

// lines returns the lines with their numbers.
func (g mappingGuesser) lines(m *Mapping) []*specLine {
	s := m.spec()
	r := newSpecReader(&s, g.table, Options{Currency: "XXX"}) // any code, it is not used
	var lines []*specLine
	for _, row := range g.rows {
		l := &specLine{specReader: r, row: row, currency: g.table.Cell(row, m.Columns.Currency)}
		l.action = foldWord(l.cell(m.Columns.Kind))
		if l.parseNumbers() == nil && m.parse(l) == nil {
			lines = append(lines, l)
		}
	}
	return lines
}

// dropPriceCurrency leaves the currency open if lines have an exchange rate that may convert the price to
// the amount, because the currency may then be that of the price.
func (g mappingGuesser) dropPriceCurrency(m *Mapping) {
	if m.Columns.Rate == "" || m.Decimal == "" || amountCurrencyPattern().MatchString(m.Columns.Currency) {
		return
	}
	for _, l := range g.lines(m) {
		rate := l.others[m.Columns.Rate].Decimal
		if !l.amount.Valid || !rate.IsPositive() || rate.Equal(decimal.NewFromInt(1)) {
			continue
		}
		product, ok := l.mappedProduct()
		away := l.amount.Decimal.Abs().Sub(product).Abs()
		if !ok || away.GreaterThan(l.mappedSlack().Add(l.fee.Decimal.Abs()).Add(l.tax.Decimal.Abs())) {
			m.Columns.Currency = ""
			return
		}
	}
}

// amountCurrencyPattern matches names of columns with the currency of amounts, not of prices.
var amountCurrencyPattern = lazyregexp.New(`(?i)amount|transa|account|total|settle|buchung|konto|受渡|決済`)

// guessTotals finds whether amounts are before or after fees, from trades with price and quantity.
func (g mappingGuesser) guessTotals(m *Mapping) {
	if m.Totals != "" || m.Decimal == "" || m.Columns.Quantity == "" || m.Columns.Price == "" || m.Columns.Amount == "" {
		return
	}
	gross, net := false, false
	for _, l := range g.lines(m) {
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

// columnWords are the names of columns for a field, the most specific ones first.
type columnWords struct {
	field *string
	words string
	cells func(cell string) bool // checks a cell of the column; nil accepts any
}

// creditWords are names of columns with payments received, next to one with payments made.
const creditWords = "credit|credits|credit amount|money in|paid in|haben|gutschrift|crédit|haber|abono|accrediti|avere|收入|入金額"

// mappingColumnWords returns column names in English, German, French, Spanish, Portuguese, Dutch,
// Italian, Polish, the languages of Scandinavia, Chinese and Japanese.
func mappingColumnWords(c *MappingColumns) []columnWords {
	return []columnWords{
		{&c.Date, "date|trade date|transaction date|datum|handelsdatum|handelstag|buchungstag|buchungsdatum|transaktionsdatum|date d'opération|date de transaction|date opération|fecha|fecha de operación|fecha operación|transactiedatum|data|data operazione|data transazione|data da operação|datetime|timestamp|date/time|datum/uhrzeit|activity date|date of trade|trade date/time|transaction time|execution date|executed at|data operação|dato|transaksjonsdag|transaktionsdag|settlement date|成交日期|交易日期|日期|成交时间|約定日|取引日|日付|受渡日", hasDigit},
		{&c.Time, "time|trade time|uhrzeit|zeit|heure|hora|tijd|ora", hasDigit},
		{&c.Kind, "type|action|transaction type|transaction|activity|kind|typ|art|vorgang|transaktion|transaktionstyp|transaktionsart|buchungsart|geschäftsart|opération|type d'opération|type de transaction|sens|tipo|tipo de operación|operación|operação|tipo operazione|operazione|soort|transactie|transactietype|buy/sell|side|kauf/verkauf|typ av transaktion|trans code|activity type|buy / sell|direction|category|transaksjonstype|tipo de movimento|typ operacji|rodzaj transakcji|买卖标志|买卖方向|交易类型|业务名称|操作|方向|类型|取引|取引種別|取引区分|売買区分|売買|種別", isText},
		{&c.ISIN, "isin|isin code|code isin|isin-code|codice isin|código isin", nil},
		{&c.Symbol, "symbol|ticker|ticker symbol|tickersymbol|symbole|símbolo|simbolo|symbool|stock symbol|instrument code|asset|instrument symbol|stock|code|security code|ativo|código do ativo|walor|证券代码|股票代码|代码|銘柄コード|コード|ティッカー", nil},
		{&c.Name, "name|security|security name|description|instrument|product|bezeichnung|wertpapier|wertpapiername|titel|libellé|valeur|nom|nombre|valor|producto|descripción|naam|omschrijving|titolo|descrizione|prodotto|nome|värdepapper/beskrivning|värdepapper|verdipapir|asset name|instrument name|company|security / isin|fonds|produkt|papier|papier wartościowy|证券名称|股票名称|名称|銘柄名|銘柄|ファンド名", isText},
		{&c.Quantity, "quantity|shares|units|qty|no. of shares|number of shares|anzahl|stück|stücke|stück / nom.|menge|anteile|quantité|nombre de titres|cantidad|títulos|acciones|quantidade|aantal|quantità|numero titoli|antal|antall|asset quantity|no of shares|nominal|filled quantity|share quantity|liczba|ilość|成交数量|数量|股数|約定数量|株数|口数", isNumber},
		{&c.Price, "price|unit price|price per share|per share cost|cost per share|share price|price / share|kurs|preis|stückpreis|ausführungskurs|cours|prix|prix unitaire|precio|precio unitario|preço|preço unitário|koers|prijs|prezzo|prezzo unitario|asset price|trade price|execution price|avg price|average price|prisma|pris|cena|成交价格|成交价|成交均价|价格|単価|約定単価|約定価格|価格", isNumber},
		{&c.Amount, "amount|total|total amount|net amount|gross amount|value|betrag|gesamtbetrag|wert|summe|kurswert|umsatz|montant|montant net|montant total|montant de l'opération|importe|importe total|importe neto|bedrag|totaal|importo|controvalore|totale|valor|valor total|belopp|beløb|beløp|cash flow|transaction amount|total trade value|total value|net cash|net proceeds|proceeds|settle amount net|settlement amount|wartość|kwota|发生金额|清算金额|成交金额|金额|受渡金額|受渡代金|約定代金|金額|" + creditWords, isNumber},
		{&c.Paid, "debit|debits|debit amount|money out|paid out|soll|belastung|lastschrift|débit|debe|cargo|addebiti|dare|支出|出金額", isNumber},
		{&c.Currency, "currency|amount currency|währung|buchungswährung|devise|monnaie|moneda|moeda|divisa|valuta|munt|transaktionsvaluta|transaction currency|account currency|waluta|币种|货币|通貨|決済通貨|受渡通貨", nil},
		{&c.FeeCurrency, "fee currency|commission currency|gebührenwährung|währung gebühr|devise frais|divisa comisión|valuta kosten|valuta commissione", nil},
		{&c.Fee, "fee|fees|commission|commissions|gebühr|gebühren|provision|entgelt|spesen|frais|courtage|frais de courtage|comisión|comisiones|gastos|corretagem|kosten|transactiekosten|commissioni|commissione|spese|kurtage|kurtasje|brokerage|brokerage fee|trading fee|transaction fee|avgift|prowizja|comm|fees & comm|transaction costs|commission payée|手续费|佣金|印花税|手数料|委託手数料", isNumber},
		{&c.Tax, "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|impôts|taxe|taxes retenues|impuesto|impuestos|imposto|retención|belasting|bronbelasting|dividendbelasting|tassa|tasse|imposta|imposte|ritenuta|stamp duty|skatt|källskatt|podatek|税费|税額|税金", isNumber},
		{&c.Note, "note|notes|comment|memo|notiz|kommentar|bemerkung|verwendungszweck|remarque|commentaire|nota|notas|comentario|opmerking|note personali|commento|备注|备考", nil},
		{&c.ID, "id|transaction id|order id|trade id|reference|order number|transaktions-id|auftragsnummer|ordernummer|referenz|référence|numéro d'ordre|referencia|número de orden|referentie|riferimento|numero ordine|transaction number|trans id|verifikationsnummer|成交编号|流水号", nil},
		{&c.Status, "status|state|estado|stato|statut", nil},
		{&c.Rate, "exchange rate|fx rate|fxrate|conversion rate|currency rate|valutakurs|växlingskurs|wechselkurs|devisenkurs|taux de change|tipo de cambio|cambio|wisselkoers|kurs walutowy|汇率|為替レート", isNumber},
		{&c.Balance, "balance|cash balance|cash balance amount|account balance|running balance|balance after|saldo|kontostand|solde|saldo contable|balans|stan konta|余额|资金余额|现金余额|残高|預り金残高", isNumber},
		{&c.Account, "account|account number|account name|konto|kontonummer|depot|compte|numéro de compte|cuenta|rekening|rekeningnummer|conto|portfolio|konto/depot|depå", nil},
	}
}

// mappingKindWords returns brokers' words for transaction types.
func mappingKindWords() map[string]string {
	kinds := map[string]string{}
	for _, meaning := range [][2]string{
		{string(portfolio.KindBuy), "buy|bought|purchase|b|kauf|achat|compra|comprar|koop|aankoop|acquisto|market buy|limit buy|wertpapierkauf|köp|kjøp|køb|savings plan|sparplan|savings plan execution|zakup|compra de|kupno|买入|证券买入|买|买进|買付|買い|買|現物買|株式現物買|買建"},
		{string(portfolio.KindSell), "sell|sold|sale|s|verkauf|vente|venta|vender|verkoop|vendita|market sell|limit sell|wertpapierverkauf|sälj|salg|sprzedaż|vendita di|venda|卖出|证券卖出|卖|売却|売付|売り|売|現物売|株式現物売"},
		{string(portfolio.KindDividend), "dividend|dividends|cash dividend|dividende|dividendes|dividendo|dividendos|dividendi|distribution|ausschüttung|utdelning|utbytte|udbytte|dywidenda|coupon|provento|div|红利|股息|分红|股息入账|红利入账|配当|配当金|分配金"},
		{string(portfolio.KindReinvest), "dividend reinvestment|reinvested dividend|reinvest|drip"},
		{string(portfolio.KindInterest), "interest|credit interest|zinsen|habenzinsen|intérêts|intereses|rente|interessi|ränta|rente|renter|odsetki|juros|interest earned|intérêt|利息|利息归本|利金|利子"},
		{string(portfolio.KindInterestDue), "debit interest|margin interest|sollzinsen|debetrente"},
		{string(portfolio.KindFee), "fee|fees|custody fee|gebühr|gebühren|depotgebühr|frais|droits de garde|comisión|gastos|kosten|commissione|commissioni|spese|avgift|commission|opłata|administrative fee|taxa|管理费|手续费|手数料"},
		{string(portfolio.KindTax), "tax|taxes|withholding tax|steuer|steuern|quellensteuer|impôt|taxe|impuesto|retención|belasting|dividendbelasting|imposta|ritenuta|skatt|avkastningsskatt|utländsk källskatt|källskatt|podatek|withholding|kildeskatt|impuestos|红利税|股息红利税|利息税|税金"},
		{string(portfolio.KindFeeRefund), "fee refund|fee rebate|fee reversal|gebührenerstattung|remboursement de frais|devolución de comisión|rimborso commissioni"},
		{string(portfolio.KindTaxRefund), "tax refund|steuererstattung|steuerrückerstattung|remboursement d'impôt|devolución de impuestos|belastingteruggave|rimborso imposte"},
		{string(portfolio.KindDeposit), "deposit|cash deposit|einzahlung|versement|dépôt|depósito|ingreso|storting|deposito|versamento|insättning|innskudd|indbetaling|wpłata|top up|top-up|bonifico|wplata|aporte|银行转证券|存入|转入|入金"},
		{string(portfolio.KindWithdrawal), "withdrawal|withdraw|cash withdrawal|auszahlung|retrait|retirada|reintegro|opname|prelievo|uttag|uttak|udbetaling|wypłata|payout|saque|prélèvement|证券转银行|取出|转出|出金"},
		{string(portfolio.KindTransferIn), "transfer in|einbuchung|einlieferung|entrée de titres|traspaso entrada"},
		{string(portfolio.KindTransferOut), "transfer out|ausbuchung|auslieferung|sortie de titres|traspaso salida"},
		{string(portfolio.KindReturnOfCapital), "return of capital|kapitalrückzahlung|remboursement de capital"},
	} {
		for word := range strings.SplitSeq(meaning[1], "|") {
			kinds[foldName(word)] = meaning[0]
		}
	}
	return kinds
}
