package figures_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/figures"
)

func TestScan_ReadsValueUnitAndRounding(t *testing.T) {
	for _, row := range []struct {
		text     string
		value    string
		unit     string // of the last digit shown
		kind     figures.Kind
		currency string
	}{
		{"98.6%", "98.6", "0.1", figures.Percent, ""},
		{"-3.20 %", "-3.2", "0.01", figures.Percent, ""},
		{"−53.25 %", "-53.25", "0.01", figures.Percent, ""},
		{"(2.8)%", "2.8", "0.1", figures.Percent, ""},
		{"12‰", "1.2", "0.1", figures.Percent, ""},
		{"5 per cent", "5", "1", figures.Percent, ""},
		{"25 bps", "25", "1", figures.Basis, ""},
		{"25-basis-point", "25", "1", figures.Basis, ""},
		{"1.5 percentage points", "1.5", "0.1", figures.Points, ""},
		{"0.35个百分点", "0.35", "0.01", figures.Points, ""},
		{"30.1x", "30.1", "0.1", figures.Multiple, ""},
		{"29倍", "29", "1", figures.Multiple, ""},
		{"10-for-1", "10", "1", figures.Ratio, ""},
		{"1:4", "0.25", "0.25", figures.Ratio, ""},
		{"1,234.56", "1234.56", "0.01", figures.Plain, ""},
		{"1.234,56", "1234.56", "0.01", figures.Plain, ""},
		{"262'714'000", "262714000", "1", figures.Plain, ""},
		{"9,01,23,456", "90123456", "1", figures.Plain, ""},
		{"31 207 000", "31207000", "1", figures.Plain, ""},
		{"$1.2bn", "1200000000", "100000000", figures.Plain, "$"},
		{"-$5", "-5", "1", figures.Plain, "$"},
		{"$-5", "-5", "1", figures.Plain, "$"},
		{"US$3.2 million", "3200000", "100000", figures.Plain, "USD"},
		{"383.3 bn USD", "383300000000", "100000000", figures.Plain, "USD"},
		{"EUR 12", "12", "1", figures.Plain, "EUR"},
		{"142,18 €", "142.18", "0.01", figures.Plain, "EUR"},
		{"653.4p", "653.4", "0.1", figures.Plain, "GBp"},
		{"₹42,147 crore", "421470000000", "10000000", figures.Plain, "INR"},
		{"161k", "161000", "1000", figures.Plain, ""},
		{"3.2万亿元", "3200000000000", "100000000000", figures.Plain, "CNY"},
		{"1505.6亿元", "150560000000", "10000000", figures.Plain, "CNY"},
		{"２．５％", "2.5", "0.1", figures.Percent, ""},
		{"百分之十二点五", "12.5", "0.1", figures.Percent, ""},
		{"三成", "30", "10", figures.Percent, ""},
		{"两万亿", "2000000000000", "1000000000000", figures.Plain, ""},
		{"1.5e6", "1500000", "100000", figures.Plain, ""},
		{".25", "0.25", "0.01", figures.Plain, ""},
	} {
		t.Run(row.text, func(t *testing.T) {
			got := figures.Scan(row.text)
			if len(got) != 1 {
				t.Fatalf("Scan(%q) = %d numbers, want 1", row.text, len(got))
			}
			n := got[0]
			if n.Class != figures.Figure || n.Text != row.text {
				t.Errorf("Scan(%q) = %s %q, want all of it as a figure", row.text, n.Class, n.Text)
			}
			if !n.Value.Equal(decimal.RequireFromString(row.value)) || !n.Unit.Equal(decimal.RequireFromString(row.unit)) {
				t.Errorf("Scan(%q) = %s to the next %s, want %s to the next %s", row.text, n.Value, n.Unit, row.value, row.unit)
			}
			if n.Kind != row.kind || n.Currency != row.currency {
				t.Errorf("Scan(%q) is of kind %q, currency %q; want %q, %q", row.text, n.Kind, n.Currency, row.kind, row.currency)
			}
		})
	}
}

