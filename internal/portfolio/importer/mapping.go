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

// Mapping is how a table is read.
type Mapping struct {
	Name      string         `json:"name"`                // of the broker: the Source of what is read
	Separator string         `json:"separator,omitempty"` // ",", ";", "tab" or "|"; empty is found in each file
	Skip      int            `json:"skip,omitempty"`      // lines above the header
	Decimal   string         `json:"decimal"`             // "." or ","
	Date      string         `json:"date"`                // "DD.MM.YYYY", also with a time: "YYYY-MM-DD HH:mm:ss"
	Time      string         `json:"time,omitempty"`      // of the time column: "HH:mm:ss"
	Zone      string         `json:"zone,omitempty"`      // in which the times are written: "Europe/Berlin"; empty is the account's
	Columns   MappingColumns `json:"columns"`
	Fixed     MappingFixed   `json:"fixed,omitzero"`
	// Kinds maps the file's words to a portfolio.Kind, or to MeaningTrade, MeaningCash,
	// MeaningCharge, MeaningLevy or MeaningIgnore. Words are compared without case. The amount
	// of a transfer in is the cost of the shares; without one their cost is unknown.
	Kinds map[string]string `json:"kinds,omitempty"`
	// Quantities and Amounts are NumbersSigned if the sign distinguishes what came from what
	// went, and NumbersUnsigned if all are above zero.
	Quantities string `json:"quantities,omitempty"`
	Amounts    string `json:"amounts,omitempty"`
	// Costs is CostsPositive or CostsNegative: how the file writes a fee or tax that was paid.
	Costs string `json:"costs,omitempty"`
	// Totals is TotalsGross if amounts are before fee and tax, and TotalsNet if after.
	Totals string `json:"totals,omitempty"`
}

// MappingColumns are the names of columns, as they stand in the header; empty for those
// that the file has not.
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
	Currency    string `json:"currency,omitempty"`
	Fee         string `json:"fee,omitempty"`
	FeeCurrency string `json:"fee_currency,omitempty"`
	Tax         string `json:"tax,omitempty"`
	Note        string `json:"note,omitempty"`
	ID          string `json:"id,omitempty"`
	Account     string `json:"account,omitempty"`
}

// MappingFixed are values that hold for every line, where no column says otherwise.
type MappingFixed struct {
	Account  string `json:"account,omitempty"`
	Kind     string `json:"kind,omitempty"`
	Currency string `json:"currency,omitempty"`
}

// Meanings of a word that are not a portfolio.Kind.
const (
	MeaningTrade  = "trade"  // a purchase or sale, by the sign of the quantity, or else of the amount
	MeaningCash   = "cash"   // a deposit or withdrawal, by the sign of the amount
	MeaningCharge = "charge" // a fee or one given back, by the sign of the amount
	MeaningLevy   = "levy"   // a tax or one given back, by the sign of the amount
	MeaningIgnore = "ignore" // nothing to record
)

// Conventions of how numbers are written.
const (
	NumbersSigned   = "signed"
	NumbersUnsigned = "unsigned"
	CostsPositive   = "positive"
	CostsNegative   = "negative"
	TotalsGross     = "gross"
	TotalsNet       = "net"
)

// mappingMeanings are the words that Kinds may lead to: kinds that one line can hold.
func mappingMeanings() []string {
	return []string{
		string(portfolio.KindBuy), string(portfolio.KindSell), string(portfolio.KindDividend), string(portfolio.KindReinvest),
		string(portfolio.KindInterest), string(portfolio.KindFee), string(portfolio.KindTax), string(portfolio.KindInterestDue),
		string(portfolio.KindFeeRefund), string(portfolio.KindTaxRefund),
		string(portfolio.KindDeposit), string(portfolio.KindWithdrawal), string(portfolio.KindTransferIn), string(portfolio.KindTransferOut),
		string(portfolio.KindReturnOfCapital), MeaningTrade, MeaningCash, MeaningCharge, MeaningLevy, MeaningIgnore,
	}
}

