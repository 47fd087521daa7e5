package importer_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

func TestParseNumber_ReadsWhatBrokersWrite(t *testing.T) {
	for _, c := range []struct {
		text string
		sign importer.DecimalSeparator
		want string
	}{
		{"0", importer.DecimalPoint, "0"}, {"1259.59", importer.DecimalPoint, "1259.59"}, {"1,259.59", importer.DecimalPoint, "1259.59"}, {"1,234,567", importer.DecimalPoint, "1234567"},
		{"1.259,59", importer.DecimalComma, "1259.59"}, {"1.234", importer.DecimalComma, "1234"}, {"1.234", importer.DecimalPoint, "1.234"}, {"0,5", importer.DecimalComma, "0.5"},
		{".5", importer.DecimalPoint, "0.5"}, {"1 234,5", importer.DecimalComma, "1234.5"}, {"1\u00a0234,5", importer.DecimalComma, "1234.5"}, {"1\u2009234\u2009567", importer.DecimalComma, "1234567"},
		{"1\u202f234", importer.DecimalComma, "1234"}, {"1'234.50", importer.DecimalPoint, "1234.5"}, {"1’234.50", importer.DecimalPoint, "1234.5"},
		{"-5", importer.DecimalPoint, "-5"}, {"- 5", importer.DecimalPoint, "-5"}, {"5-", importer.DecimalPoint, "-5"}, {"\u22125", importer.DecimalPoint, "-5"}, {"5\u2212", importer.DecimalPoint, "-5"},
		{"(1.00)", importer.DecimalPoint, "-1"}, {"+5", importer.DecimalPoint, "5"}, {" 5\u00a0", importer.DecimalPoint, "5"},
		{"3.7835729E-05", importer.DecimalPoint, "0.000037835729"}, {"1e3", importer.DecimalPoint, "1000"}, {"1,5e+2", importer.DecimalComma, "150"},
	} {
		got, err := importer.ParseNumber(c.text, c.sign)
		if err != nil || !got.Equal(decimal.RequireFromString(c.want)) {
			t.Errorf("Number(%q, %q) = %s, %v; want %s", c.text, c.sign, got, err, c.want)
		}
	}
}

func TestParseNumber_RepairsNothing(t *testing.T) {
	for _, text := range []string{
		"", " ", "-", "()", "n/a", "1,23.4", "1,2345", "12,34,567", "1,234 567", "0,123", "1234,567", ",5", "1..2", "1.2.3", "1.", "--5", "-5-", "(-5)", "(5", "5)",
		"+-5", "1 2", "1,234.567,8", "0x10", "1e", "1e+-3", "1e999", "1E5E5", "٣", "1_000", "NaN", "Inf", "5%", strings.Repeat("1", 41), strings.Repeat("1", 10_000),
	} {
		if got, err := importer.ParseNumber(text, importer.DecimalPoint); !errors.Is(err, importer.ErrNumber) {
			t.Errorf("Number(%.40q) = %s, %v; want ErrNumber", text, got, err)
		}
	}
	if _, err := importer.ParseNumber("1", 'x'); err == nil {
		t.Error("a decimal sign of x is accepted")
	}
}

