package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// One answer type for each style of a number.
type (
	inCurrency struct {
		Currency string `json:"currency,omitempty"`
		After    int    `json:"after" label:"after"` // a second row, so that there is a table
	}
	percentAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"percent" key:"1"`
		inCurrency
	}
	changeAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"change" key:"1"`
		inCurrency
	}
	dayChangeAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"daychange" key:"1"`
		inCurrency
	}
	rateAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"rate" key:"1"`
		inCurrency
	}
	moneyAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"money" key:"1"`
		inCurrency
	}
	gainAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"gain" key:"1"`
		inCurrency
	}
	priceAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"price" key:"1"`
		inCurrency
	}
	numberAnswer struct {
		V decimal.Decimal `json:"v" label:"value" as:"number" key:"1"`
		inCurrency
	}
)

func (inCurrency) Headline(string) string { return "" }

// spellingPattern matches a number with its unit.
var spellingPattern = regexp.MustCompile(`[+-]?\d[\d,]*(?:\.\d+)?(?:%| [A-Z]{3})?`)

// exported is a session with that answer.
func exported(answer string) []session.Entry {
	return []session.Entry{
		{Kind: session.KindUser, Message: llm.Message{Role: llm.RoleUser, Content: "show it"}},
		{Kind: session.KindAssistant, Message: llm.Message{Role: llm.RoleAssistant, Content: answer}},
	}
}

// Chat, section 0: a number has one spelling in the key figures of the chat and of a card, in a table, in the
// output of a command, in a pipe and in an export.
func TestNumbers_HaveOneSpellingEverywhere(t *testing.T) {
	percent := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return percentAnswer{v, c} }
	change := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return changeAnswer{v, c} }
	day := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return dayChangeAnswer{v, c} }
	rate := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return rateAnswer{v, c} }
	money := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return moneyAnswer{v, c} }
	gain := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return gainAnswer{v, c} }
	price := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return priceAnswer{v, c} }
	number := func(v decimal.Decimal, c inCurrency) toolkit.Answer { return numberAnswer{v, c} }
	rows := []struct {
		answer                func(decimal.Decimal, inCurrency) toolkit.Answer
		value, currency, want string
	}{
		{percent, "0.123", "", "12.3%"}, {percent, "0", "", "0.0%"}, {percent, "1", "", "100.0%"}, {percent, "-0.0004", "", "0.0%"}, {percent, "12.3456", "", "1,234.6%"},
		{change, "0.057", "", "+5.7%"}, {change, "-0.533", "", "-53.3%"}, {change, "0", "", "0.0%"}, {change, "565.734", "", "+56,573.4%"}, {change, "-0.00049", "", "0.0%"},
		{day, "0.0047", "", "+0.47%"}, {day, "-0.0752", "", "-7.52%"}, {day, "0", "", "0.00%"}, {day, "0.00004", "", "0.00%"}, {day, "-1", "", "-100.00%"},
		{rate, "0.0425", "", "4.25%"}, {rate, "0.05", "", "5.0%"}, {rate, "-0.0012", "", "-0.12%"}, {rate, "0.043125", "", "4.3125%"}, {rate, "0", "", "0.0%"},
		{money, "1234.5", "USD", "1,234.50 USD"}, {money, "-363.7", "USD", "-363.70 USD"}, {money, "0", "EUR", "0.00 EUR"}, {money, "1234567.891", "JPY", "1,234,568 JPY"}, {money, "21698.2", "CHF", "21,698.20 CHF"},
		{gain, "1698.2", "USD", "+1,698.20 USD"}, {gain, "-11.18163", "USD", "-11.18 USD"}, {gain, "0", "USD", "0.00 USD"}, {gain, "0.5", "EUR", "+0.50 EUR"}, {gain, "-1234567", "USD", "-1,234,567.00 USD"},
		{price, "271.49", "USD", "271.49 USD"}, {price, "94.6344", "USD", "94.6344 USD"}, {price, "2874.5600", "", "2,874.56"}, {price, "0.1234", "EUR", "0.1234 EUR"}, {price, "1.1", "USD", "1.10 USD"},
		{number, "48000", "", "48,000"}, {number, "0.6659746868", "", "0.666"}, {number, "-1.9976", "", "-1.9976"}, {number, "12", "", "12"}, {number, "1447.16", "", "1,447.16"},
	}
	st := widget.NewStyles(markdown.DarkTheme())
	for _, row := range rows {
		value := decimal.RequireFromString(row.value)
		res := toolkit.Render(row.answer(value, inCurrency{Currency: row.currency}))
		painter, pipe := cli.Painter{Styles: st, Columns: 100}, cli.Painter{}
		_, export, _ := strings.Cut(report.WriteTranscript(session.Session{}, exported(res.ForUser), report.TranscriptOptions{}), "> show it")
		for place, text := range map[string]string{
			"a key figure": res.Keys[0].Text, "the chat": strings.Join(st.KeyFigures(res.About, res.Keys, 98), "\n"),
			"a table": res.ForUser, "a command": painter.Result(res, nil), "a pipe": pipe.Result(res, nil), "an export": export,
		} {
			text = ansi.Strip(text)
			if found := spellingPattern.FindAllString(text, 1); len(found) == 0 || found[0] != row.want {
				t.Errorf("%s of %s: %q in %s, want %q:\n%s", row.value, row.currency, found, place, row.want, text)
			}
			if strings.Contains(text, "−") || strings.Contains(text, " %") {
				t.Errorf("%s has another minus or percent sign: %q", place, text)
			}
		}
	}
}
