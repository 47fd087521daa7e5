package widget_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func openFormDialog(fill func(map[string]string) widget.FormResult[string], fields ...widget.FormField) *widget.FormDialog[string] {
	f := widget.NewFormDialog(widget.NewStyles(markdown.PlainTheme()), widget.FormKeys{Enter: "Enter", Cancel: "Esc"},
		&widget.FormRequest[string]{Title: "trade", Verb: "run", Fields: fields, Fill: fill})
	f.SetSize(60, 10)
	return f
}

// pressInForm gives the answer that pressing Enter at the last field came to.
func pressInForm(t *testing.T, f *widget.FormDialog[string]) widget.FormResult[string] {
	t.Helper()
	cmd := f.Press(tea.KeyPressMsg{Code: tea.KeyEnter}, "enter", time.Time{}, func(a widget.FormResult[string]) tea.Msg { return a })
	if cmd == nil {
		t.Fatal("the values are not looked at")
	}
	answer, ok := cmd().(widget.FormResult[string])
	if !ok {
		t.Fatalf("the command brought %T", cmd())
	}
	return answer
}

func formDialogView(f *widget.FormDialog[string]) string {
	return ansi.Strip(strings.Join(f.View(), "\n"))
}

func requireSymbol(want string) func(map[string]string) widget.FormResult[string] {
	return func(values map[string]string) widget.FormResult[string] {
		if values["symbol"] != want {
			return widget.FormResult[string]{Err: errors.New("no such symbol")}
		}
		return widget.FormResult[string]{Value: "took " + want}
	}
}

func TestForm_APastedLineComesWithoutItsEnd(t *testing.T) {
	f := openFormDialog(requireSymbol("AAPL"), widget.FormField{Name: "symbol"})
	f.Write(tea.PasteMsg{Content: "AAPL\r\n"})
	c, lines := f.Cursor()
	if c == nil || lines != len(f.View()) {
		t.Fatalf("the cursor is %+v of %d lines", c, lines)
	}
	if before, _, _ := strings.Cut(formDialogView(f), "AAPL"); c.Y != strings.Count(before, "\n") || c.X != ansi.StringWidth(before[strings.LastIndex(before, "\n")+1:])+4 {
		t.Errorf("the cursor %+v is not behind the value:\n%s", c.Position, formDialogView(f))
	}
	answer := pressInForm(t, f)
	if !f.Apply(answer) || answer.Value != "took AAPL" {
		t.Errorf("the values came to %+v", answer)
	}
}

func TestForm_AnErrorLeavesTheFormAsItWas(t *testing.T) {
	f := openFormDialog(requireSymbol("AAPL"), widget.FormField{Name: "symbol"})
	f.Write(tea.PasteMsg{Content: "MSFT"})
	answer := pressInForm(t, f)
	if c, _ := f.Cursor(); c != nil {
		t.Errorf("there is a cursor, %+v, while the values are looked at", c)
	}
	if f.Apply(answer) || answer.Err == nil || !strings.Contains(formDialogView(f), "MSFT") {
		t.Errorf("the form came to its end with %+v:\n%s", answer, formDialogView(f))
	}
	if c, _ := f.Cursor(); c == nil {
		t.Error("there is no cursor after the values were refused")
	}
}

func TestForm_AskedAgainItShowsTheNewFieldsWithWhatWasTyped(t *testing.T) {
	again := &widget.FormRequest[string]{
		Title: "how much", Verb: "run", Fields: []widget.FormField{{Name: "symbol"}, {Name: "quantity"}}, Fill: requireSymbol("AAPL"),
		OnCancel: func() (string, error) { return "left", nil },
	}
	f := openFormDialog(func(map[string]string) widget.FormResult[string] { return widget.FormResult[string]{Again: again} }, widget.FormField{Name: "symbol"})
	if f.OnCancel() != nil {
		t.Error("there is something in the place of a form that is its opener's")
	}
	f.Write(tea.PasteMsg{Content: "AAPL"})
	if f.Apply(pressInForm(t, f)) {
		t.Fatal("the form came to its end")
	}
	if v := formDialogView(f); f.OnCancel() == nil || !strings.Contains(v, "how much") || !strings.Contains(v, "AAPL") || !strings.Contains(v, "quant…") || !strings.Contains(v, "Esc leave") {
		t.Errorf("asked again:\n%s", v)
	}
}
