package planning_test

import (
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func evaluate(t *testing.T, expression string) (result string, exact bool) {
	t.Helper()
	res := toolstest.Call(t, planning.CalculatorTools(), "calculate", toolstest.Args{"expression": expression})
	if res.IsError {
		t.Fatalf("calculate %s = error: %s", expression, res.ErrorText())
	}
	v := toolstest.DecodeResult(t, res)
	return v["result"].(string), v["exact"].(bool)
}

func TestCalculate_IsExactWhereArithmeticIs(t *testing.T) {
	tests := []struct{ expression, want string }{
		{"0.1 + 0.2", "0.3"},
		{"0.1 + 0.2 - 0.3", "0"},
		{"1e30 + 1", "1000000000000000000000000000001"},
		{"1234567890123456789 * 10 + 1", "12345678901234567891"},
		{"9007199254740993", "9007199254740993"}, // 2^53 + 1
		{"-9007199254740993", "-9007199254740993"},
		{"1.000000000000000000000000000001 - 1", "0.000000000000000000000000000001"},
		{"1/4", "0.25"},
		{"100 / 8 * 3", "37.5"},
		{"2^10", "1024"},
		{"2^-2", "0.25"},
		{"2^100", "1267650600228229401496703205376"},
		{"1.07^10", "1.96715135728956532249"},
		{"(-1)^999999999999", "-1"},
		{"10^999", "1" + strings.Repeat("0", 999)},
		{".5 + 5.", "5.5"},
		{"1.5e3", "1500"},
		{"sqrt(144)", "12"},
		{"sqrt(0.0625)", "0.25"},
		{"0.25^0.5", "0.5"},
		{"log10(1000)", "3"},
		{"exp(0) + ln(1)", "1"},
		{"sum(0.1, 0.2, 0.3)", "0.6"},
		{"avg(1, 2, 4, 5)", "3"},
		{"MAX(3, -7, 2) - min(3, -7, 2)", "10"},
		{"abs(-2.50)", "2.5"},
		{"floor(-2.5)", "-3"},
		{"ceil(-2.5)", "-2"},
		{"round(2.5)", "3"},
		{"round(-2.5)", "-3"},
		{"round(2.675, 2)", "2.68"},
		{"round(1234, -2)", "1200"},
		{"pow(2, 0.5) - sqrt(2)", "0"},
		{"pct_change(80, 100)", "0.25"},
		{"pct_change(150,180)", "0.2"}, // two arguments, read in either way
		{"mod(7, 3)", "1"},
	}
	for _, tt := range tests {
		t.Run(tt.expression, func(t *testing.T) {
			got, exact := evaluate(t, tt.expression)
			if got != tt.want {
				t.Errorf("calculate %s = %s, want %s", tt.expression, got, tt.want)
			}
			if want := !strings.Contains(tt.expression, "sqrt(2)"); exact != want {
				t.Errorf("calculate %s: exact = %v, want %v", tt.expression, exact, want)
			}
		})
	}
}

func TestCalculate_BindsAsDocumented(t *testing.T) {
	tests := []struct{ expression, want string }{
		{"-2^2", "-4"},
		{"(-2)^2", "4"},
		{"2^3^2", "512"},
		{"2**3**2", "512"},
		{"2^-2^2", "0.0625"},
		{"2*3^2", "18"},
		{"2 + 3 * 4 - 5", "9"},
		{"10 - 4 - 3", "3"},
		{"100 / 10 / 5", "2"},
		{"--3 + +2", "5"},
		{"2 * -3", "-6"},
		{"200*5%", "10"},
		{"100 / 5%", "2000"},
		{"100 + 5%", "100.05"},
		{"5% - 3%", "0.02"},
		{"-5%", "-0.05"},
		{"(2 + 3)%", "0.05"},
		{"4^50%", "2"},
		{"50%^2", "0.25"},
		{"5%%", "0.0005"},
		{"max(5%, 3%)", "0.05"},
		{"7 % 3", "1"},
		{"7%3", "1"},
		{"-7 % 3", "-1"},
		{"2 * 7 % 4", "2"},
		{"7.5 % (1 + 1)", "1.5"},
		{"6 × 7 ÷ 2 − 1", "20"},
	}
	for _, tt := range tests {
		t.Run(tt.expression, func(t *testing.T) {
			if got, _ := evaluate(t, tt.expression); got != tt.want {
				t.Errorf("calculate %s = %s, want %s", tt.expression, got, tt.want)
			}
		})
	}
}

// Digits from the OEIS: A002193 (sqrt 2), A001113 (e), A002162 (ln 2), A007524
// (log10 2); the compound rates from Python's decimal module with 50 digits.
func TestCalculate_SaysWhenItRounds(t *testing.T) {
	tests := []struct{ expression, want string }{
		{"1/3", "0.3333333333333333333333333333"},
		{"2/3", "0.6666666666666666666666666667"},
		{"1/3*3", "1"},
		{"floor(3 * (1/3))", "1"},
		{"1e20/3", "33333333333333333333.33333333"},
		{"1/3e20", "0.000000000000000000003333333333333333333333333333"},
		{"sqrt(2)", "1.414213562373095048801688724"},
		{"exp(1)", "2.718281828459045235360287471"},
		{"ln(2)", "0.6931471805599453094172321215"},
		{"log10(2)", "0.3010299956639811952137388947"},
		{"exp(ln(10))", "10"},
		{"exp(-1000) * exp(1000)", "1"},
		{"8^(1/3)", "2"},
		{"cagr(10000, 19000, 3)", "0.2385623296301708225094335831"},
		{"(1 + 5%/365)^3650", "1.648664813765471830213999421"},
		{"(1 + 1/3)^5001 / 10^624", "6.586000784509474173214273864"},
		{"(1 + 1e-50)^1e50", "2.718281828459045235360287471"},
	}
	for _, tt := range tests {
		t.Run(tt.expression, func(t *testing.T) {
			got, exact := evaluate(t, tt.expression)
			if got != tt.want || exact {
				t.Errorf("calculate %s = %s, exact %v; want %s and not exact", tt.expression, got, exact, tt.want)
			}
			digits := strings.TrimLeft(strings.Replace(got, ".", "", 1), "0")
			if len(digits) > 28 {
				t.Errorf("calculate %s = %s: %d significant digits, want at most 28", tt.expression, got, len(digits))
			}
		})
	}
}

func TestCalculate_RefusesWhatItCannotAnswer(t *testing.T) {
	tests := []struct{ name, expression, want string }{
		{"nothing", "  ", "empty"},
		{"division by zero", "1 / (2 - 2)", "division by zero"},
		{"remainder of zero", "5 % 0", "division by zero"},
		{"zero to a negative power", "0^-1", "division by zero"},
		{"zero to the zero", "0^0", "undefined"},
		{"tower of powers", "9^9^9^9", "more than 1000 digits"},
		{"tower of small powers", "0.1^9^9", "smaller than 1e-1000"},
		{"large literal", "1e5000 - 1e5000", "more than 1000 digits"},
		{"exponent that no library reads", "1e99999999999", "not a supported number"},
		{"large exponential", "exp(99999)", "more than 1000 digits"},
		{"small exponential", "exp(-99999)", "smaller than 1e-1000"},
		{"root of a negative number", "sqrt(-4)", "negative"},
		{"fractional power of a negative number", "(-8)^(1/3)", "not a real number"},
		{"logarithm of zero", "ln(0)", "not positive"},
		{"log without a base", "log(100)", "use ln(x) or log10(x)"},
		{"decimal comma", "(1,5)", "decimal point"},
		{"thousands or two arguments", "max(1,000, 5)", "write 1000, or put a space"},
		{"thousands with a fixed count", "sqrt(1,000)", "thousands separators"},
		{"group of zeros", "pow(1,000)", "must not start with 0"},
		{"two currencies", "$5 + 3€", "mixes $ and EUR"},
		{"two codes", "5 USD + 3 EUR", "mixes USD and EUR"},
		{"unknown name", "price * 3", "the functions are abs(x), avg(x, ...)"},
		{"function without arguments", "sqrt", "write sqrt(x)"},
		{"empty arguments", "sum()", "number was expected"},
		{"too many arguments", "sqrt(4, 9)", "does not take 2"},
		{"not closed", "(1 + 2", "not closed"},
		{"not opened", "1 + 2)", "no matching opening"},
		{"trailing operator", "2 +", "ends where a number"},
		{"two numbers", "2 3", `"3" found where an operator`},
		{"floor division", "7 // 2", `"/" found where a number`},
		{"comment", "7 /* 2 */", `"*" found where a number`},
		{"hexadecimal", "0x10", "not a supported number"},
		{"octal", "010", "must not start with 0"},
		{"underscores", "1_000", "not a supported number"},
		{"string", `"1" + 1`, "no meaning"},
		{"comparison", "1 = 1", "no meaning"},
		{"own per cent sign", "5‰", "no meaning"},
		{"places out of reach", "round(1, 1e9)", "whole number of places"},
		{"too deep", strings.Repeat("(", 60) + "1" + strings.Repeat(")", 60), "nested more than 50 levels deep"},
		{"too long", strings.Repeat("1+", 600) + "1", "the limit is 1000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := toolstest.Call(t, planning.CalculatorTools(), "calculate", toolstest.Args{"expression": tt.expression})
			if res.Code != tool.CodeValidation || !strings.Contains(res.ErrorText(), tt.want) {
				t.Errorf("calculate %.40q = %q, want an error with %q", tt.expression, res.ModelText(), tt.want)
			}
		})
	}
}

