package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/usage"
)

// SkillTestTime returns the time of skill tests. It is fixed, after the end of the sample data, so that
// results do not change.
func SkillTestTime() time.Time { return time.Date(2026, time.March, 31, 12, 0, 0, 0, time.UTC) }

// SkillTests returns the runner of skill tests. It uses sample data, sample files in a temporary
// folder, an invented computer and no network, even if the program uses live sources. It refuses
// calls that would write. Live runs also use the active model. Close removes the folder.
func (a *App) SkillTests(live bool) (runner *eval.Runner, closeTests func() error, err error) {
	dir, err := os.MkdirTemp("", "nfa-test-")
	if err != nil {
		return nil, nil, fmt.Errorf("create a folder for the tests: %w", err)
	}
	closeTests = func() error { return os.RemoveAll(dir) }
	defer func() {
		if err != nil {
			err = errors.Join(err, closeTests())
		}
	}()
	sampleFiles, err := eval.CaseFolder()
	if err == nil {
		err = os.CopyFS(dir, sampleFiles)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("prepare the folder for the tests: %w", err)
	}
	source, workspace := feed.NewSampleSource(), files.NewWorkspace(files.WorkspaceOptions{Dir: dir, Home: filepath.Join(dir, "home")})
	deps := tools.Deps{
		Quotes: source, Bars: source, Directory: source, Series: source, Filings: source, Skills: a.Skills.Registry, SkillCreator: a.Skills.Library, Now: SkillTestTime,
		Files: workspace, ReadFile: func(path string) (string, []byte, error) { return workspace.ReadBytes(path, importer.MaxFileSize) },
		Machine: func() files.MachineFacts {
			return files.MachineFacts{
				OS: "linux", Arch: "amd64", Go: "go1.26", Program: "0.1.0", CPUs: 4,
				Memory: files.MachineMemory{Total: 8 << 30, Available: 5 << 30},
			}
		},
		Web: files.NewWebClient(files.WebOptions{}), Online: func() bool { return false },
	}
	router, err := a.testRouter(deps, false)
	if err != nil {
		return nil, nil, err
	}
	runner = &eval.Runner{
		Skills: a.Skills.Registry, Router: router, Now: SkillTestTime, ParseCommand: a.parseCommand,
		NewPortfolio: func() (eval.CasePortfolio, error) { return a.testPortfolio(deps) },
	}
	if live {
		runner.Live, err = a.liveModel()
	}
	return runner, closeTests, err
}

// testSkillDraft runs the evaluations of a skill that does not exist yet.
func (a *App) testSkillDraft(ctx context.Context, name string, files map[string][]byte) (passed int, failures []string, err error) {
	dir, err := os.MkdirTemp("", "nfa-draft-")
	if err != nil {
		return 0, nil, fmt.Errorf("create a folder for the draft: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
		return 0, nil, err
	}
	for file, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name, file), text, 0o600); err != nil {
			return 0, nil, err
		}
	}
	runner, closeTests, err := a.SkillTests(false)
	if err != nil {
		return 0, nil, err
	}
	defer func() { err = errors.Join(err, closeTests()) }()
	runner.Skills = skill.Open(skill.Options{Roots: []skill.Root{{Dir: dir, Source: skill.SourceUser}}, Log: a.Log})
	for result, err := range runner.Test(ctx, name) {
		switch {
		case err != nil:
			return 0, nil, err
		case result.Kind == eval.KindCase && result.Verdict == eval.Pass:
			passed++
		case result.Verdict == eval.Fail, result.Kind == eval.KindSkill:
			for _, reason := range result.Reasons {
				failures = append(failures, strings.ReplaceAll(reason, filepath.Join(dir, name)+string(filepath.Separator), ""))
			}
		}
	}
	return passed, failures, nil
}

// testRouter returns a router whose tools may write only if writes is set.
func (a *App) testRouter(d tools.Deps, writes bool) (*tool.Router, error) {
	approver := tool.ApproverFunc(func(context.Context, tool.Approval) (tool.Answer, error) {
		if writes {
			return tool.Answer{Allowed: true}, nil
		}
		return tool.Answer{Reason: "not available in a skill test"}, nil
	})
	router, err := tool.NewRouter(tools.All(d), tool.Options{Approver: approver, Log: a.Log})
	if err != nil {
		return nil, fmt.Errorf("register the tools: %w", err)
	}
	return router, nil
}

// testPortfolio creates a portfolio for a test case in a temporary folder.
func (a *App) testPortfolio(d tools.Deps) (eval.CasePortfolio, error) {
	dir, err := os.MkdirTemp("", "nfa-book-")
	if err != nil {
		return eval.CasePortfolio{}, err
	}
	store, database := NewPortfolioStore(dir, a.Now, func(string) {}), NewDatabase(dir, func(string) {})
	b := eval.CasePortfolio{Close: func() error { return errors.Join(store.Close(), database.Close(), os.RemoveAll(dir)) }}
	d.Store, d.NewIDs = store, eval.SequentialIDs()
	d.Alerts = (&Stores{Database: database}).AlertStore
	if b.Router, err = a.testRouter(d, false); err == nil {
		b.Record, err = a.testRouter(d, true)
	}
	if err != nil {
		return eval.CasePortfolio{}, errors.Join(err, b.Close())
	}
	return b, nil
}

// liveModel returns the active agent and model.
func (a *App) liveModel() (*eval.LiveModel, error) {
	setup, err := a.Setup()
	if err != nil {
		return nil, err
	}
	if setup.ModelName == catalog.Offline {
		return nil, usage.Errorf("--live needs a model; connect one with nfa setup")
	}
	return &eval.LiveModel{Setup: setup, WithheldReason: func(s skill.Skill) string {
		var reasons []string
		_, out := skill.SplitEligible([]skill.Skill{s}, a.Skills.HasTool, a.Skills.State.Disabled)
		for _, e := range out {
			reasons = append(reasons, e.Reason)
		}
		return strings.Join(reasons, "; ")
	}}, nil
}
