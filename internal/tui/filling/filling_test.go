package filling_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/draw"
	"github.com/nfa-cli/nfa/internal/tui/filling"
	"github.com/nfa-cli/nfa/internal/tui/form"
)

func opened(fill func(map[string]string) filling.Answer[string], fields ...form.Field) *filling.Form[string] {
	f := filling.New(draw.NewStyles(markdown.Plain()), form.Keys{Enter: "Enter", Cancel: "Esc"},
		&filling.Asked[string]{Title: "trade", Verb: "run", Fields: fields, Fill: fill})
	f.SetSize(60, 10)
	return f
}

// press gives the answer that pressing Enter at the last field came to.
func press(t *testing.T, f *filling.Form[string]) filling.Answer[string] {
	t.Helper()
	cmd := f.Press(tea.KeyPressMsg{Code: tea.KeyEnter}, "enter", time.Time{}, func(a filling.Answer[string]) tea.Msg { return a })
	if cmd == nil {
		t.Fatal("the values are not looked at")
	}
	answer, ok := cmd().(filling.Answer[string])
	if !ok {
		t.Fatalf("the command brought %T", cmd())
	}
	return answer
}

func view(f *filling.Form[string]) string { return ansi.Strip(strings.Join(f.View(), "\n")) }

func symbolIs(want string) func(map[string]string) filling.Answer[string] {
	return func(values map[string]string) filling.Answer[string] {
		if values["symbol"] != want {
			return filling.Answer[string]{Err: errors.New("no such symbol")}
		}
		return filling.Answer[string]{Done: "took " + want}
	}
}

func TestForm_APastedLineComesWithoutItsEnd(t *testing.T) {
	f := opened(symbolIs("AAPL"), form.Field{Name: "symbol"})
	f.Write(tea.PasteMsg{Content: "AAPL\r\n"})
	c, lines := f.Cursor()
	if c == nil || lines != len(f.View()) {
		t.Fatalf("the cursor is %+v of %d lines", c, lines)
	}
	if before, _, _ := strings.Cut(view(f), "AAPL"); c.Y != strings.Count(before, "\n") || c.X != ansi.StringWidth(before[strings.LastIndex(before, "\n")+1:])+4 {
		t.Errorf("the cursor %+v is not behind the value:\n%s", c.Position, view(f))
	}
	answer := press(t, f)
	if !f.Take(answer) || answer.Done != "took AAPL" {
		t.Errorf("the values came to %+v", answer)
	}
}

func TestForm_AnErrorLeavesTheFormAsItWas(t *testing.T) {
	f := opened(symbolIs("AAPL"), form.Field{Name: "symbol"})
	f.Write(tea.PasteMsg{Content: "MSFT"})
	answer := press(t, f)
	if c, _ := f.Cursor(); c != nil {
		t.Errorf("there is a cursor, %+v, while the values are looked at", c)
	}
	if f.Take(answer) || answer.Err == nil || !strings.Contains(view(f), "MSFT") {
		t.Errorf("the form came to its end with %+v:\n%s", answer, view(f))
	}
	if c, _ := f.Cursor(); c == nil {
		t.Error("there is no cursor after the values were refused")
	}
}

func TestForm_AskedAgainItShowsTheNewFieldsWithWhatWasTyped(t *testing.T) {
	again := &filling.Asked[string]{
		Title: "how much", Verb: "run", Fields: []form.Field{{Name: "symbol"}, {Name: "quantity"}}, Fill: symbolIs("AAPL"),
		Leave: func() (string, error) { return "left", nil },
	}
	f := opened(func(map[string]string) filling.Answer[string] { return filling.Answer[string]{Again: again} }, form.Field{Name: "symbol"})
	if f.Leave() != nil {
		t.Error("there is something in the place of a form that is its opener's")
	}
	f.Write(tea.PasteMsg{Content: "AAPL"})
	if f.Take(press(t, f)) {
		t.Fatal("the form came to its end")
	}
	if v := view(f); f.Leave() == nil || !strings.Contains(v, "how much") || !strings.Contains(v, "AAPL") || !strings.Contains(v, "quant…") || !strings.Contains(v, "Esc leave") {
		t.Errorf("asked again:\n%s", v)
	}
}