func TestScan_SaysWhatIsNoFigure(t *testing.T) {
	for _, row := range []struct {
		text  string
		class figures.Class
	}{
		{"2024-03-31", figures.Date}, {"2024-03", figures.Date}, {"31.12.2024", figures.Date}, {"3/31/2024", figures.Date},
		{"April 17, 2020", figures.Date}, {"17 April", figures.Date}, {"3月31日", figures.Date}, {"2024-01-05T16:00:00Z", figures.Date},
		{"16:00", figures.Time}, {"9:30 am", figures.Time}, {"4 pm", figures.Time}, {"15点30分", figures.Time},
		{"since 2008", figures.Year}, {"the 1990s", figures.Year}, {"2024年", figures.Year}, {"'24", figures.Year},
		{"the last 5 years", figures.Period}, {"a 30-year bond", figures.Period}, {"10y", figures.Period}, {"近5年", figures.Period},
		{"1. First", figures.Place}, {"Section 3.2", figures.Place}, {"#3", figures.Place}, {"see [2]", figures.Place}, {"3 reasons", figures.Place},
		{"x[^1]", figures.Place}, {"有3个原因", figures.Place},
		{"## Returns of 10%", figures.Heading}, {"`nfa --limit 100`", figures.Code}, {"```\n1.5\n```", figures.Code},
		{"https://example.com/12", figures.Address}, {"[a](b/12)", figures.Address},
		{"S&P 500", figures.Name}, {"10-K", figures.Name}, {"0700.HK", figures.Name}, {"GPT-4", figures.Name}, {"Q4", figures.Name}, {"IFRS 9", figures.Name},
		{"沪深300", figures.Name}, {"3.2.1", figures.Name}, {"0000320193", figures.Name}, {"401(k)", figures.Name}, {"a 60/40 portfolio", figures.Name},
		{"12th", figures.Ordinal}, {"第2", figures.Ordinal}, {strings.Repeat("9", 40), figures.Name},
	} {
		t.Run(row.text, func(t *testing.T) {
			got := figures.Scan(row.text)
			if len(got) == 0 {
				t.Fatalf("Scan(%q) found no number", row.text)
			}
			for _, n := range got {
				if n.Class == figures.Figure {
					t.Errorf("Scan(%q) takes %q for a figure, want %s", row.text, n.Text, row.class)
				}
			}
			if got[0].Class != row.class {
				t.Errorf("Scan(%q) = %s, want %s", row.text, got[0].Class, row.class)
			}
		})
	}
}

func TestScan_LendsUnitsWithinRangesAndTables(t *testing.T) {
	for _, row := range []struct {
		name, text string
		want       []string
	}{
		{"the unit of the end", "3-5%", []string{"3 %", "5 %"}},
		{"the scale of the end", "$3 to 5 bn", []string{"3000000000 $", "5000000000 $"}},
		{"Chinese", "3至5亿元", []string{"300000000 CNY", "500000000 CNY"}},
		{"a column in per cent", "| a | Return (%) |\n|---|---|\n| x | 5.7 |", []string{"5.7 %"}},
		{"a column in millions", "| a | USD million |\n|---|---|\n| x | 29,965 |", []string{"29965000000 USD"}},
		{"a column in 亿元", "| a | 营收（亿元） |\n|---|---|\n| x | 12.5 |", []string{"1250000000 CNY"}},
		{"a cell with a unit of its own", "| a | USD million |\n|---|---|\n| x | 5% |", []string{"5 %"}},
		{"no range", "3 to begin with, 5% later", []string{"3", "5 %"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []string
			for _, n := range figures.Scan(row.text) {
				if n.Class == figures.Figure {
					got = append(got, strings.TrimSpace(n.Value.String()+" "+string(n.Kind)+n.Currency))
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("Scan(%q) (-want +got):\n%s", row.text, diff)
			}
		})
	}
}

func FuzzScan(f *testing.F) {
	for _, c := range readCorpus(f) {
		for _, a := range c.answers {
			f.Add(a.text)
		}
	}
	f.Add("٣٫٥ 1e99 99999999999999999999999999999999.9k % ((((-$€5)%")
	f.Add("|\n|-\n|1|(|\n```\n1\n~~~ [^ ](<!-- 1,2,3.4.5/6:7-8 百分之 百分之零点 三十十十十十十十十 +/-")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, n := range figures.Scan(text) {
			if n.Start < end || n.End <= n.Start || n.End > len(text) {
				t.Fatalf("Scan(%q): %d to %d after %d of %d bytes", text, n.Start, n.End, end, len(text))
			}
			if n.Text != text[n.Start:n.End] {
				t.Fatalf("Scan(%q): %q is not what stands at %d", text, n.Text, n.Start)
			}
			if n.Class == figures.Figure && !n.Unit.IsPositive() {
				t.Fatalf("Scan(%q): %q is shown to the next %s", text, n.Text, n.Unit)
			}
			end = n.End
		}
	})
}