func TestParseMoney_NamesOnlyCurrenciesThatAreCertain(t *testing.T) {
	for _, c := range []struct {
		text           string
		sign           importer.DecimalSeparator
		want, currency string
	}{
		{"$1,259.59", importer.DecimalPoint, "1259.59", ""}, {"-$694.48", importer.DecimalPoint, "-694.48", ""}, {"$-694.48", importer.DecimalPoint, "-694.48", ""}, {"($1.00)", importer.DecimalPoint, "-1", ""},
		{"€0.13", importer.DecimalPoint, "0.13", "EUR"}, {"1.234,50 €", importer.DecimalComma, "1234.5", "EUR"}, {"1.234,50 EUR", importer.DecimalComma, "1234.5", "EUR"}, {"£5", importer.DecimalPoint, "5", "GBP"},
		{"CHF 5", importer.DecimalPoint, "5", "CHF"}, {"CHF-5", importer.DecimalPoint, "-5", "CHF"}, {"USD5", importer.DecimalPoint, "5", "USD"}, {"5 GBX", importer.DecimalPoint, "5", "GBX"}, {"12 GBp", importer.DecimalPoint, "12", "GBp"},
		{"¥500", importer.DecimalPoint, "500", ""}, {"500 kr", importer.DecimalPoint, "500", ""}, {"US$ 5", importer.DecimalPoint, "5", "USD"}, {"12,50 zł", importer.DecimalComma, "12.5", "PLN"}, {"7.5", importer.DecimalPoint, "7.5", ""}, {"5- EUR", importer.DecimalPoint, "-5", "EUR"},
	} {
		got, currency, err := importer.ParseMoney(c.text, c.sign)
		if err != nil || !got.Equal(decimal.RequireFromString(c.want)) || currency != c.currency {
			t.Errorf("Money(%q) = %s %q, %v; want %s %q", c.text, got, currency, err, c.want, c.currency)
		}
	}
	for _, text := range []string{"", "$", "EUR", "EUR USD 5", "$5 USD", "-$-5", "(-$5)", "-EUR -0", "EURO 5", "5 apples", "usd 5"} {
		if got, currency, err := importer.ParseMoney(text, importer.DecimalPoint); err == nil {
			t.Errorf("Money(%q) = %s %q, want an error", text, got, currency)
		}
	}
}

func TestGuessSign_OnlyWhereACellProvesIt(t *testing.T) {
	for _, c := range []struct {
		name  string
		cells []string
		want  importer.DecimalSeparator
		sure  bool
	}{
		{"cents", []string{"1.50", "1,234"}, importer.DecimalPoint, true},
		{"comma cents", []string{"1,50", "1.234"}, importer.DecimalComma, true},
		{"both in one", []string{"1.234,5"}, importer.DecimalComma, true},
		{"many digits before", []string{"1234.567"}, importer.DecimalPoint, true},
		{"two groups", []string{"1.234.567"}, importer.DecimalComma, true},
		{"with a currency", []string{"$1.50"}, importer.DecimalPoint, true},
		{"thousands or thousandths", []string{"1.234", "5"}, 0, false},
		{"whole", []string{"1", "200"}, 0, false},
		{"they contradict", []string{"1.50", "1,50"}, 0, false},
		{"no numbers", []string{"a", ""}, 0, false},
		{"none", nil, 0, false},
	} {
		if got, sure := importer.GuessDecimalSeparator(c.cells); got != c.want || sure != c.sure {
			t.Errorf("%s: GuessSign = %q, %v; want %q, %v", c.name, got, sure, c.want, c.sure)
		}
	}
}

func TestDay_TheLayoutIsTheCallers(t *testing.T) {
	want := time.Date(2024, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		text    string
		layouts []string
	}{
		{"2024-02-01", []string{"2006-01-02"}}, {" 01/02/2024 ", []string{"02/01/2006"}}, {"1.2.2024", []string{"2.1.2006"}},
		{"20240201;093000", []string{"20060102", "20060102;150405"}}, {"02/01/2024", []string{"01/02/2006"}},
	} {
		if got, err := importer.ParseDay(c.text, c.layouts...); err != nil || !got.Equal(want) {
			t.Errorf("Day(%q, %q) = %v, %v; want %v", c.text, c.layouts, got, err, want)
		}
	}
	for _, text := range []string{"", "2024-02-30", "2024-02-01x", "0024-02-01", "01/02/2024"} {
		if got, err := importer.ParseDay(text, "2006-01-02", "02/01/2006", "01/02/2006"); !errors.Is(err, importer.ErrDay) {
			t.Errorf("Day(%q) = %v, %v; want ErrDay", text, got, err)
		}
	}
}

