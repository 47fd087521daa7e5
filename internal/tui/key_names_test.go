package tui_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

// free and alsoFree are two keys without a binding that type nothing.
const free, alsoFree = "f9", "f10"

// scene is a state of the chat with keys that have a visible effect.
type scene struct {
	name  string
	cfg   func() tui.Config
	play  func(*screen)
	binds string // the bindings that have an effect there
}

// Components identify a binding by its name, no matter which keys the user chose. A
// key name that no component knows would silently do nothing. So each key, and another one in its
// place, must have an effect that an unbound key does not have.
func TestKeys_EachOfTheTableReachesAComponentThatKnowsIt(t *testing.T) {
	if testing.Short() {
		t.Skip("slow with the race detector, and uses one goroutine")
	}
	t.Parallel()
	seen := map[string]bool{
		// There an unknown key also returns the focus to the composer.
		"unchoose": true,
	}
	for _, sc := range scenes() {
		nothing := keyEffect(t, sc, widget.DefaultKeyMap(), alsoFree)
		for _, name := range strings.Fields(sc.binds) {
			seen[name] = true
			known := widget.DefaultKeyMap().Keys(name)
			for _, key := range known {
				if keyEffect(t, sc, widget.DefaultKeyMap(), key) == nothing {
					t.Errorf("%s: %s, a key of %s, does nothing:\n%s", sc.name, key, name, nothing)
				}
			}
			if name == "interrupt" {
				continue // it stays where it is
			}
			keys, err := widget.NewKeyMap([]widget.KeyOverride{{Name: name, Keys: []string{free}}})
			if err != nil {
				t.Fatal(err)
			}
			if did := keyEffect(t, sc, keys, free); did == keyEffect(t, sc, keys, alsoFree) {
				t.Errorf("%s: another key for %s does nothing, as no component knows %q:\n%s", sc.name, name, known[0], did)
			}
		}
	}
	for _, scope := range widget.KeyScopes() {
		if slices.Contains([]widget.KeyScope{widget.ScopeSkills, widget.ScopeModels, widget.ScopeSessions, widget.ScopePortfolio, widget.ScopeFigures}, scope) {
			continue // their screens are in another package, which tests them
		}
		for _, b := range widget.DefaultKeyMap().Bindings(scope) {
			if !seen[b.Name] {
				t.Errorf("nothing shows that the key of %s does something: give it a scene", b.Name)
			}
		}
	}
}

// keyEffect returns everything that is visible after a key was pressed in a scene.
func keyEffect(t *testing.T, sc scene, keys widget.KeyMap, key string) (seen string) {
	t.Helper()
	onScreen(t, func() tui.Config {
		cfg := sc.cfg()
		cfg.Keys = keys
		return cfg
	}, 80, 24, func(s *screen) {
		sc.play(s)
		s.press(key)
		s.wait(time.Second)
		seen = s.view()
		if c := s.model.View().Cursor; c != nil {
			seen += fmt.Sprintf("\ncursor at column %d, line %d", c.X+1, c.Y+1)
		}
		seen += fmt.Sprintf("\nleft %t, copied %q, wanted %q", s.quit, s.copied, s.wanted)
	})
	return seen
}

// sceneConfig configures a chat with everything that keys can open.
func sceneConfig(turns ...turnFunc) func() tui.Config {
	return func() tui.Config {
		cfg := newLibrary().keeping()
		cfg.Search = func() []tui.SearchItem { return nil }
		var a formCalls
		cfg.Commands = append(cfg.Commands, a.command(compares, compareFields()...))
		cfg.Conversation = &scripted{id: "s1", turns: turns}
		cfg.History = []session.Entry{userEntry("one of before"), userEntry("two of before")}
		cfg.Fork = func(int, string) (*tui.ResumeRequest, error) { return nil, errors.New("a copy is wanted") }
		cfg.Editor = func(string) (*exec.Cmd, error) { return nil, errors.New("an editor is wanted") }
		cfg.Files = func() []string { return []string{"a.csv", "b.csv", "c.csv"} }
		return cfg
	}
}

