package widget_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

func composerStyles() *widget.Styles { return widget.NewStyles(markdown.PlainTheme()) }

// sizedComposer returns an empty composer of 40 columns.
func sizedComposer() *widget.Composer {
	c := widget.NewComposer(composerStyles(), widget.DefaultKeyMap(), "> ")
	c.SetSize(40, widget.MaxUnfoldedLines)
	return c
}

func writeInComposer(c *widget.Composer, text string) {
	for _, r := range text {
		c.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func composerView(c *widget.Composer) string {
	rows := c.View()
	for i, row := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(rows, "\n")
}

func TestComposer_EmptyIsNotEvenALineBreak(t *testing.T) {
	c := sizedComposer()
	if !c.Empty() || c.Value() != "" || composerView(c) != ">" {
		t.Errorf("a new one holds %q and draws %q", c.Value(), composerView(c))
	}
	writeInComposer(c, `\`)
	if !c.BreakLine() || c.Empty() || c.Value() != "\n" {
		t.Errorf("a backslash became %q", c.Value())
	}
	if c.Reset(); !c.Empty() || c.UndoStep(-1) {
		t.Errorf("what was sent came back: %q", c.Value())
	}
}

func TestComposer_APasteIsOneLabelAndItsTextIsTheValue(t *testing.T) {
	c, long := sizedComposer(), strings.TrimSpace(strings.Repeat("row\n", 20))
	writeInComposer(c, "see ")
	c.Update(tea.PasteMsg{Content: "\x1b[31m" + long})
	if got := composerView(c); got != "> see [paste 1: 20 lines]" || c.Value() != "see "+long {
		t.Errorf("drawn %q with the value %.40q", got, c.Value())
	}
	if tooLong := c.ExpandPaste(); tooLong || strings.Contains(composerView(c), "paste") || c.Value() != "see "+long {
		t.Errorf("unfolded %.40q, too long %t", composerView(c), tooLong)
	}
	if !c.UndoStep(-1) || composerView(c) != "> see [paste 1: 20 lines]" {
		t.Errorf("undone %.40q", composerView(c))
	}
	c.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	if c.Value() != "see " {
		t.Errorf("half of a label is left: %q", c.Value())
	}
}

func TestComposer_ATooLongPasteStaysALabel(t *testing.T) {
	c := sizedComposer()
	if c.ExpandPaste() {
		t.Error("nothing is too long")
	}
	c.Update(tea.PasteMsg{Content: strings.Repeat("x\n", widget.MaxExpandedLines+1)})
	if !c.ExpandPaste() || !strings.HasPrefix(composerView(c), "> [paste 1: ") {
		t.Errorf("unfolded %.80q", composerView(c))
	}
}

func TestComposer_TheHintIsDrawnAndNotWritten(t *testing.T) {
	c := sizedComposer()
	writeInComposer(c, "/get-price ")
	c.SetHint("<symbol>\n[range]")
	if got := composerView(c); got != "> /get-price   <symbol> [range]" || c.Value() != "/get-price " {
		t.Errorf("drawn %q with the value %q", got, c.Value())
	}
}

func TestComposer_ReplaceReplacesTheLettersBeforeTheCursor(t *testing.T) {
	c := sizedComposer()
	writeInComposer(c, "about @mä")
	c.Replace(3, "main.go ")
	if got := c.Value(); got != "about main.go " || c.TextBeforeCursor() != got {
		t.Errorf("the value is %q, before the cursor %q", got, c.TextBeforeCursor())
	}
}

func TestField_ShowsItsValue(t *testing.T) {
	f := widget.NewComposer(composerStyles(), widget.DefaultKeyMap(), "")
	f.SetSize(30, 1)
	f.Set("AAPL, MSFT")
	if f.Preview() != "AAPL, MSFT" || f.Value() != f.Preview() {
		t.Errorf("shown %q, value %q", f.Preview(), f.Value())
	}
}

func FuzzComposer(f *testing.F) {
	f.Add("hello", "a\nb", 20, 3)
	f.Add("中文🏳️‍🌈", strings.Repeat("x\n", 300), 7, 1)
	f.Add("\x1b]0;title\x07", "\u202e\x9b31m", 1, 1)
	f.Fuzz(func(t *testing.T, typed, pasted string, width, rows int) {
		width, rows = 3+min(max(width, 0), 200), min(max(rows, 1), 50)
		c := widget.NewComposer(composerStyles(), widget.DefaultKeyMap(), "> ")
		c.SetSize(width, rows)
		c.Update(tea.PasteMsg{Content: pasted})
		c.Update(tea.KeyPressMsg{Code: tea.KeyExtended, Text: typed})
		lines := c.View()
		if len(lines) > max(min(rows, widget.MaxUnfoldedLines), 1) || c.Height() < 1 {
			t.Fatalf("%d lines of at most %d", len(lines), rows)
		}
		if written := c.Value(); markdown.Sanitize(written) != written {
			t.Fatalf("the value %q is not clean", written)
		}
	})
}
