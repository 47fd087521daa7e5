package toolbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
)

// workflowTimeout bounds a whole workflow; each of its steps has a limit of its
// own.
const workflowTimeout = 15 * time.Minute

// Workflows makes a tool of each skill that has steps: called, it runs them one
// after the other, by the program and not by a model.
type Workflows struct {
	Skills   *skill.Registry
	Python   *python.Runner         // nil where Python steps cannot be run
	Disabled func(name string) bool // switched off by the user; nil for none
	// Reviewed tells whether the user has let a skill run as it is now, and
	// Review remembers that they did. Without them every skill counts as reviewed.
	Reviewed func(name, hash string) bool
	Review   func(ctx context.Context, name, hash string) error
}

// WorkflowTool is the name of the tool that runs a skill's steps. Servers accept
// 64 ASCII letters in a tool's name, skills' names may hold others.
func WorkflowTool(name string) string {
	const longest = 64
	plain := strings.ReplaceAll(name, "-", "_")
	named := "skill_" + plain
	foreign := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}
	if len(named) > longest || strings.Contains(name, "_") || strings.ContainsFunc(plain, foreign) {
		sum := sha256.Sum256([]byte(name))
		return "skill_" + hex.EncodeToString(sum[:8])
	}
	return named
}

// Tools are those that run skills for an agent that has the tools of router: the
// steps can call these and no others. A skill that cannot be offered is an error.
func (w Workflows) Tools(router *tool.Router) ([]tool.Tool, error) {
	var tools []tool.Tool
	var faults []error
	for _, s := range w.Skills.List() {
		if len(s.Steps) == 0 || w.Disabled != nil && w.Disabled(s.Name) {
			continue
		}
		t, err := w.tool(s, router)
		if err != nil {
			faults = append(faults, fmt.Errorf("skill %s: %w", s.Name, err))
			continue
		}
		tools = append(tools, t)
	}
	return tools, errors.Join(faults...)
}

func (w Workflows) tool(s skill.Skill, router *tool.Router) (tool.Tool, error) {
	raw, err := parameter.Schema(s.Parameters)
	if err != nil {
		return tool.Tool{}, err
	}
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(raw, schema); err != nil {
		return tool.Tool{}, fmt.Errorf("reading the schema of its parameters: %w", err)
	}
	t, err := tool.NewDynamic(WorkflowTool(s.Name), describeWorkflow(s), effectOf(s, router), schema, w.run)
	if err != nil {
		return tool.Tool{}, err
	}
	t.Timeout = workflowTimeout
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		return w.preview(ctx, s.Name, args, router)
	}
	return t, nil
}

func describeWorkflow(s skill.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nRuns the steps of the skill %s, the same way each time:", s.Description, s.Name)
	for i, step := range s.Steps {
		fmt.Fprintf(&b, " %d. %s", i+1, stepTool(step))
		if step.About != "" {
			fmt.Fprintf(&b, " (%s)", step.About)
		}
		b.WriteString(";")
	}
	b.WriteString(" gives what each of them gave. Call it instead of making these calls one by one.")
	if s.Disclaimer != "" {
		b.WriteString("\n" + s.Disclaimer)
	}
	return b.String()
}

func stepTool(s workflow.Step) string {
	if s.IsPython() {
		return workflow.PythonTool
	}
	return s.Tool
}

// effectOf is the strongest effect among the steps.
func effectOf(s skill.Skill, router *tool.Router) tool.Effect {
	effect := tool.Reads
	for _, step := range s.Steps {
		if step.IsPython() {
			return tool.Executes
		}
		if t, ok := router.Lookup(step.Tool); ok {
			effect = max(effect, t.Effect)
		}
	}
	return effect
}

// prepared is a workflow that can be run, with all that it would run. What is
// shown to the user and what is run afterwards are the same.
type prepared struct {
	skill   skill.Skill
	plan    workflow.Plan
	scripts map[string]scriptStep // by step
	hash    string                // of the skill's text and its scripts
	router  *tool.Router          // what the steps may call
}

type scriptStep struct {
	script *python.Script
	plan   python.Plan
}

// prepare checks a workflow with its arguments; every reason why it cannot be run
// is told at once, in a *workflow.Error.
func (w Workflows) prepare(ctx context.Context, name string, args json.RawMessage, router *tool.Router) (*prepared, error) {
	content, err := w.Skills.Load(name)
	if err != nil {
		return nil, err
	}
	s := content.Skill
	given, err := argumentsOf(s, args)
	if err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", WorkflowTool(name), err)
	}
	p := &prepared{skill: s, scripts: map[string]scriptStep{}}
	var scripts []*python.Script
	var faults []workflow.Problem
	for _, step := range s.Steps {
		if !step.IsPython() || step.Fault != "" {
			continue
		}
		found, err := w.script(ctx, s, step)
		if err != nil {
			faults = append(faults, workflow.Problem{Step: step.ID, Message: err.Error()})
			continue
		}
		p.scripts[step.ID] = found
		scripts = append(scripts, found.script)
	}
	p.hash = hashOf(content, scripts)
	p.plan = workflow.NewPlan(s.Steps, s.Parameters, given, world(s, router))
	p.plan.Problems = append(p.plan.Problems, faults...)
	if err := p.plan.Err(); err != nil {
		return nil, fmt.Errorf("the skill %s cannot be run: %w", s.Name, err)
	}
	p.router, err = w.stepRouter(p, router)
	return p, err
}