// several returns an answer several screens long; wide is a table that is wider than the screen.
func several() turnFunc { return calls(strings.Repeat("A draw of the fund.\n\n", 40), priceHistory()) }

func wide() turnFunc {
	columns := func(cell string) string { return strings.Repeat("| "+cell+" ", 16) + "|\n" }
	return turnAnswering(columns("a column") + columns("---") + columns("a value"))
}

// approves returns a turn with an approval request longer than the screen.
func approves() tui.Config {
	cfg := sceneConfig()()
	cfg.Approvals = tui.NewApprovals()
	approvals := cfg.Approvals
	cfg.Conversation = &scripted{id: "s1", turns: []turnFunc{func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		call := llm.ToolCall{ID: "w1", Name: "write_report", Arguments: `{"content":"` + strings.Repeat(`a line of it\n`, 200) + `"}`}
		say(agent.ToolStarted{Call: call})
		answer, err := approvals.Approve(ctx, tool.Approval{Call: call, Effect: tool.Writes, Pattern: "reports/*.md"})
		say(agent.TextDelta{Text: fmt.Sprintf("It was answered %+v.", answer)})
		return agent.TurnDone{Reason: agent.StopAnswered}, err
	}}}
	return cfg
}

// confirmConfig returns a chat with a list screen that asks for a long confirmation.
func confirmConfig() tui.Config {
	cfg := listScreenWith(func(string) (tui.ActionResult, error) {
		return tui.ActionResult{Confirm: &tui.ConfirmRequest{
			Question: "Delete it?", Detail: strings.Split(strings.Repeat("a file of it\n", 60), "\n"),
			Yes: func() (tui.ActionResult, error) { return tui.ActionResult{Message: "it is gone"}, nil },
		}}, nil
	})()
	return cfg
}

// typeThen writes a text and presses keys.
func typeThen(text string, keys ...string) func(*screen) {
	return func(s *screen) {
		s.write(text)
		s.press(keys...)
		s.wait(time.Second)
	}
}

// storedAndTyped sends messages and then presses keys.
func storedAndTyped(messages string, keys ...string) func(*screen) {
	return func(s *screen) {
		for _, m := range strings.Fields(messages) {
			s.ask(m)
		}
		s.press(keys...)
		s.wait(time.Second)
	}
}

// scenes returns scenes that together use every binding.
func scenes() []scene {
	return slices.Concat(writingScenes(), readingScenes(), listScenes(), questionScenes(), listScreenScenes())
}

func writingScenes() []scene {
	return []scene{
		{"an empty line", sceneConfig(), typeThen(""), "interrupt suspend redraw older recall editor pick choose help leave"},
		{"an earlier message", sceneConfig(), typeThen("", "up"), "newer"},
		{"at the end of a line", sceneConfig(), typeThen("one two"), "send new-line undo line-begin word-left cut-word cut-before"},
		{"at its beginning", sceneConfig(), typeThen("one two", "home"), "line-end word-right cut-word-on cut-behind"},
		{"after an undo", sceneConfig(), typeThen("one two", "ctrl+_"), "redo"},
		{"while an answer comes", sceneConfig(hangs("It goes on.")), storedAndTyped("one"), "stop"},
	}
}

