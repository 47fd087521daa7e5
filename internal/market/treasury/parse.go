package treasury

import (
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// day is one row of a file.
type day struct {
	date   market.Date
	tenors []market.Tenor
}

// parseYear parses a year's file, oldest day first. It identifies columns by their headers, because
// maturities are added and removed; an empty cell was not published.
func parseYear(body []byte, year int) ([]day, error) {
	rows, err := client.NewCSVReader(body).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, client.Malformedf("no table")
	}
	columns, err := parseHeader(rows[0])
	if err != nil {
		return nil, err
	}
	days := make([]day, 0, len(rows)-1)
	for _, row := range rows[1:] {
		d, err := parseDay(row, columns)
		if err != nil {
			return nil, err
		}
		if d.date.Year() != year {
			return nil, client.Malformedf("the file for %d has a date in %d", year, d.date.Year())
		}
		if len(d.tenors) > 0 {
			days = append(days, d)
		}
	}
	slices.SortFunc(days, func(a, b day) int { return a.date.Compare(b.date) })
	for i := 1; i < len(days); i++ {
		if days[i].date.Equal(days[i-1].date) {
			return nil, client.Malformedf("duplicate rows for %s", days[i].date.Format(time.DateOnly))
		}
	}
	return days, nil
}

// column is a maturity and its position. A column without months is ignored.
type column struct {
	label  string
	months decimal.Decimal
}

func parseHeader(row []string) ([]column, error) {
	if !strings.EqualFold(strings.TrimSpace(row[0]), "date") {
		return nil, client.Malformedf("the first column is %.20q, not the date", row[0])
	}
	columns := make([]column, len(row))
	seen := map[string]bool{}
	for i, text := range row[1:] {
		c, ok := parseMaturity(text)
		if !ok {
			continue // other columns are ignored
		}
		if seen[c.label] {
			return nil, client.Malformedf("duplicate columns for %s", c.label)
		}
		columns[i+1], seen[c.label] = c, true
	}
	if len(seen) == 0 {
		return nil, client.Malformedf("no maturity columns")
	}
	return columns, nil
}

// maxMaturity is the longest plausible maturity of a column, in months: a hundred years.
const maxMaturity = 1200

// parseMaturity parses "1 Mo", "1.5 Month", "10 Yr" and "5 YR".
func parseMaturity(text string) (column, bool) {
	number, unit, ok := strings.Cut(strings.ToUpper(strings.TrimSpace(text)), " ")
	if !ok || len(number) > 4 || strings.ContainsAny(number, "E+-") {
		return column{}, false
	}
	n, err := decimal.NewFromString(number)
	if err != nil || !n.IsPositive() {
		return column{}, false
	}
	switch unit = strings.TrimSpace(unit); {
	case strings.HasPrefix(unit, "MO"):
		return column{n.String() + "M", n}, true
	case strings.HasPrefix(unit, "Y"):
		months := n.Mul(decimal.NewFromInt(12))
		return column{n.String() + "Y", months}, months.LessThanOrEqual(decimal.NewFromInt(maxMaturity))
	}
	return column{}, false
}

func parseDay(row []string, columns []column) (day, error) {
	date, err := time.Parse("01/02/2006", strings.TrimSpace(row[0]))
	if err != nil {
		if date, err = time.Parse(time.DateOnly, strings.TrimSpace(row[0])); err != nil {
			return day{}, client.Malformedf("invalid date %.20q", row[0])
		}
	}
	d := day{date: date}
	for i, c := range columns {
		text := strings.TrimSpace(row[i])
		if c.label == "" || text == "" || strings.EqualFold(text, "n/a") {
			continue
		}
		yield, err := parseYield(text)
		if err != nil {
			return day{}, err
		}
		d.tenors = append(d.tenors, market.Tenor{Label: c.label, Months: c.months, Yield: yield})
	}
	slices.SortFunc(d.tenors, func(a, b market.Tenor) int { return a.Months.Cmp(b.Months) })
	return d, nil
}

// maxAbsYield is a plausibility limit in percent.
const maxAbsYield = 50

// parseYield parses percent per year; real yields and short bills can be negative.
func parseYield(text string) (decimal.Decimal, error) {
	const longest = 12
	yield, ok := client.ParsePlainDecimal(text, longest)
	if !ok || yield.Abs().GreaterThan(decimal.NewFromInt(maxAbsYield)) {
		return decimal.Decimal{}, client.Malformedf("invalid yield %.20q", text)
	}
	return yield, nil
}
