package repl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

// attachConfig configures a chat with a file @a.csv and a file @huge.csv that is too large.
func attachConfig(c *scripted) func() repl.Config {
	return func() repl.Config {
		cfg := chatWith()
		c.id, c.turns = "s1", []turn{turnAnswering("Read."), turnAnswering("Read.")}
		cfg.Conversation = c
		cfg.Commands = []tui.Command{{Name: "look", Kind: tui.KindSkill, Prepare: func(args string) (agent.Input, error) {
			return agent.Input{Text: "/look " + args, ForModel: "Look."}, nil
		}}}
		cfg.Attach = func(in agent.Input) (agent.Input, error) {
			switch {
			case strings.Contains(in.Text, "@huge.csv"):
				return in, errors.New("attaching @huge.csv: too large")
			case strings.Contains(in.Text, "@a.csv"):
				in.Text += "\n(attached: a.csv)"
			}
			return in, nil
		}
		return cfg
	}
}

func TestAttach_TheFilesOfAMessageGoWithIt(t *testing.T) {
	for _, row := range []struct{ name, line, want, sent string }{
		{"a message", "see @a.csv", "Notice: attached: a.csv\nAssistant: Read.\n", "see @a.csv\n(attached: a.csv)"},
		{"a skill", "/look @a.csv", "Notice: attached: a.csv\nAssistant: Read.\n", "/look @a.csv\n(attached: a.csv)"},
		{"no file", "see @nobody", "Assistant: Read.\n", "see @nobody"},
		{"one that cannot be", "see @huge.csv", "Error: attaching @huge.csv: too large. Nothing was sent.\n", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			var c scripted
			checkOutput(t, row.line+"\n", attachConfig(&c), "You: "+row.line+"\n"+row.want)
			if got := strings.Join(c.got, "|"); got != row.sent {
				t.Errorf("sent %q, want %q", got, row.sent)
			}
		})
	}
}

func TestAttach_AfterAFailureThereIsNothingToResume(t *testing.T) {
	var c scripted
	if _, result, err := inLines(t, "see @huge.csv\n", attachConfig(&c)); result.SessionID != "" || err != nil {
		t.Errorf("Run = %+v, %v, want nothing to resume", result, err)
	}
}

func TestCommand_AListScreenIsPrintedUpToItsLimit(t *testing.T) {
	for _, row := range []struct {
		name, line string
		items      int
		shown      int
		end        string
	}{
		{"as many as are listed", "/symbols", 50, 50, "  50. S49\nNotice: To use an item, type its number.\n"},
		{"one more", "/symbols", 51, 50, "  50. S49\n\n  … and 1 more; to filter: /symbols WORDS\nNotice: To use an item, type its number.\n"},
		{"thousands", "/symbols", 1770, 50, "\n\n  … and 1720 more; to filter: /symbols WORDS\nNotice: To use an item, type its number.\n"},
		{"words narrow", "/symbols s17", 1770, 50, "\n\n  … and 31 more; to filter: /symbols WORDS\nNotice: To use an item, type its number.\n"}, // S17, S170 to S179, S1700 to S1769
		{"an item behind the bound is read", "/symbols S1700", 1770, 0, "nfa: of S1700\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			symbols := tui.Command{Name: "symbols", Open: func() *tui.ListScreen {
				return &tui.ListScreen{Title: "Symbols", Items: func() []tui.ListItem {
					items := make([]tui.ListItem, row.items)
					for i := range items {
						items[i].Name = fmt.Sprint("S", i)
					}
					return items
				}, Read: func(name string) (string, error) { return "of " + name, nil }}
			}}
			got, _, err := inLines(t, row.line+"\n", withCommands(symbols))
			if err != nil || strings.Count(got, ". S") != row.shown || !strings.HasSuffix(got, row.end) {
				t.Errorf("%v; %d items, want %d, and at the end %q:\n%s", err, strings.Count(got, ". S"), row.shown, row.end, cmp.Diff("", got))
			}
		})
	}
}