// OpenQuestions are what has to be settled before the mapping can be used, each in a
// sentence that says which field to set and to what.
func (m Mapping) OpenQuestions() []string {
	var open []string
	add := func(missing bool, format string, args ...any) {
		if missing {
			open = append(open, fmt.Sprintf(format, args...))
		}
	}
	c := m.Columns
	add(c.Date == "", "columns.date: which column has the date")
	add(m.Date == "", "date: how dates are written, such as YYYY-MM-DD, DD.MM.YYYY or MM/DD/YYYY")
	add(c.Time != "" && m.Time == "", "time: how times are written, such as HH:mm:ss")
	add(m.Decimal == "", `decimal: whether "." or "," stands before the fraction of a number`)
	add(c.Kind == "" && m.Fixed.Kind == "", "columns.kind: which column says what happened, or fixed.kind for a file of one kind alone")
	add(c.Quantity != "" && m.Quantities == "", "quantities: %q if those that were sold are below zero, %q if all are above", NumbersSigned, NumbersUnsigned)
	add(c.Amount != "" && m.Amounts == "", "amounts: %q if what was paid is below zero, %q if all are above", NumbersSigned, NumbersUnsigned)
	costs := c.Fee != "" || c.Tax != ""
	add(costs && m.Costs == "", "costs: %q or %q, as fees and taxes are written", CostsPositive, CostsNegative)
	add(costs && c.Amount != "" && m.Totals == "", "totals: %q if amounts are before fees and taxes, %q if after", TotalsGross, TotalsNet)
	kinds := slices.Sorted(maps.Keys(m.Kinds))
	for _, word := range kinds {
		add(m.Kinds[word] == "", "kinds: what %q means, one of %s", Shorten(word), strings.Join(mappingMeanings(), ", "))
	}
	return open
}

// Validate says everything that is wrong with the mapping, and what is still open.
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
		problems = append(problems, errors.New("name: how the broker is to be called"))
	}
	if m.Skip < 0 || m.Skip > 10_000 {
		problems = append(problems, fmt.Errorf("skip is %d: lines above the header, at most 10000", m.Skip))
	}
	if m.Fixed.Currency != "" && !ValidCurrency(m.Fixed.Currency) {
		problems = append(problems, fmt.Errorf("fixed.currency: %q is not a code of three capital letters", m.Fixed.Currency))
	}
	for _, doubt := range m.OpenQuestions() {
		problems = append(problems, errors.New("to be settled: "+doubt))
	}
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("mapping %s: %w", Shorten(m.Name), err)
	}
	return nil
}

// checkMappingChoice leaves an empty value to the doubts.
func checkMappingChoice(field, value string, among ...string) error {
	if value == "" || slices.Contains(among, value) {
		return nil
	}
	return fmt.Errorf("%s is %q, and has to be one of %s", field, Shorten(value), strings.Join(among, " "))
}

// comma is the separator as a rune; 0 has it found.
func (m Mapping) comma() rune {
	switch m.Separator {
	case "":
		return 0
	case "tab":
		return '\t'
	}
	return rune(m.Separator[0])
}

// nonEmpty are the columns that the mapping names.
func (c MappingColumns) nonEmpty() []string {
	all := []string{
		c.Date, c.Time, c.Kind, c.Symbol, c.ISIN, c.Name, c.Quantity, c.Price, c.Amount, c.Currency, c.Fee, c.FeeCurrency, c.Tax, c.Note, c.ID, c.Account,
	}
	return slices.DeleteFunc(all, func(column string) bool { return column == "" })
}

// parseDateLayout makes a layout of package time of the words that people know: YYYY, MM,
// DD, MMM for Jan, HH, mm, ss, and Z for a zone. Days and months may have one digit
// or two where something stands between them.
func parseDateLayout(pattern string) (string, error) {
	if len(pattern) > 40 {
		return "", fmt.Errorf("date and time: %q is too long", Shorten(pattern))
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
			{"YYYY", "2006"}, {"MMM", "Jan"}, {"MM", month}, {"DD", day}, {"HH", "15"}, {"mm", "04"}, {"ss", "05"}, {"Z", "Z07:00"}, {"T", "T"},
		} {
			if strings.HasPrefix(rest, t[0]) {
				token, layout = t[0], t[1]
				break
			}
		}
		if token == "" {
			if !strings.ContainsRune(" .-/:,;", rune(rest[0])) {
				return "", fmt.Errorf("date and time: %q is not made of YYYY, MM, DD, HH, mm, ss and the marks between them", Shorten(pattern))
			}
			token, layout = rest[:1], rest[:1]
		}
		b.WriteString(layout)
		rest = rest[len(token):]
	}
	return b.String(), nil
}

// formatDateLayout is a layout of GuessDayOrder in the words that people know.
func formatDateLayout(layout string) string {
	if layout == "20060102" {
		return "YYYYMMDD"
	}
	return strings.NewReplacer("2006", "YYYY", "1", "MM", "2", "DD").Replace(layout)
}
