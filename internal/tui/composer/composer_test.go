package composer_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui/composer"
	"github.com/nfa-cli/nfa/internal/tui/draft"
	"github.com/nfa-cli/nfa/internal/tui/draw"
)

func plain() *draw.Styles { return draw.NewStyles(markdown.Plain()) }

// sized is an empty composer of 40 columns.
func sized() *composer.Composer {
	c := composer.New(plain(), "> ")
	c.SetSize(40, draft.Rows)
	return c
}

func write(c *composer.Composer, text string) {
	for _, r := range text {
		c.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func view(c *composer.Composer) string {
	rows := c.View()
	for i, row := range rows {
		rows[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(rows, "\n")
}

func TestComposer_EmptyIsNotEvenALineBreak(t *testing.T) {
	c := sized()
	if !c.Empty() || c.Value() != "" || view(c) != ">" {
		t.Errorf("a new one holds %q and draws %q", c.Value(), view(c))
	}
	write(c, `\`)
	if !c.BreakLine() || c.Empty() || c.Value() != "\n" {
		t.Errorf("a backslash became %q", c.Value())
	}
	if c.Reset(); !c.Empty() || c.Revert(-1) {
		t.Errorf("what was sent came back: %q", c.Value())
	}
}

func TestComposer_APasteIsOneLabelAndItsTextIsTheValue(t *testing.T) {
	c, long := sized(), strings.TrimSpace(strings.Repeat("row\n", 20))
	write(c, "see ")
	c.Update(tea.PasteMsg{Content: "\x1b[31m" + long})
	if got := view(c); got != "> see [paste 1: 20 lines]" || c.Value() != "see "+long {
		t.Errorf("drawn %q with the value %.40q", got, c.Value())
	}
	if tooLong := c.Unfold(); tooLong || strings.Contains(view(c), "paste") || c.Value() != "see "+long {
		t.Errorf("unfolded %.40q, too long %t", view(c), tooLong)
	}
	if !c.Revert(-1) || view(c) != "> see [paste 1: 20 lines]" {
		t.Errorf("undone %.40q", view(c))
	}
	c.Update(tea.KeyPressMsg{Code: tea.KeyBackspace})
	if c.Value() != "see " {
		t.Errorf("half of a label is left: %q", c.Value())
	}
}

func TestComposer_WhatIsTooLongStaysALabel(t *testing.T) {
	c := sized()
	if c.Unfold() {
		t.Error("nothing is too long")
	}
	c.Update(tea.PasteMsg{Content: strings.Repeat("x\n", draft.MostUnfolded+1)})
	if !c.Unfold() || !strings.HasPrefix(view(c), "> [paste 1: ") {
		t.Errorf("unfolded %.80q", view(c))
	}
}

func TestComposer_TheHintIsDrawnAndNotWritten(t *testing.T) {
	c := sized()
	write(c, "/get-price ")
	c.SetHint("<symbol>\n[range]")
	if got := view(c); got != "> /get-price   <symbol> [range]" || c.Value() != "/get-price " {
		t.Errorf("drawn %q with the value %q", got, c.Value())
	}
}

func TestComposer_ReplaceTakesTheLettersBeforeTheCursor(t *testing.T) {
	c := sized()
	write(c, "about @mä")
	c.Replace(3, "main.go ")
	if got := c.Value(); got != "about main.go " || c.Before() != got {
		t.Errorf("the value is %q, before the cursor %q", got, c.Before())
	}
}

func TestField_ShowsWhatStandsInIt(t *testing.T) {
	f := composer.NewField(plain())
	f.SetSize(30, 1)
	f.Set("AAPL, MSFT")
	if f.Shown() != "AAPL, MSFT" || f.Value() != f.Shown() {
		t.Errorf("shown %q, value %q", f.Shown(), f.Value())
	}
}

func FuzzComposer(f *testing.F) {
	f.Add("hello", "a\nb", 20, 3)
	f.Add("中文🏳️‍🌈", strings.Repeat("x\n", 300), 7, 1)
	f.Add("\x1b]0;title\x07", "\u202e\x9b31m", 1, 1)
	f.Fuzz(func(t *testing.T, typed, pasted string, width, rows int) {
		width, rows = 3+min(max(width, 0), 200), min(max(rows, 1), 50)
		c := composer.New(plain(), "> ")
		c.SetSize(width, rows)
		c.Update(tea.PasteMsg{Content: pasted})
		c.Update(tea.KeyPressMsg{Code: tea.KeyExtended, Text: typed})
		lines := c.View()
		if len(lines) > max(min(rows, draft.Rows), 1) || c.Height() < 1 {
			t.Fatalf("%d lines of at most %d", len(lines), rows)
		}
		if written := c.Value(); markdown.Sanitize(written) != written {
			t.Fatalf("the value %q is not clean", written)
		}
	})
}
