package repl_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/chart"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/repl"
)

var labeled = regexp.MustCompile(`^((You|Answer|Value|Assistant|Tool|Approval needed|Notice|Error|Not traced|Chart|nfa|Try):( .*)?|  .*|)$`)

func hostile() []string {
	return []string{
		"plain", "\x1b[31mred\x1b]0;title\x07", "a\u202eb\u2066c", "\x9b2J", "x\nYou: y\nApproval needed: z", "```\nYou: y\n\n\n```\nAnswer: y",
		"\r\nError: \x00", "> q\n\n- a\n\n  b\n\n1. c\n", "| a | b |\n|-|-|\n| \x1b[2J | You: y |\n\nend", "    code\n\n    more\n\n\ttab", "***\n\n---\n", "\xff\xfe", "~~~\n\nopen",
	}
}

// Outside text must not control the terminal, and none of its lines may start with a label.
func FuzzRun_NothingFromOutsideActsOrPassesForALabel(f *testing.F) {
	for i, text := range hostile() {
		f.Add(text, i)
	}
	f.Fuzz(func(t *testing.T, text string, cut int) {
		a := tui.NewApprovals()
		var got string
		got, _, _ = inLines(t, "go\nn\n/show\n/list\n", func() repl.Config {
			a = tui.NewApprovals()
			c := call(text, text, text)
			cut = max(0, min(cut, len(text)))
			cfg := chatWith(turnWithEvents(agent.TurnDone{Reason: agent.StopProvider, Figures: agent.FiguresReport{Total: 1, Untraced: []string{text}}}, errors.New(text),
				agent.TextDelta{Text: text[:cut]}, agent.TextDelta{Text: text[cut:]}, agent.ReasoningDelta{Text: text},
				agent.ToolStarted{Call: c}, agent.ToolFinished{Outcome: tool.Outcome{Call: c, Result: tool.Result{Title: text, Summary: text, Chart: &chart.Spec{Kind: chart.KindLine, Title: text, Series: []chart.Series{{Name: text}}}}}},
				agent.ToolStarted{Call: c}, agent.ToolFinished{Outcome: tool.Outcome{Call: c, Result: tool.Failed(tool.CodeNoData, text)}},
				agent.ToolStarted{Call: c}, agent.SkillLoaded{Name: text}, agent.Retrying{Err: errors.New(text), Restarted: true},
			))
			cfg.Approvals = a
			cfg.StartPage = func() tui.StartPage { return tui.StartPage{Intro: text, State: []tui.StateLine{{Text: text}}} }
			cfg.Commands = []tui.Command{
				{Name: "show", About: text, Hint: text, Run: tui.TextCommand(func(string) (string, error) { return text, nil })},
				{Name: "list", About: text, Open: func() *tui.ListScreen {
					return &tui.ListScreen{Title: text, Items: func() []tui.ListItem {
						return []tui.ListItem{{Name: text, Group: text, About: text, Marks: []string{text}}}
					}}
				}},
			}
			return cfg
		})
		if !utf8.ValidString(got) {
			t.Errorf("not UTF-8: %q", got)
		}
		for _, line := range strings.Split(got, "\n") {
			if !labeled.MatchString(line) {
				t.Errorf("a line has no label of ours: %q", line)
			}
			for _, r := range line {
				if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
					t.Errorf("%U was written in %q", r, line)
				}
			}
		}
	})
}

// An answer is printed the same however it is split on its way.
func FuzzRun_TheCutOfAnAnswerMakesNoDifference(f *testing.F) {
	for i, text := range hostile() {
		f.Add(text, i+1)
	}
	f.Add("One.\n\nTwo.\n\n- a\n\n- b\n  c\n\nEnd", 6)
	f.Fuzz(func(t *testing.T, text string, cut int) {
		cut = max(0, min(cut, len(text)))
		whole, _, _ := inLines(t, "go\n", func() repl.Config { return chatWith(turnAnswering(text)) })
		cutUp, _, _ := inLines(t, "go\n", func() repl.Config { return chatWith(turnAnswering(text[:cut], text[cut:])) })
		if whole != cutUp {
			t.Errorf("cut at %d:\n%s\nwhole:\n%s", cut, cutUp, whole)
		}
	})
}