func TestMoment_AZoneInTheTextHolds(t *testing.T) {
	east := time.FixedZone("east", 2*60*60)
	for _, c := range []struct{ text, layout, want string }{
		{"2024-01-05 23:30", "2006-01-02 15:04", "2024-01-05T23:30:00+02:00"},
		{"2024-01-05T23:30:00Z", time.RFC3339, "2024-01-06T01:30:00+02:00"},
	} {
		got, err := importer.ParseTime(c.text, east, c.layout)
		if err != nil || got.Format(time.RFC3339) != c.want {
			t.Errorf("Moment(%q) = %s, %v; want %s", c.text, got.Format(time.RFC3339), err, c.want)
		}
	}
}

func TestMoment_AZoneOfLettersIsKnownOrRefused(t *testing.T) {
	const layout = "2006-01-02 15:04:05 MST"
	eastern := time.FixedZone("EST", -5*60*60)
	for _, c := range []struct {
		text string
		zone *time.Location
		want string
	}{
		{"2024-01-05 23:30:00 UTC", eastern, "2024-01-05T18:30:00-05:00"},
		{"2024-01-05 23:30:00 GMT", eastern, "2024-01-05T18:30:00-05:00"},
		{"2024-01-05 23:30:00 UTC", nil, "2024-01-05T23:30:00Z"},
		{"2024-01-05 23:30:00 PST", eastern, ""},
		{"2024-01-05 23:30:00 EST", nil, ""},
	} {
		got, err := importer.ParseTime(c.text, c.zone, layout)
		if (err == nil) != (c.want != "") || err == nil && got.Format(time.RFC3339) != c.want {
			t.Errorf("Moment(%q, %v) = %s, %v; want %q", c.text, c.zone, got.Format(time.RFC3339), err, c.want)
		}
	}
}

func TestGuessDayOrder_OnlyWhereACellProvesIt(t *testing.T) {
	for _, c := range []struct {
		cells  []string
		layout string
		sure   bool
	}{
		{[]string{"01/02/2024", "31/01/2024"}, "2/1/2006", true},
		{[]string{"01/31/2024", "01/02/2024"}, "1/2/2006", true},
		{[]string{"01.02.2024 09:30:00", "13.02.2024"}, "2.1.2006", true},
		{[]string{"2024-01-02"}, "2006-1-2", true},
		{[]string{"2024-01-02T10:00:00Z"}, "2006-1-2", true},
		{[]string{"20240102"}, "20060102", true},
		{[]string{"01/02/2024", "03/04/2024"}, "", false},
		{[]string{"31/01/2024", "01/31/2024"}, "", false},
		{[]string{"31/01/2024", "31.01.2024"}, "", false},
		{[]string{"31/01/24"}, "", false},
		{[]string{"31/31/2024"}, "", false},
		{[]string{"20241302"}, "", false},
		{[]string{"2024-01-02", "soon"}, "", false},
		{[]string{""}, "", false},
	} {
		if layout, sure := importer.GuessDayOrder(c.cells); layout != c.layout || sure != c.sure {
			t.Errorf("GuessDayOrder(%q) = %q, %v; want %q, %v", c.cells, layout, sure, c.layout, c.sure)
		}
	}
}

// A parsed number has the digits of the text and no others.
func FuzzParseNumber(f *testing.F) {
	for _, text := range []string{"1,234.56", "(1.00)", "1.5e-7", "1 234", "−5", "5-"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, sign := range []importer.DecimalSeparator{importer.DecimalPoint, importer.DecimalComma} {
			d, err := importer.ParseNumber(text, sign)
			if err != nil || strings.ContainsAny(text, "eE") {
				continue
			}
			if got, want := onlyDigits(d.Abs().String()), onlyDigits(text); strings.Trim(got, "0") != strings.Trim(want, "0") {
				t.Errorf("Number(%q, %q) = %s", text, sign, d)
			}
			m, currency, err := importer.ParseMoney(text, sign)
			if err != nil || currency != "" || !m.Equal(d) {
				t.Errorf("Money(%q) = %s %q, %v; Number reads %s", text, m, currency, err, d)
			}
		}
	})
}

