package importer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
)

// Mapping defines how a table is read.
type Mapping struct {
	Name      string         `json:"name"`                // name of the broker, used as Source of its transactions
	Separator string         `json:"separator,omitempty"` // ",", ";", "tab" or "|"; empty means automatic
	Skip      int            `json:"skip,omitempty"`      // lines above the header
	Decimal   string         `json:"decimal"`             // "." or ","
	Date      string         `json:"date"`                // "DD.MM.YYYY", also with a time: "YYYY-MM-DD HH:mm:ss"
	Time      string         `json:"time,omitempty"`      // of the time column: "HH:mm:ss"
	Zone      string         `json:"zone,omitempty"`      // time zone of the times: "Europe/Berlin"; empty means the account's
	Columns   MappingColumns `json:"columns"`
	Fixed     MappingFixed   `json:"fixed,omitzero"`
	// Kinds maps the file's words, ignoring case, to a portfolio.Kind, or to MeaningTrade,
	// MeaningCash, MeaningCharge, MeaningLevy or MeaningIgnore. The amount of a transfer in is the
	// cost of the shares; without one their cost is unknown.
	Kinds map[string]string `json:"kinds,omitempty"`
	// Quantities and Amounts are NumbersSigned if the sign shows the direction, and NumbersUnsigned
	// if all are positive.
	Quantities string `json:"quantities,omitempty"`
	Amounts    string `json:"amounts,omitempty"`
	// Costs is CostsPositive or CostsNegative: the sign of a paid fee or tax.
	Costs string `json:"costs,omitempty"`
	// Totals is TotalsGross if amounts are before fee and tax, and TotalsNet if after.
	Totals string `json:"totals,omitempty"`
}

// MappingColumns are the column names in the header; empty for missing columns.
type MappingColumns struct {
	Date        string `json:"date,omitempty"`
	Time        string `json:"time,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Symbol      string `json:"symbol,omitempty"`
	ISIN        string `json:"isin,omitempty"`
	Name        string `json:"name,omitempty"`
	Quantity    string `json:"quantity,omitempty"`
	Price       string `json:"price,omitempty"`
	Amount      string `json:"amount,omitempty"`
	Paid        string `json:"paid,omitempty"` // payments made, if Amount has only those received
	Currency    string `json:"currency,omitempty"`
	Fee         string `json:"fee,omitempty"` // several columns are added: "Commission + Stamp duty"
	FeeCurrency string `json:"fee_currency,omitempty"`
	Tax         string `json:"tax,omitempty"` // as Fee
	Note        string `json:"note,omitempty"`
	ID          string `json:"id,omitempty"`
	Account     string `json:"account,omitempty"`
	// Status is a column that says whether the transaction was executed. Lines that were not are ignored.
	Status string `json:"status,omitempty"`
	// Balance is the cash of the account after the line.
	Balance string `json:"balance,omitempty"`
	// Rate is the exchange rate between price and amount, in either direction.
	Rate string `json:"rate,omitempty"`
}

// fields returns the column fields by their names in JSON.
func (c *MappingColumns) fields() map[string]*string {
	return map[string]*string{
		"date": &c.Date, "time": &c.Time, "kind": &c.Kind, "symbol": &c.Symbol, "isin": &c.ISIN, "name": &c.Name, "quantity": &c.Quantity, "price": &c.Price,
		"amount": &c.Amount, "paid": &c.Paid, "currency": &c.Currency, "fee": &c.Fee, "fee_currency": &c.FeeCurrency, "tax": &c.Tax, "note": &c.Note, "id": &c.ID,
		"account": &c.Account, "status": &c.Status, "rate": &c.Rate, "balance": &c.Balance,
	}
}

// MappingFields returns the names of columns and of conventions, in display order.
func MappingFields() (columns, conventions []string) {
	return []string{"date", "time", "kind", "symbol", "isin", "name", "quantity", "price", "rate", "amount", "paid", "currency", "fee", "fee_currency", "tax", "note", "id", "account", "status", "balance"},
		[]string{"date_format", "time_format", "decimal", "quantities", "amounts", "costs", "totals"}
}

// AddKinds sets the meanings of words, ignoring case.
func (m *Mapping) AddKinds(kinds map[string]string) {
	m.Kinds = maps.Clone(m.Kinds)
	for word, meaning := range kinds {
		maps.DeleteFunc(m.Kinds, func(known, _ string) bool { return strings.EqualFold(known, word) })
		if m.Kinds == nil {
			m.Kinds = map[string]string{}
		}
		m.Kinds[word] = meaning
	}
}

// conventions returns the other fields that a user may correct, by the names in MappingFields.
func (m *Mapping) conventions() map[string]*string {
	return map[string]*string{
		"date_format": &m.Date, "time_format": &m.Time, "decimal": &m.Decimal, "quantities": &m.Quantities, "amounts": &m.Amounts, "costs": &m.Costs, "totals": &m.Totals,
	}
}

// costSeparator separates the names of columns whose costs are added.
const costSeparator = " + "

// MappingFixed has the values used on every line for columns that the table lacks.
type MappingFixed struct {
	Account  string `json:"account,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Currency string `json:"currency,omitempty"`
}

