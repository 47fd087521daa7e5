package eval_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/alert"
	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/files"
)

// overSample returns a runner with the program's own tools and the sample data.
func overSample(t testing.TB, skills *skill.Registry) *eval.Runner {
	t.Helper()
	source := feed.NewSampleSource()
	now := func() time.Time { return time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC) }
	sampleFolder, err := eval.CaseFolder()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, sampleFolder); err != nil {
		t.Fatal(err)
	}
	own := files.NewWorkspace(files.WorkspaceOptions{Dir: dir, Home: filepath.Join(dir, "home")})
	deps := tools.Deps{
		Quotes: source, Bars: source, Directory: source, Series: source, Filings: source, Skills: skills, Now: now,
		Files: own, ReadFile: func(path string) (string, []byte, error) { return own.ReadBytes(path, importer.MaxFileSize) },
		Machine: func() files.MachineFacts {
			return files.MachineFacts{OS: "linux", Arch: "amd64", CPUs: 4, Memory: files.MachineMemory{Total: 8 << 30, Available: 5 << 30}}
		},
		Web: files.NewWebClient(files.WebOptions{}), Online: func() bool { return false },
	}
	routed := func(d tools.Deps, all bool) *tool.Router {
		router, err := tool.NewRouter(tools.All(d), tool.Options{Approver: tool.Policy{All: all}})
		if err != nil {
			t.Fatal(err)
		}
		return router
	}
	return &eval.Runner{Skills: skills, Router: routed(deps, false), Now: now, NewPortfolio: func() (eval.CasePortfolio, error) {
		book, err := sqlite.OpenPortfolioStore(context.Background(), filepath.Join(t.TempDir(), "book.db"), sqlite.Options{Now: now})
		if err != nil {
			return eval.CasePortfolio{}, err
		}
		d := deps
		db, err := sqlite.Open(context.Background(), filepath.Join(t.TempDir(), "nfa.db"), sqlite.Options{})
		if err != nil {
			return eval.CasePortfolio{}, err
		}
		d.Store, d.NewIDs = book, eval.SequentialIDs()
		d.Alerts = func(context.Context) (alert.Store, error) { return db.Alerts(), nil }
		return eval.CasePortfolio{Router: routed(d, false), Record: routed(d, true), Close: func() error { return errors.Join(book.Close(), db.Close()) }}, nil
	}}
}

func TestK29_EveryBuiltInPassesItsEvals(t *testing.T) {
	skills := skill.Open(skill.Options{Roots: []skill.Root{skill.Builtin()}})
	runner := overSample(t, skills)
	// When one of these tools is built, remove its skill from this list; the cases of the skill then run.
	// skill-creator needs the program and is tested by the script skills-creator.
	want := map[string]string{"skill-creator": "needs create_skill"}
	waiting := map[string]string{}
	// The skills that use the portfolio. Each has a case with one.
	withPortfolio := []string{
		"dividend-income", "investment-memo", "macro-dashboard", "morning-note", "portfolio-checkup", "position-sizing", "rebalance", "retirement-plan", "risk-xray", "tax-loss-harvest", "thesis-tracker",
	}
	var booked []string
	passed := 0
	for _, s := range skills.List() {
		for r, err := range runner.Test(t.Context(), s.Name) {
			switch {
			case err != nil:
				t.Fatalf("%s: %v", s.Name, err)
			case r.Verdict == eval.Fail:
				t.Errorf("%s line %d %q:\n%s\n%s", s.Name, r.Line, r.Text, strings.Join(r.Reasons, "\n"), strings.Join(r.Calls, "\n"))
			case r.Kind == eval.KindSkill:
				waiting[s.Name] = strings.Join(r.Reasons, "; ")
			case r.Kind == eval.KindCase:
				passed++
			}
		}
		suite, err := eval.Read(skills, s.Name)
		if slices.ContainsFunc(suite.Cases, func(c eval.Case) bool { return len(c.Portfolio) > 0 }) {
			booked = append(booked, s.Name)
		}
		if err != nil || len(suite.Select) < 3 || len(suite.Avoid) < 3 {
			t.Errorf("%s: %d prompts to select it, %d to avoid it, %v; want three of each", s.Name, len(suite.Select), len(suite.Avoid), err)
		}
	}
	slices.Sort(booked)
	if diff := cmp.Diff(withPortfolio, booked); diff != "" {
		t.Errorf("skills with a case that has a portfolio (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, waiting); diff != "" {
		t.Errorf("skills whose evals cannot be run (-want +got):\n%s", diff)
	}
	if passed < 42 {
		t.Errorf("%d cases passed, want the 42 that there were when this was written", passed)
	}
}