func readingScenes() []scene {
	return []scene{
		{"the end of a long answer", sceneConfig(several()), storedAndTyped("one"), "page-up line-up top search"},
		{"the beginning of it", sceneConfig(several()), storedAndTyped("one", "ctrl+home"), "page-down line-down bottom"},
		{"the last answer chosen", sceneConfig(turnAnswering("First."), turnAnswering("Second.")), storedAndTyped("one two", "tab"), "choose-up copy edit retry chosen-help"},
		{"the first answer chosen", sceneConfig(turnAnswering("First."), turnAnswering("Second.")), storedAndTyped("one two", "tab", "tab", "tab"), "choose-down fork"},
		{"a card", sceneConfig(calls("Done.", priceHistory())), storedAndTyped("one"), "open-all"},
		{"a card chosen", sceneConfig(calls("Done.", priceHistory())), storedAndTyped("one", "tab", "tab"), "toggle view"},
		{"a chart chosen", charting, drawnAndChosen, "chart-year chart-five-years chart-all chart-line chart-candles chart-drawdown chart-histogram view"},
		{"a wide table chosen", sceneConfig(wide()), storedAndTyped("one", "tab"), "columns-right"},
		{"the columns behind", sceneConfig(wide()), storedAndTyped("one", "tab", "right"), "columns-left"},
		{"a search", sceneConfig(turnAnswering("A draw."), turnAnswering("A draw."), turnAnswering("A draw.")), func(s *screen) {
			storedAndTyped("one two three", "ctrl+f")(s)
			typeThen("draw", "enter")(s)
		}, "search-up search-down search-close"},
	}
}

func listScenes() []scene {
	queued := func(s *screen) { storedAndTyped("one two three four", "up", "up")(s) }
	return []scene{
		{"commands", sceneConfig(), typeThen("/", "down"), "list-up list-down list-take list-run list-close"},
		{"files", sceneConfig(), typeThen("@", "down"), "list-up list-down list-take list-run list-close"},
		{"earlier messages", sceneConfig(), typeThen("", "ctrl+r"), "list-up list-down list-take list-run list-close recall"},
		{"Queued messages", sceneConfig(hangs("It goes on.")), queued, "list-up list-down list-take list-run list-remove"}, // any other key closes it,
	}
}

func questionScenes() []scene {
	return []scene{
		{"a question", approves, storedAndTyped("one", "down", "down"), "refuse allow-once allow-session allow-always refuse-at-once refuse-all approval-confirm approval-view approval-page-down approval-end approval-up approval-down"},
		{"a reason", approves, func(s *screen) {
			storedAndTyped("one", "n")(s)
			typeThen("not now")(s)
		}, "send stop"},
		{"a form", sceneConfig(), func(s *screen) {
			s.ask("/compare-assets")
			s.press("esc")
			s.ask("")
			typeThen("VTI")(s)
		}, "form-next form-enter form-run form-cancel"},
		{"the second field", sceneConfig(), func(s *screen) {
			s.ask("/compare-assets")
			typeThen("VTI", "down", "right")(s)
		}, "form-previous form-choice-back form-choice-on"},
		{"a form that checks", func() tui.Config {
			done := func(map[string]string) (tui.ActionResult, error) { return tui.ActionResult{Message: "saved"}, nil }
			return listScreenWith(func(string) (tui.ActionResult, error) {
				return tui.ActionResult{Ask: &tui.ActionForm{Title: "Key", Page: true, Fields: []widget.FormField{{Name: "key"}}, Fill: done, Save: done}}, nil
			})()
		}, storedAndTyped("/s", "tab", "x"), "form-save form-cancel form-enter"},
		{"is it meant", confirmConfig, func(s *screen) { storedAndTyped("/s", "tab", "x", "down", "down")(s) }, "confirm-no confirm-yes confirm-up confirm-down"},
	}
}

func listScreenScenes() []scene {
	return []scene{
		{"the first of a list", sceneConfig(), storedAndTyped("/skills"), "screen-down screen-page-down screen-last screen-actions screen-detail screen-enter screen-keys screen-back"},
		{"the last of a list", sceneConfig(), storedAndTyped("/skills", "end"), "screen-up screen-page-up screen-first"},
		{"the details of an item", sceneConfig(), storedAndTyped("/skills", "right"), "screen-list screen-page-down screen-back"},
		{"a filter", sceneConfig(), func(s *screen) {
			storedAndTyped("/skills")(s)
			typeThen("fin")(s)
		}, "screen-filter-clear screen-back screen-enter"},
	}
}
