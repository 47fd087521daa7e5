package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/usage"
)

// testFlags are the flags of nfa skills test: which skills to test, and how to print the results.
type testFlags struct{ all, live bool }

func newSkillsTest(g *globals) *cobra.Command {
	f := &testFlags{}
	cmd := &cobra.Command{
		RunE: func(cmd *cobra.Command, names []string) error {
			if f.all == (len(names) > 0) {
				return usage.Errorf("missing skill; name one or pass --all; usage: %s", cmd.UseLine())
			}
			return runSkillsTest(cmd.Context(), g, *f, names)
		},
	}
	cmd.Flags().BoolVar(&f.all, "all", false, "test every skill; skills without tests are reported as not run")
	cmd.Flags().BoolVar(&f.live, "live", false, "also send each prompt to the configured model, and check that it loads the skill")
	return cmd
}

func runSkillsTest(ctx context.Context, g *globals, f testFlags, names []string) (err error) {
	a, err := g.open(ctx, app.Options{Agent: f.live, Notice: g.notice})
	if err != nil {
		return err
	}
	defer a.Close()
	if names, err = testNames(a, names); err != nil {
		return err
	}
	runner, closeTests, err := a.SkillTests(f.live)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeTests()) }()
	card := eval.NewReporter(g.out, g.json)
	failed := false
	for _, name := range names {
		for result, testErr := range runner.Test(ctx, name) {
			if err = testErr; err == nil {
				failed = failed || result.Verdict == eval.Fail
				card.Add(result)
			}
		}
		if err != nil {
			break // every other skill would fail the same way
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

// testNames resolves the names of the skills to test; no names means all skills. Naming a skill
// without tests is an error.
func testNames(a *app.App, names []string) ([]string, error) {
	var out []string
	if len(names) == 0 {
		for _, s := range a.Skills.Registry.List() {
			out = append(out, s.Name)
		}
		return out, nil
	}
	for _, name := range names {
		s, ok := a.Skills.Registry.Lookup(name)
		if !ok {
			return nil, a.Skills.NotFound(name)
		}
		if _, err := eval.Read(a.Skills.Registry, s.Name); errors.Is(err, eval.ErrNoSuite) {
			return nil, usage.Errorf("skill %s has no tests; write them to %s, such as:\n\n%s",
				s.Name, filepath.Join(s.Directory, skill.EvalsFile), eval.Example)
		}
		out = append(out, s.Name)
	}
	return out, nil
}
