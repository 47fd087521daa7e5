package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/golden"
)

// newListProgram opens a chat with a portfolio, a session, a watched symbol and a model whose server works.
func newListProgram(t *testing.T) (*chatView, *app.App) {
	t.Helper()
	a := newStartProgram(t, startState{model: true, portfolio: true, sessions: true})
	d := openStartPage(t, a)
	d.run("/watchlist add IBM")
	d.until("IBM is on your watchlist")
	d.untilIdle()
	return d, a
}

// run sends a line.
func (d *chatView) run(line string) {
	d.write(line)
	d.press(tea.KeyEscape) // closes the list of commands
	d.press(tea.KeyEnter)
}

// listScreen is a list screen with a filter that finds its row.
type listScreen struct{ command, ready, filter, row string }

func listScreens() []listScreen {
	return []listScreen{
		{"/model", "› custom/fake", "fake", "› custom/fake"},
		{"/skills", "Portfolio", "retir", "› Retirement plan"},
		{"/sessions", "›", "aapl", "› price of AAPL"},
		{"/agents", "› advisor", "planner", "› planner"},
		{"/tools", "›", "drawdown", "›"},
		{"/symbols", "› AAPL", "apple", "› AAPL"},
		{"/watchlist", "› IBM", "ibm", "› IBM"},
	}
}

// Chat, section 8: all screens share one list: letters filter, Tab opens the actions, Enter runs one, and Esc
// clears the filter, then closes.
func TestListScreens_FilterTabEnterAndEsc(t *testing.T) {
	d, _ := newListProgram(t)
	for _, s := range listScreens() {
		d.run(s.command)
		d.until(s.ready)
		if !strings.Contains(d.view(), "type to filter") || !strings.Contains(d.view(), "Esc close") {
			t.Errorf("%s names no filter or no way back:\n%s", s.command, d.view())
		}
		d.write(s.filter)
		d.until(s.row)
		if !strings.Contains(d.view(), "/"+s.filter) || !strings.Contains(d.view(), "Esc clear") {
			t.Errorf("%s: the filter is not shown:\n%s", s.command, d.view())
		}
		d.press(tea.KeyTab)
		if v := d.view(); !strings.Contains(v, "Actions for") && !strings.Contains(v, "No actions here.") {
			t.Errorf("%s: Tab opens no actions:\n%s", s.command, v)
		}
		d.press(tea.KeyEscape)
		if strings.Contains(d.view(), "Esc clear") {
			d.press(tea.KeyEscape)
		}
		d.until("type to filter")
		d.press(tea.KeyEscape)
		d.until(" nfa  custom/fake")
	}
}

// clockPattern matches the time of day of a session.
var clockPattern = regexp.MustCompile(`\b\d\d:\d\d\b`)

func TestListScreens_LookAsDrawn(t *testing.T) {
	frames, err := filepath.Abs(filepath.Join("testdata", "frames"))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := newListProgram(t)
	show := func(name string) {
		for _, size := range [][2]int{{100, 30}, {60, 20}} {
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			got := clockPattern.ReplaceAllString(d.view(), "12:00")
			golden.CheckFile(t, filepath.Join(frames, fmt.Sprintf("%s.%dx%d.txt", name, size[0], size[1])), got, *update)
		}
	}
	for _, s := range listScreens() {
		d.run(s.command)
		d.until(s.ready)
		name := "list-" + strings.TrimPrefix(s.command, "/")
		if s.command == "/model" {
			name = "models"
		}
		show(name)
		if s.command == "/model" {
			d.press(tea.KeyTab)
			show("models-actions")
			d.press(tea.KeyEscape)
			d.send(tea.WindowSizeMsg{Width: 100, Height: 30})
			d.write("mini")
			show("models-filter")
			d.press(tea.KeyEscape)
		}
		d.press(tea.KeyEscape)
	}
	d.run("/chart AAPL 5y")
	d.untilIdle()
	d.until("AAPL")
	show("chart")
	d.run("/clear")
	a := newStartProgram(t, startState{})
	d = openStartPage(t, a)
	d.run("How has the S&P 500 done since 2008, and how bad did it get?")
	d.untilIdle()
	d.until("traced")
	d.run("/why")
	d.until("› 1")
	show("why")
}
