package tui_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// library is a list screen with items and actions that change them.
type library struct {
	mu    sync.Mutex
	items []tui.ListItem
	ran   []string // the actions that ran, with their arguments
}

func newLibrary() *library {
	return &library{items: []tui.ListItem{
		{Name: "compare-assets", Title: "Compare assets", Group: "Finance", About: "several assets side by side, with risk and cost"},
		{Name: "dcf-valuation", Title: "DCF valuation", Group: "Finance", About: "what a company is worth from its cash flows", Marks: []string{"builtin"}},
		{Name: "tax-loss-harvest", Title: "Tax-loss harvest", Group: "Finance", About: "losses worth realising, wash sales flagged", Marks: []string{"disabled", "hides the builtin"}},
		{Name: "rewrite-text", Title: "Rewrite text", Group: "General", About: "shorter, clearer, in another tone", Marks: []string{"builtin"}},
		{Name: "中文", Title: "中文摘要 🏳️‍🌈", Group: "General", About: "摘要一份文件"},
		{Name: "half-done", Group: "Skipped", About: "no description in its front matter", Problem: true},
	}}
}

func (l *library) recordRun(action, name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ran = append(l.ran, strings.TrimSpace(action+" "+name))
}

func (l *library) has(name string) bool {
	return slices.ContainsFunc(l.items, func(i tui.ListItem) bool { return i.Name == name })
}

func (l *library) all() []tui.ListItem {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.items)
}

func (l *library) remove(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = slices.DeleteFunc(l.items, func(i tui.ListItem) bool { return i.Name == name })
}

func (l *library) read(name string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.has(name) {
		return "", fmt.Errorf("reading %s: no such file", name)
	}
	if name == "half-done" {
		return "The file has a name and no description.\n\nAdd a line `description: ...`, then press r.", nil
	}
	return "# How to " + name + "\n\nCall `price_history` for **each** symbol, over the same dates, then `returns_stats`. " +
		"Say the currency and the date of every figure.\n\n" +
		"| step | tool |\n|---|---|\n| 1 | price_history |\n| 2 | returns_stats |\n\n" + strings.Repeat("What would change the conclusion?\n\n", 8), nil
}

func (l *library) delete(name string) (tui.ActionResult, error) {
	l.recordRun("delete", name)
	return tui.ActionResult{Confirm: &tui.ConfirmRequest{
		Question: "Delete " + name + "?",
		Detail:   []string{"~/.nfa/skills/" + name + "/SKILL.md   4.1 KB", "and 2 files beside it; this cannot be undone"},
		Yes: func() (tui.ActionResult, error) {
			l.recordRun("deleted", name)
			if !slices.ContainsFunc(l.all(), func(i tui.ListItem) bool { return i.Name == name }) {
				return tui.ActionResult{}, fmt.Errorf("deleting %s: no such skill", name)
			}
			l.remove(name)
			return tui.ActionResult{Message: "deleted " + name}, nil
		},
	}}, nil
}

func creation(problem string) []widget.FormField {
	return []widget.FormField{
		{Name: "name", About: "lower-case letters, digits and hyphens", Required: true, Problem: problem},
		{Name: "description", About: "when to use it, in a sentence", Required: true},
		{Name: "category", About: "the group it is listed under", Hint: "Finance General", Value: "Finance"},
	}
}

func (l *library) create(string) (tui.ActionResult, error) {
	return tui.ActionResult{Ask: l.creating("")}, nil
}

func (l *library) creating(problem string) *tui.ActionForm {
	return &tui.ActionForm{Title: "Create a skill", Fields: creation(problem), Fill: func(values map[string]string) (tui.ActionResult, error) {
		l.recordRun("create", values["name"])
		l.mu.Lock()
		defer l.mu.Unlock()
		switch name := values["name"]; {
		case name == "full":
			return tui.ActionResult{}, errors.New("writing full: no space left on device")
		case strings.ContainsAny(name, " A"):
			return tui.ActionResult{Ask: l.creating(fmt.Sprintf("%q has a space or a capital letter", name))}, nil
		default:
			l.items = append(l.items, tui.ListItem{Name: name, Group: values["category"], About: values["description"]})
			return tui.ActionResult{Message: "created " + name, Select: name}, nil
		}
	}}
}

func (l *library) diagnose(string) (tui.ActionResult, error) {
	return tui.ActionResult{Show: "**1 of 6 skills cannot be used**\n\n- `half-done`: no description. Add a line `description:`."}, nil
}

func (l *library) use(name string) (tui.ActionResult, error) {
	return tui.ActionResult{Compose: "/" + name + " "}, nil
}

func usable(i tui.ListItem) bool { return !i.Problem }

func (l *library) listScreen() *tui.ListScreen {
	return &tui.ListScreen{Title: "Skills", Items: l.all, Read: l.read, Empty: "No skills yet. Press n to create one.", Actions: []tui.ListAction{
		{Action: "u", Name: "use", About: "write its line", AppliesTo: usable, Run: l.use},
		{Action: "n", Name: "new", About: "create a skill", WithoutItem: true, Run: l.create},
		{Action: "d", Name: "delete", About: "delete the skill", Run: l.delete},
		{Action: "x", Name: "doctor", About: "what is wrong with which", WithoutItem: true, Run: l.diagnose},
		{Action: "ctrl+e", Name: "export to a file", AppliesTo: usable, Run: l.use},
	}}
}

// keeping returns a chat whose /skills opens the library.
func (l *library) keeping() tui.Config {
	return tui.Config{Commands: []tui.Command{{Name: "skills", About: "browse and manage skills", Open: l.listScreen}}}
}

// listScreenFrames returns the states of a list screen.
func listScreenFrames() []frame {
	open := func(s *screen) { s.ask("/skills") }
	full := func() tui.Config { return newLibrary().keeping() }
	return []frame{
		{"list", full, func(s *screen) {
			open(s)
			s.press("down", "down")
		}},
		{"list-filter", full, func(s *screen) {
			open(s)
			s.write("fin cash")
		}},
		{"list-pane", full, func(s *screen) {
			open(s)
			s.press("down", "right", "down", "pgdown")
		}},
		{"list-confirm", full, func(s *screen) {
			open(s)
			s.press("tab", "d")
		}},
		{"list-form", full, func(s *screen) {
			open(s)
			s.press("tab", "n")
			s.write("My Plan")
			s.press("tab")
			s.write("Check the plan against the market")
			s.press("ctrl+r")
		}},
		{"list-problem", full, func(s *screen) {
			open(s)
			s.press("end", "tab", "x")
		}},
		{"list-actions", full, func(s *screen) {
			open(s)
			s.press("tab", "down")
		}},
		{"list-empty", func() tui.Config { return new(library).keeping() }, open},
	}
}
