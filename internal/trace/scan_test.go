package trace_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/trace"
)

func TestScan_ReadsValueUnitAndRounding(t *testing.T) {
	for _, row := range []struct {
		text     string
		value    string
		unit     string // of the last digit shown
		kind     trace.UnitKind
		currency string
	}{
		{"98.6%", "98.6", "0.1", trace.UnitPercent, ""},
		{"-3.20 %", "-3.2", "0.01", trace.UnitPercent, ""},
		{"−53.25 %", "-53.25", "0.01", trace.UnitPercent, ""},
		{"(2.8)%", "-2.8", "0.1", trace.UnitPercent, ""},
		{"12‰", "1.2", "0.1", trace.UnitPercent, ""},
		{"5 per cent", "5", "1", trace.UnitPercent, ""},
		{"25 bps", "25", "1", trace.UnitBasisPoints, ""},
		{"25-basis-point", "25", "1", trace.UnitBasisPoints, ""},
		{"1.5 percentage points", "1.5", "0.1", trace.UnitPoints, ""},
		{"0.35个百分点", "0.35", "0.01", trace.UnitPoints, ""},
		{"30.1x", "30.1", "0.1", trace.UnitMultiple, ""},
		{"29倍", "29", "1", trace.UnitMultiple, ""},
		{"10-for-1", "10", "1", trace.UnitRatio, ""},
		{"1:4", "0.25", "0.25", trace.UnitRatio, ""},
		{"1,234.56", "1234.56", "0.01", trace.UnitPlain, ""},
		{"1.234,56", "1234.56", "0.01", trace.UnitPlain, ""},
		{"262'714'000", "262714000", "1", trace.UnitPlain, ""},
		{"9,01,23,456", "90123456", "1", trace.UnitPlain, ""},
		{"31 207 000", "31207000", "1", trace.UnitPlain, ""},
		{"$1.2bn", "1200000000", "100000000", trace.UnitPlain, "$"},
		{"-$5", "-5", "1", trace.UnitPlain, "$"},
		{"$-5", "-5", "1", trace.UnitPlain, "$"},
		{"US$3.2 million", "3200000", "100000", trace.UnitPlain, "USD"},
		{"383.3 bn USD", "383300000000", "100000000", trace.UnitPlain, "USD"},
		{"EUR 12", "12", "1", trace.UnitPlain, "EUR"},
		{"142,18 €", "142.18", "0.01", trace.UnitPlain, "EUR"},
		{"653.4p", "653.4", "0.1", trace.UnitPlain, "GBp"},
		{"₹42,147 crore", "421470000000", "10000000", trace.UnitPlain, "INR"},
		{"161k", "161000", "1000", trace.UnitPlain, ""},
		{"3.2万亿元", "3200000000000", "100000000000", trace.UnitPlain, "CNY"},
		{"1505.6亿元", "150560000000", "10000000", trace.UnitPlain, "CNY"},
		{"２．５％", "2.5", "0.1", trace.UnitPercent, ""},
		{"3成", "30", "10", trace.UnitPercent, ""},
		{"1.9e-7", "0.00000019", "0.00000001", trace.UnitPlain, ""},
		{".25", "0.25", "0.01", trace.UnitPlain, ""},
	} {
		t.Run(row.text, func(t *testing.T) {
			got := trace.ScanNumbers(row.text)
			if len(got) != 1 {
				t.Fatalf("ScanNumbers(%q) = %d numbers, want 1", row.text, len(got))
			}
			n := got[0]
			if n.Class != trace.ClassFigure || n.Text != row.text {
				t.Errorf("ScanNumbers(%q) = %s %q, want all of it as a figure", row.text, n.Class, n.Text)
			}
			if !n.Value.Equal(decimal.RequireFromString(row.value)) || !n.Unit.Equal(decimal.RequireFromString(row.unit)) {
				t.Errorf("ScanNumbers(%q) = %s to the next %s, want %s to the next %s", row.text, n.Value, n.Unit, row.value, row.unit)
			}
			if n.Kind != row.kind || n.Currency != row.currency {
				t.Errorf("ScanNumbers(%q) is of kind %q, currency %q; want %q, %q", row.text, n.Kind, n.Currency, row.kind, row.currency)
			}
		})
	}
}