func FuzzParseMoney(f *testing.F) {
	for _, text := range []string{"$1,234.56", "-€5", "CHF 5", "5 kr", "(US$ 1)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, currency, err := importer.ParseMoney(text, importer.DecimalPoint)
		if err != nil {
			return
		}
		if len(currency) != 0 && len(currency) != 3 || d.Exponent() > 99 || d.NumDigits() > 40 {
			t.Errorf("Money(%q) = %s %q", text, d, currency)
		}
	})
}

func FuzzDay(f *testing.F) {
	f.Add("2024-01-02")
	f.Add("31/12/2024")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := importer.ParseDay(text, "2006-01-02", "2/1/2006")
		if err == nil && (d.Year() < 1900 || d.Year() > 2200 || d.Unix()%86400 != 0) {
			t.Errorf("Day(%q) = %v", text, d)
		}
		if layout, sure := importer.GuessDayOrder([]string{text}); sure && !strings.Contains(layout, "2006") {
			t.Errorf("GuessDayOrder(%q) = %q", text, layout)
		}
	})
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

// A text is read with the separator that makes it a number; if both do and the results differ, the
// separator of the file decides, or it is an error.
func TestEither_TheFileDecidesWhereATextIsTwoNumbers(t *testing.T) {
	for _, c := range []struct {
		text                  string
		point, comma, unknown string // by the separator of the file; empty if not a number
	}{
		{"1.50", "1.5", "1.5", "1.5"},
		{"1,50", "1.5", "1.5", "1.5"},
		{"-1,234.5", "-1234.5", "-1234.5", "-1234.5"},
		{"1.234,5", "1234.5", "1234.5", "1234.5"},
		{"7", "7", "7", "7"},
		{"1,234", "1234", "1.234", ""},
		{"1.234", "1.234", "1234", ""},
		{"0.000", "0", "0", "0"},
		{"five", "", "", ""},
		{"", "", "", ""},
	} {
		for sign, want := range map[importer.DecimalSeparator]string{importer.DecimalPoint: c.point, importer.DecimalComma: c.comma, 0: c.unknown} {
			got, err := importer.ParseEitherNumber(c.text, sign)
			if want == "" && !errors.Is(err, importer.ErrNumber) || want != "" && (err != nil || !got.Equal(decimal.RequireFromString(want))) {
				t.Errorf("Either(%q, %q) = %s, %v; want %q", c.text, sign, got, err, want)
			}
		}
	}
	if got := importer.NumberReadings("1.234", 0); len(got) != 2 || got[0].String() != "1.234" || got[1].String() != "1234" {
		t.Errorf("Readings(1.234) = %v, want both", got)
	}
	if _, err := importer.ParseEitherNumber("1.234", 0); err == nil || !strings.Contains(err.Error(), "1.234 or 1234") {
		t.Errorf("Either(1.234) = %v, want an error that names both", err)
	}
}

func TestCheckDayOrder_ADayAboveTwelveShowsTheOrder(t *testing.T) {
	for _, c := range []struct {
		layout, cell string
		want         bool
	}{
		{"01/02/2006", "13/04/2024 10:00", true}, {"01/02/2006", "04/13/2024", false}, {"01/02/2006", "05/04/2024", false},
		{"02/01/2006", "04/13/2024", true}, {"02/01/2006", "13/04/2024", false}, {"02/01/2006", "13/13/2024", false},
		{"02.01.2006 15:04", "04.13.2024", true}, {"2/1/2006 15:04", "4/13/2024 10:00", true}, {"1.2.2006", "13.4.2024", true},
		{"02-01-2006", "04/13/2024", false}, {"02-01-2006", "2024-13-04", false}, {"02-01-2006", "total", false}, {"02-01-2006", "", false},
		{"2006-01-02", "13-04-2024", false}, {"20060102", "13/04/2024", false}, {"", "13/04/2024", false},
	} {
		rows := []importer.Row{{Line: 2, Cells: []string{c.cell}}}
		err := importer.CheckDayOrder(importer.File{}, rows, func(r importer.Row) string { return r.At(0) }, c.layout)
		if (err != nil) != c.want {
			t.Errorf("CheckDayOrder(%q, %s) = %v, want an error: %v", c.cell, c.layout, err, c.want)
		}
	}
}