func TestCalculate_FigureCarriesTheFormula(t *testing.T) {
	res := toolstest.Call(t, planning.CalculatorTools(), "calculate", toolstest.Args{"expression": "(184.25 - 150) / 150"})
	f := toolstest.Figure(t, res, "result")
	if !f.Value.Equal(decimal.RequireFromString("0.2283333333333333333333333333")) || f.Formula != "(184.25 - 150) / 150" {
		t.Errorf("figure = %+v", f)
	}
}

// FuzzCalculate checks that no input crashes the tool or takes long, and that an answer is a number.
func FuzzCalculate(f *testing.F) {
	for _, seed := range []string{
		"1+2*3", "2^3^2%", "-(5%)^-2", "max(1,000)", "ln(1.0000000000000000001)^99", "9^9^9", "1e999*1e-999",
		"exp(exp(exp(1)))", "sqrt(sqrt(2))%7", "((((", "%", "a.b(c)[d]", "1e", "0x", "..", "5 in 3", "cagr(1, 2, 1e-9)",
	} {
		f.Add(seed)
	}
	router := toolstest.Open(f, planning.CalculatorTools())
	f.Fuzz(func(t *testing.T, expression string) {
		start := time.Now()
		res := toolstest.CallRouter(t, router, "calculate", toolstest.Args{"expression": expression})
		if took := time.Since(start); took > time.Minute {
			t.Errorf("calculate %q took %s", expression, took)
		}
		if res.IsError {
			return
		}
		if _, err := decimal.NewFromString(toolstest.DecodeResult(t, res)["result"].(string)); err != nil {
			t.Errorf("calculate %q: %v", expression, err)
		}
	})
}

