package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// compareFields returns the fields of a skill with one required value.
func compareFields() []widget.FormField {
	return []widget.FormField{
		{Name: "symbols", About: "what to compare, with commas between", Hint: "portfolio: VTI BND", Required: true},
		{Name: "range", About: "how far back to look", Hint: "default 5y", Choices: []string{"1y", "3y", "5y", "10y", "max"}},
		{Name: "base", About: "the currency to compare in", Value: "USD"},
	}
}

// formCalls records the values that a skill with a form received.
type formCalls struct{ values []map[string]string }

func (a *formCalls) command(fill func(values map[string]string) (agent.Input, error), fields ...widget.FormField) tui.Command {
	recorded := func(values map[string]string) (agent.Input, error) {
		a.values = append(a.values, values)
		return fill(values)
	}
	return tui.Command{
		Name: "compare-assets", About: "several assets side by side", Kind: tui.KindSkill,
		Prepare: func(string) (agent.Input, error) {
			return agent.Input{}, fmt.Errorf("reading the arguments: %w", &tui.MissingInputError{Fields: fields, Fill: recorded})
		},
	}
}

// hangsFor returns a turn that takes that long and writes nothing.
func hangsFor(d time.Duration) turnFunc {
	return func(context.Context, agent.Input, emit) (agent.TurnDone, error) {
		time.Sleep(d)
		return agent.TurnDone{Reason: agent.StopAnswered}, nil
	}
}

// compares fills the form, and refuses a range that is not a choice.
func compares(values map[string]string) (agent.Input, error) {
	fields := compareFields()
	if r := values["range"]; r != "" && !slices.Contains(fields[1].Choices, r) {
		fields[1].Problem = fmt.Sprintf("%q is not one of 1y, 3y, 5y, 10y, max", r)
		return agent.Input{}, &tui.MissingInputError{Fields: fields, Fill: compares}
	}
	return agent.Input{
		Text:     strings.TrimSpace("/compare-assets " + values["symbols"] + " " + values["range"]),
		ForModel: "compare " + values["symbols"], Skill: "compare-assets",
	}, nil
}

func comparing() tui.Config {
	var a formCalls
	return tui.Config{Commands: []tui.Command{a.command(compares, compareFields()...)}}
}

func TestK21_AFormAsksBeforeAnyModelCallAndRunsOneTurn(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	onScreen(t, withCommands(&c, a.command(compares, compareFields()...)), 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.shows("1 of 3", "› symbols *", "(1y 3y 5y 10y max) default 5y")
		s.write("AAPL, MSFT")
		s.press("enter")
		s.shows("2 of 3")
		s.press("enter", "enter", "enter")
		s.wait(time.Second)
		want := []agent.Input{{Text: "/compare-assets AAPL, MSFT", ForModel: "compare AAPL, MSFT", Skill: "compare-assets"}}
		if diff := cmp.Diff(want, c.(*scripted).got); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]map[string]string{{"symbols": "AAPL, MSFT", "range": "", "base": "USD"}}, a.values); diff != "" {
			t.Fatalf("filled (-want +got):\n%s", diff)
		}
		s.shows("> /compare-assets AAPL, MSFT", "one")
		s.showsNot("of 3")
		s.press("up")
		s.shows("> /compare-assets AAPL, MSFT\n ─")
	})
}

func TestK21_AFormRefusesToRunWithoutRequiredValues(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	onScreen(t, withCommands(&c, a.command(compares, compareFields()...)), 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.write("  ")
		s.press("up")
		s.shows("3 of 3")
		for _, run := range []string{"enter", "ctrl+r", "ctrl+enter"} {
			s.press(run)
			s.shows("1 of 3", "✗ a value is required")
		}
		if len(a.values)+len(inputs(c)) != 0 {
			t.Fatalf("filled %v, sent %q, want nothing", a.values, inputs(c))
		}
		s.write("A")
		s.showsNot("a value is required")
	})
}

func TestK21_EscReturnsTheLineAndTheDraft(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		var c tui.Conversation
		var a formCalls
		onScreen(t, withCommands(&c, a.command(compares, compareFields()...)), 80, 24, func(s *screen) {
			s.ask("/compare-assets range=3y")
			s.write("AAPL")
			s.press(key)
			s.showsNot("of 3")
			s.shows(" > /compare-assets range=3y\n")
			s.write(" AAPL")
			s.shows(" > /compare-assets range=3y AAPL\n")
			if len(a.values)+len(inputs(c)) != 0 || s.quit {
				t.Fatalf("%s: filled %v, sent %q, quit %v, want nothing", key, a.values, inputs(c), s.quit)
			}
		})
	}
}

