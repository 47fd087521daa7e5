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

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/usage"
)

// testFlags are the flags of nfa skills test: which skills to test, and how to print the results.
type testFlags struct{ all, json, live bool }

func newSkillsTest(g *globals) *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		Use: "test NAME... | --all", Short: "Try skills out with their " + skill.EvalsFile,
		Long: `test plays the cases of the evals.yaml beside each SKILL.md: the model's turns are
written there, the loop and the tools are real, on sample data and with the clock at ` + testTime().Format(time.DateOnly) + `.
Tools that write or execute are refused. Nothing is sent anywhere and nothing kept.

--live also sends each prompt to the configured model and looks whether its first step
loads the skill. That costs what a question costs, once for every prompt.

Exit codes: 0 nothing failed, 1 something did, 2 usage, 4 the model's server.`,
		Example: `  nfa skills test get-price
  nfa skills test --all
  nfa skills test get-price --live --model openai/gpt-4o-mini`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if f.all == (len(names) > 0) {
				return usage.Errorf("name the skills to test, or say --all; usage: %s", cmd.UseLine())
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
	p, err := openProgram(ctx, g, programOptions{sessions: f.live, notice: g.notice})
	if err != nil {
		return err
	}
	defer p.close()
	if names, err = p.testNames(names); err != nil {
		return err
	}
	runner, err := p.evalRunner(f.live)
	if err != nil {
		return err
	}
	card := eval.NewReporter(g.out, f.json)
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

// testNames resolves the names of skills that are to be tested, none standing for
// all. To name one that has no tests is a mistake.
func (p *program) testNames(names []string) ([]string, error) {
	var out []string
	if len(names) == 0 {
		for _, s := range p.skills.List() {
			out = append(out, s.Name)
		}
		return out, nil
	}
	for _, name := range names {
		s, ok := p.skills.Lookup(name)
		if !ok {
			return nil, p.skillLibrary.NotFound(name)
		}
		if _, err := eval.Read(p.skills, s.Name); errors.Is(err, eval.ErrNoSuite) {
			return nil, usage.Errorf("the skill %s has no tests; write them to %s, such as:\n\n%s",
				s.Name, filepath.Join(s.Directory, skill.EvalsFile), eval.Example)
		}
		out = append(out, s.Name)
	}
	return out, nil
}

// testTime returns the time at which tests run. It is fixed, after the end of the sample data, so
// that results do not change from day to day.
func testTime() time.Time { return time.Date(2026, time.March, 31, 12, 0, 0, 0, time.UTC) }

// evalRunner runs test cases with sample data, even if the program uses live sources. It refuses
// calls that would write anything.
func (p *program) evalRunner(live bool) (*eval.Runner, error) {
	source := feed.NewSampleSource()
	deps, err := p.testSystemDeps(tools.Deps{
		Quotes: source, Bars: source, Directory: source, Series: source, Filings: source, Skills: p.skills, Now: testTime,
	})
	if err != nil {
		return nil, err
	}
	router, err := p.testRouter(deps, false)
	if err != nil {
		return nil, err
	}
	runner := &eval.Runner{Skills: p.skills, Router: router, Now: testTime, NewPortfolio: func() (eval.CasePortfolio, error) { return p.testPortfolio(deps) }}
	if live {
		runner.Live, err = p.evalLive()
	}
	return runner, err
}

// testRouter is a router whose tools may write, or not.
func (p *program) testRouter(d tools.Deps, writes bool) (*tool.Router, error) {
	approver := tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
		if writes {
			return tool.Answer{Allowed: true}, nil
		}
		return tool.Answer{Reason: "the test of a skill changes nothing"}, nil
	})
	router, err := tool.NewRouter(tools.All(d), tool.Options{Approver: approver, Log: p.log})
	if err != nil {
		return nil, fmt.Errorf("wiring the tools: %w", err)
	}
	return router, nil
}

// testPortfolio gives a test case a portfolio of its own, in a temporary folder.
func (p *program) testPortfolio(d tools.Deps) (eval.CasePortfolio, error) {
	dir, err := os.MkdirTemp("", "nfa-book-")
	if err != nil {
		return eval.CasePortfolio{}, err
	}
	store := app.NewPortfolioStore(dir, clock, func(string) {})
	b := eval.CasePortfolio{Close: func() error { return errors.Join(store.Close(), os.RemoveAll(dir)) }}
	d.Store, d.NewIDs = store, eval.SequentialIDs()
	if b.Router, err = p.testRouter(d, false); err == nil {
		b.Record, err = p.testRouter(d, true)
	}
	if err != nil {
		return eval.CasePortfolio{}, errors.Join(err, b.Close())
	}
	return b, nil
}

// evalLive returns the agent and the model that would answer a question now.
func (p *program) evalLive() (*eval.LiveModel, error) {
	setup, err := p.turnSetup()
	if err != nil {
		return nil, err
	}
	if setup.ModelName == catalog.Offline {
		return nil, usage.Errorf("--live needs a language model: set NFA_BASE_URL, NFA_API_KEY and NFA_MODEL, or OPENAI_API_KEY")
	}
	return &eval.LiveModel{Setup: setup, WithheldReason: func(s skill.Skill) string {
		var reasons []string
		_, out := skill.SplitEligible([]skill.Skill{s}, p.skillLibrary.HasTool, p.state.Disabled)
		for _, e := range out {
			reasons = append(reasons, e.Reason)
		}
		return strings.Join(reasons, "; ")
	}}, nil
}