func BenchmarkCalculate(b *testing.B) {
	router := toolstest.Open(b, planning.CalculatorTools())
	in := toolstest.Args{"expression": "round(1000 * (1 + 7%)^10 - 250 / 3, 2)"}
	for b.Loop() {
		toolstest.CallRouter(b, router, "calculate", in)
	}
}

// C7: amounts as reports and people write them.
func TestCalculate_ReadsAmountsAsPeopleWriteThem(t *testing.T) {
	for _, tt := range []struct{ expression, want, note string }{
		{"1,234.5 - 1,000", "234.5", ""},
		{"12,345,678 / 2", "6172839", ""},
		{"60.3 million", "60300000", ""},
		{"1.2bn + 350k", "1200350000", ""},
		{"1.5M * 2", "3000000", ""},
		{"(5.2 billion - 4.1 billion) / 4.1 billion * 100", "26.82926829268292682926829268", ""},
		{"5 万", "50000", ""},
		{"3亿 / 2 万", "15000", ""},
		{"1.2 万亿", "1200000000000", ""},
		{"3 百万 + 2 mn", "5000000", ""},
		{"1 trillion - 1tn + 4 thousand", "4000", ""},
		{"(71)", "-71", "read as negative"},
		{"100 + (71)", "29", "read as negative"},
		{"(1,018.4) - (960.5)", "-57.9", "read as negative"},
		{"2 * (3)", "6", ""},
		{"100 - (20)", "80", ""},
		{"abs(71)", "71", ""},
		{"$1,234.50 * 2", "2469", "in $"},
		{"1,000 USD + USD 500", "1500", "in USD"},
		{"€5 * 3", "15", "in EUR"},
		{"max(1200, 5)", "1200", ""},
		{"sum(1 million, 2 million)", "3000000", ""},
		{"1.5e3 + 1", "1501", ""},
		{"10 % 3", "1", ""},
	} {
		res := toolstest.Call(t, planning.CalculatorTools(), "calculate", toolstest.Args{"expression": tt.expression})
		if res.IsError {
			t.Errorf("calculate %s = %s", tt.expression, res.ErrorText())
			continue
		}
		note := ""
		for _, n := range res.Notes {
			note += n.Text
		}
		if got := toolstest.DecodeResult(t, res)["result"]; got != tt.want || !strings.Contains(note, tt.note) || (note == "") != (tt.note == "") {
			t.Errorf("calculate %s = %v (%s), want %s and %q", tt.expression, got, note, tt.want, tt.note)
		}
	}
}
