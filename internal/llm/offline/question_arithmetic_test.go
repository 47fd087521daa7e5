package offline_test

import (
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/llm/offline"
)

func TestArithmetic_ExpressionsInTheirForms(t *testing.T) {
	for input, want := range map[string]string{
		"1+1":                               "1+1",
		"1 + 1 =":                           "1 + 1",
		"What is 2 ^ 10?":                   "2 ^ 10",
		"what's 7 % 3":                      "7 % 3",
		"how much is 1,234,567.89 / 3":      "1234567.89 / 3",
		"please calculate 5 percent of 200": "5% * 200",
		"7.5 per cent of 40":                "7.5% * 40",
		"12 plus 30 minus 2":                "12 + 30 - 2",
		"10 divided by 4":                   "10 / 4",
		"3 multiplied by 4":                 "3 * 4",
		"2 to the power of 8":               "2 ^ 8",
		"2x3x4":                             "2 * 3 * 4",
		"6 ÷ 2 × 3":                         "6 / 2 * 3",
		"calculate sqrt(2)":                 "sqrt(2)",
		"cagr(100, 250, 10)":                "cagr(100, 250, 10)",
		"round(1,000.5 * 2, 1)":             "round(1,000.5 * 2, 1)", // the tool asks what is meant
		"12 squared + 1":                    "12^2 + 1",
		"€1,000 * 1.05":                     "1000 * 1.05",
		"what is 2010-2015":                 "2010-2015", // asked for as a sum
		"berechne 3 * 4":                    "3 * 4",
		"1234,567 * 2":                      "1234,567 * 2", // no thousands: the tool asks
		"combien font 3 + 4 ?":              "3 + 4",
		"cuánto es 3 + 4":                   "3 + 4",
	} {
		if q := readMessages(input); q.Topic != offline.TopicCalculate || q.Expression != want {
			t.Errorf("%q: topic %d calculates %q, want %q", input, q.Topic, q.Expression, want)
		}
	}
}

func TestArithmetic_WhatIsNone(t *testing.T) {
	for _, input := range []string{
		"42", "2008", "2010-2015", "2008-01-02", "+1-555-123", "what is 5", "is 2+2 always four in finance",
		"what is 12.5% of AAPL", "os.exit(1) + 1", "1 + system(2)", "()", "---", "max", strings.Repeat("1+", 600) + "1",
	} {
		if q := readMessages(input); q.Expression != "" {
			t.Errorf("%.40q becomes %q", input, q.Expression)
		}
	}
}
