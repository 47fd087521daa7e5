package skills

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/python/pythontest"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
	"github.com/nfa-cli/nfa/internal/tool"
)

// TestMain lets the test binary be the child of the sandbox, as nfa is.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == python.SandboxVerb {
		os.Exit(python.SandboxMain(os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// scriptWorld has the skills of testdata/published, which are written like published skills.
type scriptWorld struct {
	workflows Workflows
	router    *tool.Router
	approvals []tool.Approval
	refuse    bool
}

func newScriptWorld(t *testing.T, runner *python.Runner) *scriptWorld {
	t.Helper()
	registry, _ := skilltest.OpenRegistry(t, skilltest.UserRoot("testdata/published"))
	w := &scriptWorld{workflows: Workflows{Skills: registry, Python: runner}}
	var err error
	w.router, err = tool.NewRouter([]tool.Tool{newRunSkillScript(func() Workflows { return w.workflows })}, tool.Options{
		Approver: tool.ApproverFunc(func(_ context.Context, a tool.Approval) (tool.Answer, error) {
			w.approvals = append(w.approvals, a)
			return tool.Answer{Allowed: !w.refuse, Reason: "no", Person: true}, nil
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// inBothRuntimes runs a test with each runtime that this machine has.
func inBothRuntimes(t *testing.T, test func(t *testing.T, w *scriptWorld)) {
	t.Run("system", func(t *testing.T) {
		runner, err := python.New(python.Config{Runtime: python.System})
		if err != nil {
			t.Fatal(err)
		}
		if status := runner.Status(t.Context()); status.Reason != "" {
			t.Skip(status.Reason)
		}
		test(t, newScriptWorld(t, runner))
	})
	t.Run("sandbox", func(t *testing.T) { test(t, newScriptWorld(t, sandbox(t))) })
}

func sandbox(t *testing.T) *python.Runner {
	t.Helper()
	if testing.Short() {
		t.Skip("the sandbox is left out of short tests")
	}
	config, err := pythontest.Installation()
	if errors.Is(err, pythontest.ErrNoBuild) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	config.Runtime = python.WASM
	runner, err := python.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return runner
}

func (w *scriptWorld) run(t *testing.T, in scriptInput) tool.Result {
	t.Helper()
	args, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := w.router.Dispatch(t.Context(), []llm.ToolCall{{ID: "1", Name: runSkillScriptName, Arguments: string(args)}}, tool.Observer{})
	if err != nil {
		t.Fatal(err)
	}
	return outcomes[0].Result
}

// Scripts of published skills run end to end, with arguments, standard input, their own modules,
// data files, and output files. The price of the option is that of Hull, Options, Futures, and Other
// Derivatives: S = K = 100 gives 6.8887 for a half year at 5 % and 20 % volatility by the closed formula.
func TestK35_PublishedScriptsRun(t *testing.T) {
	inBothRuntimes(t, func(t *testing.T, w *scriptWorld) {
		for _, row := range []struct {
			name  string
			in    scriptInput
			want  []string
			files []string
		}{
			{"arguments and files", scriptInput{Skill: "position-sizer", Script: "scripts/position_sizer.py", Args: []string{"--entry", "155", "--stop", "148.5", "--account-size", "100000", "--output-dir", "reports/"}},
				[]string{`{"shares": 153, "risk": 1000.0, "value": 23715.0}`}, []string{"reports/position.json", "reports/position.md"}},
			{"standard input and modules", scriptInput{Skill: "market-breadth", Script: "breadth.py", Args: []string{"--days", "2"}, Stdin: "date,above_200dma\n2026-01-02,40\n2026-01-05,50\n2026-01-06,61\n"},
				[]string{"Breadth score: 56/100", "2026-01-06  61"}, nil},
			{"a path added by the script", scriptInput{Skill: "ftd-detector", Script: "scripts/run_ftd.py", Args: []string{"--bars", `[{"date":"2026-01-02","close":100,"volume":5},{"date":"2026-01-05","close":101.5,"volume":6}]`}},
				[]string{`"2026-01-05"`}, nil},
			{"calculation", scriptInput{Skill: "option-greeks", Script: "scripts/black_scholes.py", Args: []string{"call", "100", "100", "0.5", "0.05", "0.2"}},
				[]string{"price 6.8887"}, nil},
			{"an optional package and data", scriptInput{Skill: "trade-journal", Script: "scripts/summarize.py", Stdin: "AAPL 10.10\nAAPL 0.20\nIBM -3\n"},
				[]string{"Journal", `{"AAPL": "10.30", "IBM": "-3"}`}, nil},
		} {
			t.Run(row.name, func(t *testing.T) {
				result := w.run(t, row.in)
				out, ok := result.Value.(scriptOutput)
				if !ok || result.IsError {
					t.Fatalf("result = %s", result.ModelText())
				}
				for _, want := range row.want {
					if !strings.Contains(out.Output, want) {
						t.Errorf("output %q does not contain %q", out.Output, want)
					}
				}
				var files []string
				for _, f := range out.Files {
					files = append(files, f.Path)
				}
				if diff := cmp.Diff(row.files, files); diff != "" {
					t.Errorf("files (-want +got):\n%s", diff)
				}
				if !strings.Contains(result.ForUser, "written by the script") {
					t.Errorf("the card does not mark the output:\n%s", result.ForUser)
				}
			})
		}
	})
}

// The user sees the whole script, its arguments and what it can touch before it runs.
func TestK35_TheQuestionShowsTheScript(t *testing.T) {
	inBothRuntimes(t, func(t *testing.T, w *scriptWorld) {
		w.refuse = true
		in := scriptInput{Skill: "option-greeks", Script: "scripts/black_scholes.py", Args: []string{"call", "a b"}}
		if result := w.run(t, in); !result.IsError || result.Code != tool.CodeRefused {
			t.Errorf("a refused run = %s", result.ModelText())
		}
		if len(w.approvals) != 1 {
			t.Fatalf("%d questions, want 1", len(w.approvals))
		}
		plan := strings.Join(append(w.approvals[0].Plan, w.approvals[0].Question, w.approvals[0].Touch.Network), "\n")
		touch := "runs with your rights, can read your files and use the network"
		if strings.HasSuffix(t.Name(), "sandbox") {
			touch = "sandboxed: no files, no network"
		}
		for _, want := range []string{`call "a b"`, touch, "from statistics import NormalDist", "sha256"} {
			if !strings.Contains(plan, want) {
				t.Errorf("the plan does not show %q:\n%s", want, plan)
			}
		}
	})
}

func TestK35_WhatCannotRunIsRefusedPlainly(t *testing.T) {
	inBothRuntimes(t, func(t *testing.T, w *scriptWorld) {
		for _, row := range []struct {
			in   scriptInput
			want string
		}{
			{scriptInput{Skill: "wants-package", Script: "scripts/screen.py"}, "import yfinance (scripts/screen.py, line 3)"},
			{scriptInput{Skill: "position-sizer", Script: "../market-breadth/scripts/breadth.py"}, "choose from: scripts/position_sizer.py"},
			{scriptInput{Skill: "position-sizer", Script: "/etc/passwd"}, "no script"},
			{scriptInput{Skill: "wants-bash", Script: "x.py"}, "has no Python scripts"},
			{scriptInput{Skill: "nothing", Script: "x.py"}, "not found"},
			{scriptInput{Skill: "option-greeks", Script: "black_scholes.py"}, "usage: black_scholes.py"},
		} {
			result := w.run(t, row.in)
			if text := result.ModelText(); !result.IsError || !strings.Contains(text, row.want) {
				t.Errorf("%+v = %s, want %q", row.in, text, row.want)
			}
		}
	})
}

// One sentence names what a skill requires and what is not available.
func TestK36_WhatIsMissingIsNamed(t *testing.T) {
	w := newScriptWorld(t, sandbox(t))
	for name, want := range map[string][]string{
		"wants-bash": {
			"asks for curl (not available), jq (not available), pip (not available): nfa runs no shell commands; web pages come from web_fetch instead",
			"tools of other agents: Bash is not available (the skill's Python scripts run with run_skill_script), WebFetch is web_fetch, WebSearch is web_search",
		},
		"wants-package":  {"asks for yfinance (not installed), the network (the sandbox has none), FMP_API_KEY (not passed to scripts): scripts can be read, but not run; prices come from price_history instead"},
		"wants-network":  {"asks for the network (the sandbox has none): scripts can be read, but not run; web pages come from web_fetch instead"},
		"position-sizer": {"tools of other agents: Bash is not available (the skill's Python scripts run with run_skill_script), Read is read_file, Write is write_report"},
		"market-breadth": {"asks for bash (not available): scripts/breadth.py can run with run_skill_script"},
		"ftd-detector":   nil,
		"trade-journal":  nil,
	} {
		content, err := w.workflows.Skills.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, w.workflows.Notes(t.Context(), content), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The field allowed-tools limits what a skill may call while it is active.
func TestK37_AllowedToolsAreAFence(t *testing.T) {
	for _, row := range []struct {
		allowed []string
		call    string
		effect  tool.Effect
		ok      bool
	}{
		{nil, "save", tool.Writes, true},
		{[]string{"quote"}, "quote", tool.Reads, true},
		{[]string{"quote"}, "web_fetch", tool.Reads, false},
		{[]string{"quote"}, "Skill", tool.Reads, true},
		{[]string{"Read", "WebFetch"}, "web_fetch", tool.Reads, true},
		{[]string{"Read"}, runSkillScriptName, tool.Executes, false},
		{[]string{"Bash(python3:*)"}, runSkillScriptName, tool.Executes, true},
		{[]string{"Bash(python3:*)"}, "price_history", tool.Reads, false},
		{[]string{"Bash"}, "price_history", tool.Reads, true},
		{[]string{"Bash"}, "write_report", tool.Writes, false},
		{[]string{}, "quote", tool.Reads, false},
	} {
		err := FenceOf(skill.Skill{Name: "a", AllowedTools: row.allowed}).Check(row.call, row.effect)
		if (err == nil) != row.ok {
			t.Errorf("with allowed-tools %v, %s = %v", row.allowed, row.call, err)
		}
	}
}

// Packages that no sandbox has are named before the user installs one, because installing it would not
// help. A script without packages says how to get the sandbox.
func TestK36_PackagesAreNamedBeforeTheSandboxIsInstalled(t *testing.T) {
	runner, err := python.New(python.Config{Runtime: python.Auto, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	w := newScriptWorld(t, runner)
	w.workflows.Imported = func(string) bool { return true }
	for name, want := range map[string]string{
		"wants-package":  "asks for yfinance (not installed)",
		"position-sizer": "asks for Python (scripts you did not write run only in the sandbox, and the Python sandbox is not installed; install it: nfa skills python install",
	} {
		content, err := w.workflows.Skills.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.workflows.Needs(t.Context(), content.Skill, content.Body).String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A command whose output another agent would insert counts as a shell command.
func TestK36_CommandsInTheTextAreNamed(t *testing.T) {
	got := slices.Sorted(maps.Keys(shellPrograms("Today: !`date`, branch: !`git branch | head`\n\nData: !{quote AAPL}")))
	if want := []string{"bash", "date", "git"}; !slices.Equal(got, want) {
		t.Errorf("shellPrograms = %q, want %q", got, want)
	}
}
