package main

import (
	"reflect"
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

// styledAnswer has a field for each style of a number; one of them is set.
type styledAnswer struct {
	Percent   *decimal.Decimal `json:"percent,omitempty" label:"value" as:"percent" key:"1"`
	Change    *decimal.Decimal `json:"change,omitempty" label:"value" as:"change" key:"1"`
	DayChange *decimal.Decimal `json:"day_change,omitempty" label:"value" as:"daychange" key:"1"`
	Rate      *decimal.Decimal `json:"rate,omitempty" label:"value" as:"rate" key:"1"`
	Money     *decimal.Decimal `json:"money,omitempty" label:"value" as:"money" key:"1"`
	Gain      *decimal.Decimal `json:"gain,omitempty" label:"value" as:"gain" key:"1"`
	Price     *decimal.Decimal `json:"price,omitempty" label:"value" as:"price" key:"1"`
	Number    *decimal.Decimal `json:"number,omitempty" label:"value" as:"number" key:"1"`
	Currency  string           `json:"currency,omitempty"`
	After     int              `json:"after" label:"after"` // a second row, so that there is a table
}

func (styledAnswer) Headline(string) string { return "" }

// spellingPattern matches a number with its unit.
var spellingPattern = regexp.MustCompile(`[+-]?\d[\d,]*(?:\.\d+)?(?:%| [A-Z]{3})?`)

// exported returns a session with that answer.
func exported(answer string) []session.Entry {
	return []session.Entry{
		{Kind: session.KindUser, Message: llm.Message{Role: llm.RoleUser, Content: "show it"}},
		{Kind: session.KindAssistant, Message: llm.Message{Role: llm.RoleAssistant, Content: answer}},
	}
}

// Chat, section 0: a number is formatted the same way in the key figures of the chat and of a card, in a
// table, in the output of a command, in a pipe and in an export.
func TestNumbers_HaveOneSpellingEverywhere(t *testing.T) {
	rows := []struct {
		style                 string // a field of styledAnswer
		value, currency, want string
	}{
		{"Percent", "0.123", "", "12.3%"}, {"Percent", "0", "", "0.0%"}, {"Percent", "1", "", "100.0%"}, {"Percent", "-0.0004", "", "0.0%"}, {"Percent", "12.3456", "", "1,234.6%"},
		{"Change", "0.057", "", "+5.7%"}, {"Change", "-0.533", "", "-53.3%"}, {"Change", "0", "", "0.0%"}, {"Change", "565.734", "", "+56,573.4%"}, {"Change", "-0.00049", "", "0.0%"},
		{"DayChange", "0.0047", "", "+0.47%"}, {"DayChange", "-0.0752", "", "-7.52%"}, {"DayChange", "0", "", "0.00%"}, {"DayChange", "0.00004", "", "0.00%"}, {"DayChange", "-1", "", "-100.00%"},
		{"Rate", "0.0425", "", "4.25%"}, {"Rate", "0.05", "", "5.0%"}, {"Rate", "-0.0012", "", "-0.12%"}, {"Rate", "0.043125", "", "4.3125%"}, {"Rate", "0", "", "0.0%"},
		{"Money", "1234.5", "USD", "1,234.50 USD"}, {"Money", "-363.7", "USD", "-363.70 USD"}, {"Money", "0", "EUR", "0.00 EUR"}, {"Money", "1234567.891", "JPY", "1,234,568 JPY"}, {"Money", "21698.2", "CHF", "21,698.20 CHF"},
		{"Gain", "1698.2", "USD", "+1,698.20 USD"}, {"Gain", "-11.18163", "USD", "-11.18 USD"}, {"Gain", "0", "USD", "0.00 USD"}, {"Gain", "0.5", "EUR", "+0.50 EUR"}, {"Gain", "-1234567", "USD", "-1,234,567.00 USD"},
		{"Price", "271.49", "USD", "271.49 USD"}, {"Price", "94.6344", "USD", "94.6344 USD"}, {"Price", "2874.5600", "", "2,874.56"}, {"Price", "0.1234", "EUR", "0.1234 EUR"}, {"Price", "1.1", "USD", "1.10 USD"},
		{"Number", "48000", "", "48,000"}, {"Number", "0.6659746868", "", "0.666"}, {"Number", "-1.9976", "", "-1.9976"}, {"Number", "12", "", "12"}, {"Number", "1447.16", "", "1,447.16"},
	}
	st := widget.NewStyles(markdown.DarkTheme())
	for _, row := range rows {
		value := decimal.RequireFromString(row.value)
		answer := styledAnswer{Currency: row.currency}
		reflect.ValueOf(&answer).Elem().FieldByName(row.style).Set(reflect.ValueOf(&value))
		res := toolkit.Render(answer)
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