func TestK21_ARejectedValueIsShownAtItsField(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	onScreen(t, withCommands(&c, a.command(compares, compareFields()...)), 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.write("AAPL")
		s.press("tab")
		s.write("7y")
		s.press("down")
		s.write("T")
		s.press("enter")
		s.wait(time.Second)
		s.shows("2 of 3", "  symbols *  AAPL", "› range      7y", `✗ "7y" is not one of 1y, 3y, 5y, 10y, max`, "USDT")
		if got := inputs(c); len(got) != 0 {
			t.Fatalf("sent %q, want nothing yet", got)
		}
		s.press("backspace", "backspace")
		s.showsNot("✗ ")
		s.press("ctrl+r")
		s.wait(time.Second)
		if diff := cmp.Diff([]string{"/compare-assets AAPL"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestK21_AnotherErrorKeepsTheForm(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	broken := func(map[string]string) (agent.Input, error) {
		return agent.Input{}, errors.New("the book cannot be read")
	}
	onScreen(t, withCommands(&c, a.command(broken, compareFields()...)), 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.write("AAPL")
		s.press("ctrl+r")
		s.wait(time.Second)
		s.shows("✗ the book cannot be read", "› symbols *  AAPL")
		s.press("ctrl+r")
		s.wait(time.Second)
		if len(a.values) != 2 || len(inputs(c)) != 0 {
			t.Fatalf("filled %d times, sent %q, want 2 and nothing", len(a.values), inputs(c))
		}
	})
}

func TestK21_AProblemThatTheWordsHaveIsWhereTheFormBegins(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	fields := compareFields()
	fields[2].Value, fields[2].Problem = "XYZ", "no such currency"
	onScreen(t, withCommands(&c, a.command(compares, fields...)), 80, 24, func(s *screen) {
		s.ask("/compare-assets base=XYZ")
		s.shows("3 of 3", "› base       XYZ", "✗ no such currency")
	})
}

func TestK21_LeftAndRightGoThroughChoices(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	fields := []widget.FormField{
		{Name: "optional", Choices: []string{"a", "b"}}, {Name: "needed", Required: true, Choices: []string{"x", "y"}},
	}
	onScreen(t, withCommands(&c, a.command(compares, fields...)), 80, 24, func(s *screen) {
		at := func(want string) {
			t.Helper()
			s.shows(want)
		}
		s.ask("/compare-assets")
		at("2 of 2") // the missing required field comes first
		s.press("left")
		at("› needed *  y")
		s.press("right")
		at("› needed *  x")
		s.press("right", "tab", "left")
		at("› optional  b")
		s.press("right", "ctrl+r")
		s.wait(time.Second)
		if diff := cmp.Diff([]map[string]string{{"optional": "", "needed": "y"}}, a.values); diff != "" {
			t.Fatalf("filled (-want +got):\n%s", diff)
		}
	})
}

func TestK21_ACanceledFillRunsNothing(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	onScreen(t, func() tui.Config {
		slow := func(values map[string]string) (agent.Input, error) {
			time.Sleep(time.Second)
			return compares(values)
		}
		return withCommands(&c, a.command(slow, compareFields()...))()
	}, 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.write("AAPL")
		s.press("ctrl+r", "ctrl+r", "enter")
		s.write("!")
		s.shows("checking · Esc cancel", "AAPL ")
		s.press("esc")
		s.wait(2 * time.Second)
		if len(a.values) != 1 || len(inputs(c)) != 0 {
			t.Fatalf("filled %d times, sent %q, want once and nothing", len(a.values), inputs(c))
		}
		s.shows(" > /compare-assets\n")
	})
}

func TestK21_APastedLineIsAValueWithoutItsEnd(t *testing.T) {
	var c tui.Conversation
	var a formCalls
	onScreen(t, withCommands(&c, a.command(compares, compareFields()...)), 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.send(tea.PasteMsg{Content: "AA\x1b[31mPL\u202e\r\n"})
		s.write(", VTI")
		s.shows("› symbols *  AAPL, VTI ")
		s.press("ctrl+r")
		s.wait(time.Second)
		if diff := cmp.Diff([]string{"/compare-assets AAPL, VTI"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestK21_TheCursorIsAfterWideCharactersInAForm(t *testing.T) {
	onScreen(t, comparing, 80, 24, func(s *screen) {
		s.ask("/compare-assets")
		s.write("中文a")
		lines := strings.Split(s.view(), "\n")
		row := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "中文a") })
		c := s.model.View().Cursor
		if want := len(" › symbols *  ") - len("›") + 1 + 5; c == nil || c.X != want || c.Y != row {
			t.Fatalf("cursor = %+v, want column %d of line %d", c, want, row)
		}
		s.press("left", "left", "backspace")
		s.shows("› symbols *  文a")
	})
}

func TestK21_ALongNameKeepsItsStarAndALongValueItsEnd(t *testing.T) {
	var a formCalls
	var c tui.Conversation
	field := widget.FormField{Name: "a-parameter-with-a-long-name", Required: true, Value: strings.Repeat("word ", 8) + "end"}
	onScreen(t, withCommands(&c, a.command(compares, field)), 40, 15, func(s *screen) {
		s.ask("/compare-assets")
		s.shows("› a-paramet… *  word word word word\n", "word word word word\n                 end\n")
	})
}

// A form that a queued line opens appears when the turn has ended. An Enter that was meant for the draft does
// not complete it, and the draft stays.
func TestK21_AFormWaitsForTheTurnAndKeepsTheDraft(t *testing.T) {
	var a formCalls
	var c tui.Conversation
	onScreen(t, func() tui.Config {
		c = &scripted{id: "s1", turns: []turnFunc{hangsFor(time.Second), turnAnswering("compared"), turnAnswering("drafted")}}
		return tui.Config{Conversation: c, Commands: []tui.Command{a.command(compares, widget.FormField{Name: "symbols", Value: "VTI"})}}
	}, 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("/compare-assets")
		s.shows("queued  /compare-assets")
		s.showsNot("1 of 1")
		s.write("a draft")
		for range 50 {
			if strings.Contains(s.view(), "1 of 1") {
				break
			}
			s.wait(40 * time.Millisecond)
		}
		s.shows("1 of 1")
		s.press("enter")
		s.wait(time.Second)
		if len(a.values) != 0 {
			t.Fatalf("an Enter for the draft filled %v", a.values)
		}
		s.press("enter")
		s.wait(time.Second)
		s.shows("compared", " > a draft\n")
		if diff := cmp.Diff([]string{"first", "/compare-assets VTI"}, inputs(c)); diff != "" {
			t.Fatalf("sent (-want +got):\n%s", diff)
		}
	})
}

func TestK21_AFormThatComesAfterClearDoesNotOpen(t *testing.T) {
	onScreen(t, func() tui.Config {
		slow := tui.Command{Name: "slow", Kind: tui.KindSkill, Prepare: func(string) (agent.Input, error) {
			time.Sleep(time.Second)
			return agent.Input{}, &tui.MissingInputError{Fields: compareFields(), Fill: compares}
		}}
		return tui.Config{Commands: []tui.Command{slow}}
	}, 80, 24, func(s *screen) {
		s.ask("/slow")
		s.ask("/clear")
		s.wait(2 * time.Second)
		s.showsNot("1 of 3")
		s.shows("Connect a model")
	})
}

func TestK21_CancelingReturnsQueuedMessages(t *testing.T) {
	var a formCalls
	var c tui.Conversation
	onScreen(t, func() tui.Config {
		c = &scripted{id: "s1", turns: []turnFunc{hangsFor(time.Second)}}
		return tui.Config{Conversation: c, Commands: []tui.Command{a.command(compares, compareFields()...)}}
	}, 80, 24, func(s *screen) {
		s.ask("first")
		s.ask("/compare-assets")
		s.ask("and then?")
		s.wait(2 * time.Second)
		s.shows("1 of 3")
		s.press("esc")
		s.shows(" > /compare-assets\n   and then?\n")
		s.showsNot("queued")
	})
}

func TestK21_AFormWithMoreFieldsThanRowsKeepsTheCurrentInSight(t *testing.T) {
	var a formCalls
	var c tui.Conversation
	var fields []widget.FormField
	for i := range 30 {
		fields = append(fields, widget.FormField{Name: fmt.Sprintf("field-%02d", i)})
	}
	onScreen(t, withCommands(&c, a.command(compares, fields...)), 40, 15, func(s *screen) {
		s.ask("/compare-assets")
		for i := range fields {
			s.shows(fmt.Sprintf("› field-%02d", i), fmt.Sprintf("%d of 30", i+1))
			s.press("down")
		}
		s.shows("› field-00")
	})
}

func TestK21_HelpNamesTheKeysOfAForm(t *testing.T) {
	onScreen(t, talk(), 80, 80, func(s *screen) {
		s.press("?")
		s.write("ctrl+enter")
		s.press("right")
		s.shows("Form", "Ctrl+R", "Ctrl+Enter")
	})
}

func TestMissingInputError_NamesTheMissingValues(t *testing.T) {
	fields := compareFields()
	fields[1].Problem = "no such range"
	for _, tt := range []struct {
		name   string
		fields []widget.FormField
		want   string
	}{
		{"missing and wrong", fields, "symbols: a value is required; range: no such range"},
		{"nothing known", nil, "required values are missing"},
	} {
		if got := (&tui.MissingInputError{Fields: tt.fields}).Error(); got != tt.want {
			t.Errorf("%s: Error() = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMissingInputError_WithoutFieldsIsAnError(t *testing.T) {
	var c tui.Conversation
	bare := tui.Command{Name: "bare", Kind: tui.KindSkill, Prepare: func(string) (agent.Input, error) {
		return agent.Input{}, &tui.MissingInputError{Fields: compareFields()}
	}}
	onScreen(t, withCommands(&c, bare), 80, 24, func(s *screen) {
		s.ask("/bare now")
		s.shows("✗ symbols: a value is required", " > /bare now\n")
	})
}
