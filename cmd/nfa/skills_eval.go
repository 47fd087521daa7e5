package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cabinet"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/eval/scorecard"
	"github.com/nfa-cli/nfa/internal/market/sample"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/switchboard"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox"
)

// testFlags say what of which skills is tested, and how it is told.
type testFlags struct{ all, json, live bool }

func newSkillsTest(g *globals) *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use: "test NAME... | --all", Short: "Try skills out with their " + skill.EvalsFile,
		Long: `test plays the cases of the evals.yaml beside each SKILL.md: the model's turns are
written there, the loop and the tools are real, on sample data and with the clock at ` + testMoment().Format(time.DateOnly) + `.
Tools that write or execute are refused. Nothing is sent anywhere and nothing kept.

--live also sends each prompt to the configured model and looks whether its first step
loads the skill. That costs what a question costs, once for every prompt.

Exit codes: 0 nothing failed, 1 something did, 2 usage, 4 the model's server.`,
		Example: `  nfa skills test get-price
  nfa skills test --all
  nfa skills test get-price --live --model openai/gpt-4o-mini`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if f.all == (len(names) > 0) {
				return misuse.Errorf("name the skills to test, or say --all; usage: %s", cmd.UseLine())
			}
			return runSkillsTest(cmd.Context(), g, *f, names)
		},
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "every skill; those without tests are told as not run")
	cmd.Flags().BoolVar(&f.json, "json", false, "as JSON, an array of results")
	cmd.Flags().BoolVar(&f.live, "live", false, "ask the configured model the prompts, too")
	return cmd
}

func runSkillsTest(ctx context.Context, g *globals, f testFlags, names []string) error {
	h, err := wire(ctx, g, wiring{sessions: f.live, notice: g.notice})
	if err != nil {
		return err
	}
	defer h.close()
	if names, err = h.testable(names); err != nil {
		return err
	}
	runner, err := h.evalRunner(f.live)
	if err != nil {
		return err
	}
	card := scorecard.New(g.out, f.json)
	failed := false
	for _, name := range names {
		for result, testErr := range runner.Test(ctx, name) {
			if err = testErr; err == nil {
				failed = failed || result.Verdict == eval.Fail
				card.Add(result)
			}
		}
		if err != nil {
			break // the next skill would meet the same
		}
	}
	if finishErr := card.Finish(); err == nil {
		err = finishErr
	}
	if err == nil && failed {
		return &exitError{code: exitFailure}
	}
	return err
}

// testable resolves the names of skills that are to be tested, none standing for
// all. To name one that has no tests is a mistake.
func (h *house) testable(names []string) ([]string, error) {
	var out []string
	if len(names) == 0 {
		for _, s := range h.skills.List() {
			out = append(out, s.Name)
		}
		return out, nil
	}
	for _, name := range names {
		s, ok := h.skills.Lookup(name)
		if !ok {
			return nil, h.set.Unknown(name)
		}
		if _, err := eval.Read(h.skills, s.Name); errors.Is(err, eval.ErrNoSuite) {
			return nil, misuse.Errorf("the skill %s has no tests; write them to %s, such as:\n\n%s",
				s.Name, filepath.Join(s.Directory, skill.EvalsFile), eval.Example)
		}
		out = append(out, s.Name)
	}
	return out, nil
}

// testMoment is when tests take place: after the end of the sample data, and the
// same tomorrow.
func testMoment() time.Time { return time.Date(2026, time.March, 31, 12, 0, 0, 0, time.UTC) }

// evalRunner plays cases over the sample data, whatever the sources of the house
// are, and refuses what would leave a trace.
func (h *house) evalRunner(live bool) (*eval.Runner, error) {
	source := sample.New()
	deps, err := h.inTestWorld(toolbox.Deps{
		Quotes: source, Bars: source, Directory: source, Series: source, Filings: source, Skills: h.skills, Now: testMoment,
	})
	if err != nil {
		return nil, err
	}
	router, err := h.testRouter(deps, false)
	if err != nil {
		return nil, err
	}
	runner := &eval.Runner{Skills: h.skills, Router: router, Now: testMoment, Book: func() (eval.Book, error) { return h.testBook(deps) }}
	if live {
		runner.Live, err = h.evalLive()
	}
	return runner, err
}

// testRouter is a router whose tools may write, or not.
func (h *house) testRouter(d toolbox.Deps, writes bool) (*tool.Router, error) {
	approver := tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
		if writes {
			return tool.Answer{Allowed: true}, nil
		}
		return tool.Answer{Reason: "the test of a skill changes nothing"}, nil
	})
	router, err := tool.NewRouter(toolbox.All(d), tool.Options{Approver: approver, Log: h.log})
	if err != nil {
		return nil, fmt.Errorf("wiring the tools: %w", err)
	}
	return router, nil
}

// testBook is the book of one case, in a folder of its own.
func (h *house) testBook(d toolbox.Deps) (eval.Book, error) {
	dir, err := os.MkdirTemp("", "nfa-book-")
	if err != nil {
		return eval.Book{}, err
	}
	store := cabinet.NewBook(dir, clock, func(string) {})
	b := eval.Book{Close: func() error { return errors.Join(store.Close(), os.RemoveAll(dir)) }}
	d.Book, d.NewIDs = store, eval.IDs()
	if b.Router, err = h.testRouter(d, false); err == nil {
		b.Record, err = h.testRouter(d, true)
	}
	if err != nil {
		return eval.Book{}, errors.Join(err, b.Close())
	}
	return b, nil
}

// evalLive is what would answer a question now.
func (h *house) evalLive() (*eval.Live, error) {
	setup, err := h.setup()
	if err != nil {
		return nil, err
	}
	if setup.ModelName == switchboard.Offline {
		return nil, misuse.Errorf("--live needs a language model: set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL, or OPENAI_API_KEY")
	}
	return &eval.Live{Setup: setup, Withheld: func(s skill.Skill) string {
		var reasons []string
		_, out := skill.Eligible([]skill.Skill{s}, h.set.HasTool, h.state.Disabled)
		for _, e := range out {
			reasons = append(reasons, e.Reason)
		}
		return strings.Join(reasons, "; ")
	}}, nil
}