func TestScan_SaysWhatIsNoFigure(t *testing.T) {
	for _, row := range []struct {
		text  string
		class trace.Class
	}{
		{"2024-03-31", trace.ClassDate}, {"2024-03", trace.ClassDate}, {"31.12.2024", trace.ClassDate}, {"3/31/2024", trace.ClassDate},
		{"April 17, 2020", trace.ClassDate}, {"17 April", trace.ClassDate}, {"3月31日", trace.ClassDate}, {"2024-01-05T16:00:00Z", trace.ClassDate},
		{"16:00", trace.ClassTime}, {"9:30 am", trace.ClassTime}, {"4 pm", trace.ClassTime}, {"15点30分", trace.ClassTime},
		{"since 2008", trace.ClassYear}, {"the 1990s", trace.ClassYear}, {"2024年", trace.ClassYear}, {"'24", trace.ClassYear},
		{"the last 5 years", trace.ClassPeriod}, {"a 30-year bond", trace.ClassPeriod}, {"10y", trace.ClassPeriod}, {"近5年", trace.ClassPeriod},
		{"1. First", trace.ClassPlace}, {"Section 3.2", trace.ClassPlace}, {"#3", trace.ClassPlace}, {"see [2]", trace.ClassPlace}, {"3 reasons", trace.ClassPlace},
		{"x[^1]", trace.ClassPlace}, {"有3个原因", trace.ClassPlace},
		{"## Returns of 10%", trace.ClassHeading}, {"`nfa --limit 100`", trace.ClassCode}, {"```\n1.5\n```", trace.ClassCode},
		{"https://example.com/12", trace.ClassAddress}, {"[a](b/12)", trace.ClassAddress},
		{"S&P 500", trace.ClassName}, {"10-K", trace.ClassName}, {"0700.HK", trace.ClassName}, {"GPT-4", trace.ClassName}, {"Q4", trace.ClassName}, {"IFRS 9", trace.ClassName},
		{"沪深300", trace.ClassName}, {"3.2.1", trace.ClassName}, {"0000320193", trace.ClassName}, {"401(k)", trace.ClassName}, {"a 60/40 portfolio", trace.ClassName},
		{"12th", trace.ClassOrdinal}, {"第2", trace.ClassOrdinal}, {strings.Repeat("9", 40), trace.ClassName},
	} {
		t.Run(row.text, func(t *testing.T) {
			got := trace.ScanNumbers(row.text)
			if len(got) == 0 {
				t.Fatalf("ScanNumbers(%q) found no number", row.text)
			}
			for _, n := range got {
				if n.Class == trace.ClassFigure {
					t.Errorf("ScanNumbers(%q) takes %q for a figure, want %s", row.text, n.Text, row.class)
				}
			}
			if got[0].Class != row.class {
				t.Errorf("ScanNumbers(%q) = %s, want %s", row.text, got[0].Class, row.class)
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
			for _, n := range trace.ScanNumbers(row.text) {
				if n.Class == trace.ClassFigure {
					got = append(got, strings.TrimSpace(n.Value.String()+" "+string(n.Kind)+n.Currency))
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("ScanNumbers(%q) (-want +got):\n%s", row.text, diff)
			}
		})
	}
}

func FuzzScan(f *testing.F) {
	for _, answer := range corpusAnswers(f) {
		f.Add(answer)
	}
	f.Add("٣٫٥ 1e99 99999999999999999999999999999999.9k % ((((-$€5)%")
	f.Add("|\n|-\n|1|(|\n```\n1\n~~~ [^ ](<!-- 1,2,3.4.5/6:7-8 +/-")
	f.Fuzz(func(t *testing.T, text string) {
		end := 0
		for _, n := range trace.ScanNumbers(text) {
			if n.Start < end || n.End <= n.Start || n.End > len(text) {
				t.Fatalf("ScanNumbers(%q): %d to %d after %d of %d bytes", text, n.Start, n.End, end, len(text))
			}
			if n.Text != text[n.Start:n.End] {
				t.Fatalf("ScanNumbers(%q): %q is not what stands at %d", text, n.Text, n.Start)
			}
			if n.Class == trace.ClassFigure && !n.Unit.IsPositive() {
				t.Fatalf("ScanNumbers(%q): %q is shown to the next %s", text, n.Text, n.Unit)
			}
			end = n.End
		}
	})
}

// corpusAnswers returns the answers of the corpus used for matching, without the marks of the expected
// results.
func corpusAnswers(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob("testdata/corpus/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no corpus: %v", err)
	}
	mark := regexp.MustCompile(`\{([^{}]+?)[=!][^{}=!]+\}`)
	var out []string
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			switch head, _, _ := strings.Cut(line, " "); head {
			case "#", "figure", "question", "\n":
			default:
				out = append(out, strings.ReplaceAll(mark.ReplaceAllString(strings.TrimSuffix(line, "\n"), "$1"), `\n`, "\n"))
			}
		}
	}
	return out
}
