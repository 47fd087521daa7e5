package eval

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/session"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/skills"
)

// needsModel is the reason why prompts are not tested offline.
const needsModel = "skill selection needs a model (--live)"

// Runner tests skills. Skills and Router are required.
type Runner struct {
	Skills *skill.Registry
	// Router runs the calls of the cases. Its tools should return the same results every time and change
	// nothing.
	Router *tool.Router
	// NewPortfolio makes the portfolio of a case that has one, a new one for each case. It may be
	// nil for suites without such cases.
	NewPortfolio func() (CasePortfolio, error)
	Now          func() time.Time // time.Now if nil
	// ParseCommand returns the tool and the arguments of a call in the body of a skill.
	ParseCommand func(command string) (name, args string, err error)
	// Live is the model for the prompts; nil sends none.
	Live *LiveModel
}

// Test runs the suite of a skill, case by case, then prompt by prompt. Problems of the skill or its
// suite are Results; an error, always last, means that the test could not continue.
func (r *Runner) Test(ctx context.Context, name string) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		content, err := r.Skills.Load(name)
		if err != nil {
			yield(Result{}, err)
			return
		}
		s := content.Skill
		suite, err := Read(r.Skills, s.Name)
		switch {
		case errors.Is(err, ErrNoSuite):
			yield(withheldResult(s, err.Error()), nil)
			return
		case err != nil:
			yield(fileResult(s, err), nil)
			return
		}
		// emit reports whether to continue.
		emit := func(result Result, err error) bool {
			result.Skill = s.Name
			return yield(result, err) && err == nil
		}
		if !r.runCases(ctx, content, suite.Cases, emit) {
			return
		}
		for _, p := range suite.Select {
			if !emit(r.runPrompt(ctx, s, KindSelect, p)) {
				return
			}
		}
		for _, p := range suite.Avoid {
			if !emit(r.runPrompt(ctx, s, KindAvoid, p)) {
				return
			}
		}
	}
}

func withheldResult(s skill.Skill, reason string) Result {
	return Result{Skill: s.Name, Kind: KindSkill, Verdict: NotRun, Reasons: []string{reason}}
}

func fileResult(s skill.Skill, err error) Result {
	result := Result{Skill: s.Name, Kind: KindFile, Verdict: Fail}
	path := filepath.Join(s.Directory, skill.EvalsFile)
	var problems Problems
	if !errors.As(err, &problems) {
		problems = Problems{{Message: err.Error()}}
	}
	for _, p := range problems {
		result.Reasons = append(result.Reasons, p.At(path))
	}
	return result
}

// runCases emits a result for each case, or one that explains why none can run, and reports whether
// to continue.
func (r *Runner) runCases(ctx context.Context, content skill.Content, cases []Case, emit func(Result, error) bool) bool {
	hasToolNamed, err := r.toolsOf(cases)
	if err != nil {
		return emit(Result{}, err)
	}
	if missing := skill.MissingTools(content.Skill, hasToolNamed); len(missing) > 0 {
		return emit(withheldResult(content.Skill, "needs "+strings.Join(missing, ", ")), nil)
	}
	if len(cases) == 0 {
		return emit(withheldResult(content.Skill, "it has no cases"), nil)
	}
	for i, c := range cases {
		result, err := r.runCase(ctx, content, c)
		result.Number = i + 1
		if !emit(result, err) {
			return false
		}
	}
	return true
}

// runCase plays one case and judges it.
func (r *Runner) runCase(ctx context.Context, content skill.Content, c Case) (Result, error) {
	router := r.Router
	if c.Portfolio != nil {
		b, err := r.openPortfolio()
		if err != nil {
			return Result{}, err
		}
		defer b.close()
		if faults, err := r.fillPortfolio(ctx, b, c.Portfolio); err != nil || len(faults) > 0 {
			return caseResult(c, faults), err
		}
		router = b.Router
	}
	in, err := r.activationInput(content, c.Arguments, router)
	if err != nil {
		return caseResult(c, []string{"arguments: " + err.Error()}), nil
	}
	// If the script itself is invalid, do not run it: the same errors would only appear again as failures.
	if faults := invalidCalls(c, router); len(faults) > 0 {
		return caseResult(c, faults), nil
	}
	p, err := r.play(ctx, router, in, c.Turns)
	if err != nil {
		return Result{}, err
	}
	reasons, calls := p.judge(c)
	result := caseResult(c, reasons)
	result.Calls = calls
	return result, nil
}

// activationInput returns the input that the chat sends for "/name arguments".
func (r *Runner) activationInput(content skill.Content, userArgs string, router *tool.Router) (agent.Input, error) {
	arguments, err := workflow.ParseArguments(content.Skill.Parameters, userArgs)
	if err != nil {
		return agent.Input{}, err
	}
	calls := skills.DataCalls{Parse: r.ParseCommand, Router: router}
	data, unavailable := calls.ResolveAll(skill.RenderData(content, arguments).Calls, skills.FenceOf(content.Skill))
	if len(unavailable) > 0 {
		return agent.Input{}, errors.New(strings.Join(unavailable, "; "))
	}
	return agent.Input{
		Text:     strings.TrimSpace("/" + content.Skill.Name + " " + userArgs),
		ForModel: skill.ActivationMessage(content, arguments, nil),
		Skill:    content.Skill.Name, Data: data,
	}, nil
}

// play runs the loop with a model that answers with turns.
func (r *Runner) play(ctx context.Context, router *tool.Router, in agent.Input, turns []Turn) (*caseRun, error) {
	model := &scriptedModel{turns: turns}
	a, err := agent.New(agent.Config{
		Setup: func() (agent.Setup, error) {
			return agent.Setup{Model: model, ModelName: "script", Router: router, Prompt: "Scripted answers."}, nil
		},
		Store: session.Discard{}, Limits: agent.Limits{Steps: len(turns) + 1}, Now: r.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("setting up the conversation: %w", err)
	}
	p := &caseRun{turns: len(turns)}
	p.evidence.WriteString(in.Text + "\n")
	for event, err := range a.Start().Run(ctx, in) {
		switch e := event.(type) {
		case agent.ToolStarted:
			p.made = append(p.made, parseCall(e.Call))
		case agent.ToolFinished:
			p.addOutcome(e.Outcome)
		case agent.TurnDone:
			p.done, p.err = e, err
		}
	}
	p.requests = int(model.requests.Load())
	return p, context.Cause(ctx)
}