func argumentsOf(s skill.Skill, args json.RawMessage) (parameter.Arguments, error) {
	var given map[string]any
	d := json.NewDecoder(strings.NewReader(string(args)))
	d.UseNumber()
	if err := d.Decode(&given); err != nil {
		return parameter.Arguments{}, err
	}
	return parameter.Read(s.Parameters, given)
}

// hashOf tells a skill from itself as it was: its text and all that it would run.
func hashOf(content skill.Content, scripts []*python.Script) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%d\n%s\n", len(content.Text), content.Text)
	for _, script := range scripts {
		for _, file := range script.Files() {
			fmt.Fprintf(sum, "%q %s\n", file.Path, file.SHA256)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Unreviewed reports whether a skill's steps would ask because they have not run
// here as they are now.
func (w Workflows) Unreviewed(s skill.Skill) bool {
	if len(s.Steps) == 0 || s.Source == skill.SourceBuiltin || w.Reviewed == nil {
		return false
	}
	content, err := w.Skills.Load(s.Name)
	if err != nil {
		return true
	}
	var scripts []*python.Script
	for _, step := range content.Skill.Steps {
		if !step.IsPython() || step.Fault != "" {
			continue
		}
		script, err := w.readScript(content.Skill, step)
		if err != nil {
			return true
		}
		scripts = append(scripts, script)
	}
	return !w.Reviewed(s.Name, hashOf(content, scripts))
}

// world is what the steps of a skill find around them.
func world(s skill.Skill, router *tool.Router) workflow.World {
	return workflow.World{
		Fence: s.AllowedTools,
		Tool: func(name string) error {
			if _, ok := router.Lookup(name); ok || name == workflow.PythonTool {
				return nil
			}
			return fmt.Errorf("there is no tool %s; there are: %s", name, strings.Join(toolNames(router), ", "))
		},
		Accept: func(name string, args json.RawMessage) error {
			t, ok := router.Lookup(name)
			if !ok {
				return nil
			}
			return t.Check(args)
		},
	}
}

func toolNames(router *tool.Router) []string {
	var names []string
	for _, t := range router.Tools() {
		names = append(names, t.Name)
	}
	return names
}

// stepRouter is a router over what the steps may call: approved as a whole, they
// ask nobody.
func (w Workflows) stepRouter(p *prepared, router *tool.Router) (*tool.Router, error) {
	called := func(name string) bool {
		return slices.ContainsFunc(p.skill.Steps, func(s workflow.Step) bool { return s.Tool == name })
	}
	steps := router.Only(called).Granted()
	if len(p.scripts) == 0 {
		return steps, nil
	}
	t, err := w.pythonTool(p)
	if err != nil {
		return nil, err
	}
	return steps.With(t)
}

// preview is the plan of a run, and whether the user has to be asked although it
// only reads: what somebody else wrote is shown before it runs for the first time,
// and again when it has changed.
func (w Workflows) preview(ctx context.Context, name string, args json.RawMessage, router *tool.Router) (tool.Preview, error) {
	p, err := w.prepare(ctx, name, args, router)
	if err != nil {
		return tool.Preview{}, err
	}
	preview := tool.Preview{Plan: p.lines(), Key: p.hash, Pattern: "this skill as it is now (" + p.hash[:12] + ")", State: p}
	if !w.reviewed(p) {
		preview.Ask = true
		preview.Plan = slices.Insert(preview.Plan, 0, fmt.Sprintf("! not reviewed: this %s skill has not run here as it is now; look at what it does", p.skill.Source))
	}
	return preview, nil
}

func (w Workflows) reviewed(p *prepared) bool {
	return p.skill.Source == skill.SourceBuiltin || w.Reviewed == nil || w.Reviewed(p.skill.Name, p.hash)
}

// lines say what would be done, step by step.
func (p *prepared) lines() []string {
	var lines []string
	for i, step := range p.plan.Steps {
		call := step.Call()
		lines = append(lines, fmt.Sprintf("%d. %s  %s %s", i+1, step.ID, call.Tool, call.Arguments))
		if s, ok := p.scripts[step.ID]; ok {
			for _, file := range s.plan.Files {
				lines = append(lines, fmt.Sprintf("   %s  sha256 %s", file.Path, file.SHA256))
			}
			lines = append(lines, "   with "+s.plan.Runtime)
		}
	}
	return lines
}