// Meanings of a word that are not a portfolio.Kind.
const (
	MeaningTrade  = "trade"  // a purchase or sale, by the sign of the quantity or amount
	MeaningCash   = "cash"   // a deposit or withdrawal, by the sign of the amount
	MeaningCharge = "charge" // a fee or fee refund, by the sign of the amount
	MeaningLevy   = "levy"   // a tax or tax refund, by the sign of the amount
	MeaningIgnore = "ignore" // nothing to record
)

// Number conventions.
const (
	NumbersSigned   = "signed"
	NumbersUnsigned = "unsigned"
	CostsPositive   = "positive"
	CostsNegative   = "negative"
	TotalsGross     = "gross"
	TotalsNet       = "net"
)

// mappingMeanings returns the valid values of Kinds: kinds that fit on one line.
func mappingMeanings() []string {
	return []string{
		string(portfolio.KindBuy), string(portfolio.KindSell), string(portfolio.KindDividend), string(portfolio.KindReinvest),
		string(portfolio.KindInterest), string(portfolio.KindFee), string(portfolio.KindTax), string(portfolio.KindInterestDue),
		string(portfolio.KindFeeRefund), string(portfolio.KindTaxRefund),
		string(portfolio.KindDeposit), string(portfolio.KindWithdrawal), string(portfolio.KindTransferIn), string(portfolio.KindTransferOut),
		string(portfolio.KindReturnOfCapital), MeaningTrade, MeaningCash, MeaningCharge, MeaningLevy, MeaningIgnore,
	}
}

// OpenQuestions returns what must be answered before the mapping can be used, each as a sentence
// that names the field and its values.
func (m Mapping) OpenQuestions() []string {
	var open []string
	add := func(missing bool, format string, args ...any) {
		if missing {
			open = append(open, fmt.Sprintf(format, args...))
		}
	}
	c := m.Columns
	add(c.Date == "", "columns.date: the column with the date")
	add(m.Date == "", "date: how dates are written, such as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY")
	add(c.Time != "" && m.Time == "", "time: how times are written, such as HH:mm:ss")
	add(m.Decimal == "", `decimal: the decimal separator, "." or ","`)
	add(c.Kind == "" && m.Fixed.Kind == "", "columns.kind: the column with the transaction type, or fixed.kind if all lines have the same type")
	guessed := m.Decimal != "" // otherwise the other conventions of the numbers are not guessed yet
	add(guessed && c.Quantity != "" && m.Quantities == "", "quantities: %q if sold quantities are negative, %q if all are positive", NumbersSigned, NumbersUnsigned)
	add(guessed && c.Amount != "" && m.Amounts == "", "amounts: %q if payments are negative, %q if all are positive", NumbersSigned, NumbersUnsigned)
	costs := guessed && (c.Fee != "" || c.Tax != "")
	add(costs && m.Costs == "", "costs: %q or %q, the sign of fees and taxes", CostsPositive, CostsNegative)
	add(costs && c.Amount != "" && m.Totals == "", "totals: %q if amounts are before fees and taxes, %q if after", TotalsGross, TotalsNet)
	var words []string
	for _, word := range slices.Sorted(maps.Keys(m.Kinds)) {
		if m.Kinds[word] == "" {
			words = append(words, fmt.Sprintf("%q", Shorten(word)))
		}
	}
	add(len(words) > 0, "kinds: the meaning of %s, each one of %s", strings.Join(words, ", "), strings.Join(mappingMeanings(), ", "))
	return open
}

