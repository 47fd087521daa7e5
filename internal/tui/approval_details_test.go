package tui_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// reportReplaced returns the approval of a report that replaces another.
func reportReplaced() tool.Approval {
	return tool.Approval{
		Call:     llm.ToolCall{ID: "w1", Name: "write_report", Arguments: hostileReport},
		Effect:   tool.Writes,
		Question: "Replace reports/aapl.md? 214 bytes become 268 bytes; 2 lines removed, 3 added.",
		Touch:    tool.Touch{Files: "/home/me/work/reports/aapl.md and its provenance record", Network: "no"},
		Targets:  "~/work/reports/aapl.md, until you quit",
		Plan:     []string{"2 of 2 figures traced"},
		Changes: []string{
			"@@ -1,5 +1,6 @@", " # AAPL", " ", "-AAPL closed at 69.02 USD on 2020-04-16.", "+AAPL closed at 70.70 USD on 2020-04-17, the last day of the sample that comes with the program.",
			"+\tThe file is \u202etxt.exe", " ", " ## Sources", "@@ -12,1 +13,1 @@", "-old end", "(no line break at the end)", "+new end",
		},
	}
}

// approvalTurn returns a turn that writes a reason and then asks for all of these approvals at once.
func approvalTurn(a *tui.Approvals, why string, requests ...tool.Approval) turnFunc {
	return func(ctx context.Context, _ agent.Input, say emit) (agent.TurnDone, error) {
		say(agent.TextDelta{Text: why})
		for _, r := range requests {
			say(agent.ToolStarted{Call: r.Call})
		}
		answered := make(chan struct{}, len(requests))
		for i, r := range requests {
			go func() {
				// One after the other, like the calls of a step.
				time.Sleep(time.Duration(i) * time.Millisecond)
				_, _ = a.Approve(ctx, r)
				answered <- struct{}{}
			}()
		}
		for range requests {
			<-answered
		}
		say(agent.StepDone{})
		return agent.TurnDone{Reason: agent.StopAnswered}, nil
	}
}

const because = "The price is a day newer than that of the report.\n\nI replace it, as you asked."

func replacing() tui.Config {
	a := tui.NewApprovals()
	cfg := talk(approvalTurn(a, because, reportReplaced()))()
	cfg.Approvals = a
	return cfg
}

// fetching asks for three addresses at once.
func fetching() tui.Config {
	a := tui.NewApprovals()
	var requests []tool.Approval
	for _, host := range []string{"one.example", "two.example", "three.example"} {
		requests = append(requests, tool.Approval{
			Call:  llm.ToolCall{ID: host, Name: "web_fetch", Arguments: `{"address":"https://` + host + `/?q=1"}`},
			Hosts: []string{host},
			Plan: []string{
				"address  https://" + host + "/?q=1", "The address appears nowhere in this session.", "This session has read your portfolio. Check that none of it is sent.",
			},
		})
	}
	cfg := talk(approvalTurn(a, "", requests...))()
	cfg.Approvals = a
	return cfg
}

// runningScript asks whether a skill with a script may run.
func runningScript() tui.Config {
	a := tui.NewApprovals()
	plan := []string{"1 read   price_history  range 5y · symbol AAPL", "2 read   technical_indicators  indicators sma:10, rsi:14 · range 5y · symbol AAPL", "3 run    scripts/finding.py  history from step 1 · symbol AAPL",
		"  with sandbox CPython 3.12.0, sandboxed: no files, no network", "  scripts/finding.py · 67 lines · sha256 e270bb51"}
	for i := range 67 {
		plan = append(plan, fmt.Sprintf("  %4d line %d of the script", i+1, i+1))
	}
	plan = append(plan, "4 write  write_report  content from step 3 · path from step 3")
	cfg := talk(approvalTurn(a, "", tool.Approval{
		Call:   llm.ToolCall{ID: "s1", Name: "skill_price_alert_report", Arguments: `{"symbol":"AAPL"}`},
		Effect: tool.Executes, AskedBy: "/price-alert-report AAPL",
		Question: "Run price-alert-report on AAPL? It reads price history, technical indicators; runs finding.py (sandboxed); writes report.",
		Touch:    tool.Touch{Files: "writes ~/.nfa/reports", Network: tool.MarketSources, Environment: "nothing"},
		Plan:     plan, Targets: "price-alert-report AAPL, until you quit", Pattern: "the current version of this skill (e270bb51a3c4)",
	}))()
	cfg.Approvals = a
	return cfg
}

// askingFrames returns the frames with approvals, searches and selections.
func askingFrames() []frame {
	ask := func(s *screen) { s.ask(question) }
	answered := talk(calls(reply, priceHistory(), returnsStats()))
	return []frame{
		{"approval-diff", replacing, func(s *screen) { s.ask("Bring the report up to date") }},
		{"approval-several", fetching, func(s *screen) {
			s.ask("Read these three")
			s.wait(time.Second)
			s.press("y")
		}},
		{"approval-more", runningScript, func(s *screen) { s.ask("Report on AAPL") }},
		{"approval-view", runningScript, func(s *screen) {
			s.ask("Report on AAPL")
			s.wait(time.Second)
			s.press("y")
		}},
		{"approval-refusal", replacing, func(s *screen) {
			s.ask("Bring the report up to date")
			s.press("n")
			s.write("keep the old one, and write 中文.md")
		}},
		{"help", helpConfig, func(s *screen) { s.press("?") }},
		{"help-search", helpConfig, func(s *screen) {
			s.press("?")
			s.write("color")
		}},
		{"find", answered, func(s *screen) {
			ask(s)
			s.press("ctrl+f")
			s.write("2009")
		}},
		{"find-nothing", answered, func(s *screen) {
			ask(s)
			s.press("ctrl+f")
			s.write("dividend yield")
		}},
		{"chosen", answered, func(s *screen) {
			ask(s)
			s.press("tab", "tab", "tab", "tab")
		}},
	}
}

func TestApproval_ParallelQuestionsAreCountedToTheLast(t *testing.T) {
	onScreen(t, fetching, 80, 24, func(s *screen) {
		s.ask("Read these three")
		for _, want := range []string{"1 of 3", "2 of 3", "3 of 3"} {
			s.wait(time.Second)
			s.shows("Send a request to", want)
			s.press("y")
		}
		s.wait(time.Second)
		s.showsNot("Send a request to")
	})
}

func TestApproval_ShowsTheModelsTextOfThatStepAsReason(t *testing.T) {
	onScreen(t, func() tui.Config {
		a := tui.NewApprovals()
		first, second := approvalTurn(a, "It was stale.", reportReplaced()), approvalTurn(a, "", reportReplaced())
		cfg := talk(func(ctx context.Context, in agent.Input, say emit) (agent.TurnDone, error) {
			if _, err := first(ctx, in, say); err != nil {
				return agent.TurnDone{}, err
			}
			return second(ctx, in, say)
		})()
		cfg.Approvals = a
		return cfg
	}, 80, 30, func(s *screen) {
		s.ask("save")
		s.wait(time.Second)
		s.shows("asked by    the model: “It was stale.”", "- AAPL closed at 69.02", "+ AAPL closed at 70.70")
		s.press("y")
		s.wait(time.Second)
		s.shows("Replace reports/aapl.md?")
		if strings.Contains(s.view(), "the model: ") {
			t.Errorf("the second step, which said nothing, is given a reason:\n%s", s.view())
		}
	})
}