// Validate returns all errors and open questions of the mapping.
func (m Mapping) Validate() error {
	_, errDate := parseDateLayout(m.Date)
	_, errTime := parseDateLayout(m.Time)
	_, errZone := time.LoadLocation(m.Zone)
	problems := []error{
		checkMappingChoice("separator", m.Separator, ",", ";", "tab", "|"), checkMappingChoice("decimal", m.Decimal, ".", ","),
		checkMappingChoice("quantities", m.Quantities, NumbersSigned, NumbersUnsigned), checkMappingChoice("amounts", m.Amounts, NumbersSigned, NumbersUnsigned),
		checkMappingChoice("costs", m.Costs, CostsPositive, CostsNegative), checkMappingChoice("totals", m.Totals, TotalsGross, TotalsNet),
		checkMappingChoice("fixed.kind", m.Fixed.Kind, mappingMeanings()...), errDate, errTime, errZone,
	}
	for _, word := range slices.Sorted(maps.Keys(m.Kinds)) {
		problems = append(problems, checkMappingChoice("kinds."+Shorten(word), m.Kinds[word], mappingMeanings()...))
	}
	if strings.TrimSpace(m.Name) == "" {
		problems = append(problems, errors.New("name: missing; give a name for the broker"))
	}
	if m.Skip < 0 || m.Skip > 10_000 {
		problems = append(problems, fmt.Errorf("skip is %d: use 0 to 10000 lines above the header", m.Skip))
	}
	if m.Fixed.Currency != "" && !ValidCurrency(m.Fixed.Currency) {
		problems = append(problems, fmt.Errorf("fixed.currency: %q is not a three-letter code in capitals", m.Fixed.Currency))
	}
	for _, doubt := range m.OpenQuestions() {
		problems = append(problems, errors.New("set "+doubt))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("mapping %s: %w", Shorten(m.Name), err)
	}
	return nil
}

// checkMappingChoice checks a value; empty ones are left to OpenQuestions.
func checkMappingChoice(field, value string, among ...string) error {
	if value == "" || slices.Contains(among, value) {
		return nil
	}
	return fmt.Errorf("%s is %q: use one of %s", field, Shorten(value), strings.Join(among, " "))
}

// comma returns the separator as a rune, or 0 for automatic.
func (m Mapping) comma() rune {
	switch m.Separator {
	case "":
		return 0
	case "tab":
		return '\t'
	}
	return rune(m.Separator[0])
}

// nonEmpty returns the columns that the mapping names.
func (c MappingColumns) nonEmpty() []string {
	fields := c.fields()
	var all []string
	names, _ := MappingFields()
	for _, name := range names {
		if column := *fields[name]; column != "" {
			all = append(all, strings.Split(column, costSeparator)...)
		}
	}
	return all
}

// parseDateLayout converts YYYY, MM, DD, MMM (Jan), HH, mm, ss and Z (zone) to a layout of package
// time. Days and months may have one or two digits if a separator follows.
func parseDateLayout(pattern string) (string, error) {
	if len(pattern) > 40 {
		return "", fmt.Errorf("date or time pattern %q is too long", Shorten(pattern))
	}
	month, day := "1", "2"
	for _, joined := range []string{"YYYYMM", "MMDD", "DDMM", "MMYYYY"} {
		if strings.Contains(pattern, joined) {
			month, day = "01", "02"
		}
	}
	var b strings.Builder
	for rest := pattern; rest != ""; {
		token, layout := "", ""
		for _, t := range [][2]string{
			{"YYYY", "2006"}, {"YY", "06"}, {"MMM", "Jan"}, {"MM", month}, {"DD", day}, {"D", "2"}, {"HH", "15"}, {"h", "3"}, {"A", "PM"}, {"mm", "04"}, {"ss", "05"}, {"Z", "Z07:00"}, {"T", "T"},
		} {
			if strings.HasPrefix(rest, t[0]) {
				token, layout = t[0], t[1]
				break
			}
		}
		if token == "" {
			if !strings.ContainsRune(" .-/:,;", rune(rest[0])) {
				return "", fmt.Errorf("date or time pattern %q: use YYYY, MM, DD, HH, mm, ss and separators", Shorten(pattern))
			}
			token, layout = rest[:1], rest[:1]
		}
		b.WriteString(layout)
		rest = rest[len(token):]
	}
	return b.String(), nil
}

// formatDateLayout converts a layout of GuessDayOrder back to a pattern.
func formatDateLayout(layout string) string {
	if layout == "20060102" {
		return "YYYYMMDD"
	}
	return strings.NewReplacer("2006", "YYYY", "06", "YY", "1", "MM", "2", "DD").Replace(layout)
}
