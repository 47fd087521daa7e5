package skills

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/nfa-cli/nfa/internal/python"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
)

// workflowTimeout limits a whole workflow; each step also has its own timeout.
const workflowTimeout = 15 * time.Minute

// workflowGrace is the time for a step to end within its own grace period, and to report what was
// done.
const workflowGrace = 500 * time.Millisecond

// Workflows creates a tool for each skill with steps, which nfa runs in order without a model, and for each
// skill that runs in a separate session.
type Workflows struct {
	Skills   *skill.Registry
	Python   *python.Runner         // nil if Python is unavailable
	Disabled func(name string) bool // disabled by the user; nil if none are
	MayUse   func(tool string) bool // tools that the agent may use, "python" for scripts; nil means all
	// Imported reports whether a skill of the user was imported, so that somebody else wrote it; nil
	// means none.
	Imported func(name string) bool
	// Reviewed reports whether the user has said that they read a skill in its current form, and Review
	// records it. Without them every skill counts as reviewed.
	Reviewed func(name, hash string) bool
	Review   func(ctx context.Context, name, hash string) error
	// Data makes the calls in the body of a skill.
	Data DataCalls
	// Subsession runs a skill in a separate session; nil if there is no language model. Such skills are
	// then loaded like others.
	Subsession func(ctx context.Context, name string, args json.RawMessage) (tool.Result, error)
}

// WorkflowTool returns the name of the tool that runs a skill's steps. Model servers accept only 64
// ASCII characters, while skill names may contain others.
func WorkflowTool(name string) string {
	const longest = 64
	plain := strings.ReplaceAll(name, "-", "_")
	named := "skill_" + plain
	unambiguous := !strings.Contains(plain, "__") && strings.Trim(plain, "_") == plain
	invalid := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}
	if !unambiguous || len(named) > longest || strings.Contains(name, "_") || strings.ContainsFunc(plain, invalid) {
		// Two underscores, because no unchanged skill name has them.
		sum := sha256.Sum256([]byte(name))
		return "skill__" + hex.EncodeToString(sum[:8])
	}
	return named
}

// Tools returns the tools that run skills. The steps can call only the tools of router. A skill
// whose steps can never run is omitted; the error explains why, and the other tools are returned
// with it.
func (w Workflows) Tools(router *tool.Router) ([]tool.Tool, error) {
	var tools []tool.Tool
	var faults []error
	for _, s := range w.Skills.List() {
		if !w.HasTool(s) || w.Disabled != nil && w.Disabled(s.Name) || len(w.MissingTools(s)) > 0 {
			continue
		}
		var t tool.Tool
		err := w.Runnable(s, router)
		if err == nil {
			t, err = w.tool(s, router)
		}
		if err != nil {
			faults = append(faults, fmt.Errorf("skill %s: %w", s.Name, err))
			continue
		}
		tools = append(tools, t)
	}
	return tools, errors.Join(faults...)
}

// HasTool reports whether a tool runs the skill. Without a language model, no tool runs a skill that needs
// a separate session.
func (w Workflows) HasTool(s skill.Skill) bool {
	return s.HasTool() && (!s.Subsession || w.Subsession != nil)
}

func (w Workflows) tool(s skill.Skill, router *tool.Router) (tool.Tool, error) {
	raw, err := workflow.ParameterSchema(s.Parameters)
	if err != nil {
		return tool.Tool{}, err
	}
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(raw, schema); err != nil {
		return tool.Tool{}, fmt.Errorf("parse parameter schema: %w", err)
	}
	// Restore the declared order of the parameters, which parsing has lost, because people pass
	// values in that order.
	for _, p := range s.Parameters {
		if !slices.Contains(schema.PropertyOrder, p.Name) {
			schema.PropertyOrder = append(schema.PropertyOrder, p.Name)
		}
	}
	if s.Subsession {
		return w.subsessionTool(s, schema)
	}
	effect := effectOf(s, router)
	t, err := tool.NewDynamic(WorkflowTool(s.Name), describeWorkflow(s), effect, schema, w.run)
	if err != nil {
		return tool.Tool{}, err
	}
	t.Group, t.Keywords = tool.WorkflowGroup, workflowKeywords(s)
	t.Grace = workflowGrace
	t.Timeout, t.UserOnly = workflowTimeout, s.DisableModelInvocation
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		p, err := w.prepare(ctx, s.Name, args, router)
		if err != nil {
			return tool.Preview{}, err
		}
		if effectOf(p.skill, router) != effect {
			// Otherwise the approval would be for another effect.
			return tool.Preview{}, fmt.Errorf("the skill %s has changed, including what it may write or run; run /reload", s.Name)
		}
		return w.preview(p, args)
	}
	return t, nil
}

// maxNamedSteps is the number of steps named in a description.
const maxNamedSteps = 10

// maxDescription is the maximum length of a tool description, in characters, because it is sent
// with every request.
const maxDescription = 260

// clipLine shortens text to one line of at most limit characters.
func clipLine(s string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}

func describeWorkflow(s skill.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nRuns the steps of the skill %s in order:", clipLine(s.Description, 300), s.Name)
	for i, step := range s.Steps {
		if i == maxNamedSteps {
			fmt.Fprintf(&b, " and %d more;", len(s.Steps)-i)
			break
		}
		fmt.Fprintf(&b, " %d. %s", i+1, stepTool(step))
		if step.About != "" {
			fmt.Fprintf(&b, " (%s)", clipLine(step.About, 80))
		}
		b.WriteString(";")
	}
	b.WriteString(" returns the result of each step. Call it instead of the individual tools.")
	if s.Disclaimer != "" {
		b.WriteString("\n" + clipLine(s.Disclaimer, 200))
	}
	return clipWords(b.String(), maxDescription)
}

// clipWords shortens a text to whole words of at most limit characters.
func clipWords(s string, limit int) string {
	runes := []rune(s)
	if len(runes) <= limit {
		return s
	}
	cut := string(runes[:limit])
	if i := strings.LastIndexFunc(cut, unicode.IsSpace); i > 0 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " \n,;:-")
}

// workflowKeywords returns the search terms of a skill's tool: its name, its keywords and its
// description with example requests.
func workflowKeywords(s skill.Skill) string {
	return strings.Join([]string{strings.NewReplacer("-", " ", "_", " ").Replace(s.Name), declaredKeywords(s), s.Description}, " ")
}

// declaredKeywords returns the display name and the keywords of the front matter.
func declaredKeywords(s skill.Skill) string {
	words := []string{s.DisplayName}
	for _, fields := range []map[string]any{s.Extra, s.Metadata} {
		switch listed := fields["keywords"].(type) {
		case string:
			words = append(words, listed)
		case []any:
			for _, word := range listed {
				words = append(words, fmt.Sprint(word))
			}
		}
	}
	return strings.Join(words, " ")
}

func stepTool(s workflow.Step) string {
	if s.IsPython() {
		return workflow.PythonTool
	}
	return s.Tool
}

// MissingTools returns the tools of a skill's steps that the agent may not use, in the order of the
// steps. If there are any, the skill's tool is not offered.
func (w Workflows) MissingTools(s skill.Skill) []string {
	var missing []string
	for _, step := range s.Steps {
		name := stepTool(step)
		if w.MayUse != nil && step.Fault == "" && !w.MayUse(name) && !slices.Contains(missing, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// effectOf returns the strongest effect of the steps.
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

// preparedRun is a workflow with everything it would run. The user sees and nfa runs the same
// values.
type preparedRun struct {
	skill   skill.Skill
	plan    workflow.Plan
	scripts map[string]scriptStep // by step
	hash    string                // of the skill's text and scripts
	text    string                // of SKILL.md
	router  *tool.Router          // the tools available to the steps
}

type scriptStep struct {
	script *python.Script
	plan   python.Plan
}

// prepare checks a workflow with its arguments. A *workflow.PlanError lists every reason why it
// cannot run.
func (w Workflows) prepare(ctx context.Context, name string, args json.RawMessage, router *tool.Router) (*preparedRun, error) {
	content, err := w.Skills.Load(name)
	if err != nil {
		return nil, err
	}
	s := content.Skill
	if len(s.Steps) == 0 {
		return nil, fmt.Errorf("the skill %s no longer has steps; run /reload", s.Name)
	}
	if lacks := w.MissingTools(s); len(lacks) > 0 {
		return nil, fmt.Errorf("the steps of %s need tools that this agent may not use: %s", s.Name, strings.Join(lacks, ", "))
	}
	arguments, err := parseArguments(s, args)
	if err != nil {
		return nil, fmt.Errorf("%s: arguments: %w", WorkflowTool(name), err)
	}
	p := &preparedRun{skill: s, text: content.Text, scripts: map[string]scriptStep{}}
	var scripts []*python.Script
	var faults []workflow.Problem
	for _, step := range s.Steps {
		if !step.IsPython() || step.Fault != "" {
			continue
		}
		pythonStep, err := w.script(ctx, s, step)
		if err != nil {
			faults = append(faults, workflow.Problem{Step: step.ID, Message: err.Error()})
			continue
		}
		p.scripts[step.ID] = pythonStep
		scripts = append(scripts, pythonStep.script)
	}
	if p.hash, err = w.contentHash(content, scripts); err != nil {
		return nil, err
	}
	p.plan = workflow.NewPlan(s.Steps, s.Parameters, arguments, newEnvironment(s, router))
	p.plan.Problems = append(p.plan.Problems, faults...)
	if err := p.plan.Err(); err != nil {
		return nil, fmt.Errorf("cannot run skill %s: %w", s.Name, err)
	}
	p.router, err = w.stepRouter(p, router)
	return p, err
}

func parseArguments(s skill.Skill, args json.RawMessage) (workflow.Arguments, error) {
	var values map[string]any
	d := json.NewDecoder(strings.NewReader(string(args)))
	d.UseNumber()
	if err := d.Decode(&values); err != nil {
		return workflow.Arguments{}, err
	}
	return workflow.ReadArguments(s.Parameters, values)
}

// contentHash changes whenever the text of a skill, or anything it would run, changes. A script can
// read or run every file in its folder, so with a script all files of the folder count.
func (w Workflows) contentHash(content skill.Content, scripts []*python.Script) (string, error) {
	sum := sha256.New()
	if len(scripts) > 0 {
		filesHash, err := w.Skills.ContentHash(content.Skill.Name)
		if err != nil {
			return "", fmt.Errorf("read the files of %s: %w", content.Skill.Name, err)
		}
		fmt.Fprintln(sum, filesHash)
	}
	fmt.Fprintf(sum, "%d\n%s\n", len(content.Text), content.Text)
	for _, script := range scripts {
		for _, file := range script.Files() {
			fmt.Fprintf(sum, "%q %s\n", file.Path, file.SHA256)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// NeedsReview reports whether running a skill would ask whether the user has read it in its current
// form.
func (w Workflows) NeedsReview(s skill.Skill) bool {
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
	hash, err := w.contentHash(content, scripts)
	return err != nil || !w.Reviewed(s.Name, hash)
}

// stepRouter returns a router for the steps. Their calls need no approval, because the plan was
// approved.
func (w Workflows) stepRouter(p *preparedRun, router *tool.Router) (*tool.Router, error) {
	called := func(name string) bool {
		return slices.ContainsFunc(p.skill.Steps, func(s workflow.Step) bool { return s.Tool == name })
	}
	steps := router.Only(called).PreApproved()
	if len(p.scripts) == 0 {
		return steps, nil
	}
	t, err := w.pythonTool(p)
	if err != nil {
		return nil, err
	}
	return steps.With(t)
}

// Runnable returns all reasons why the steps of a skill cannot run with the tools of router, as a
// *workflow.PlanError. It reads only the skill's own scripts and does not look for Python.
func (w Workflows) Runnable(s skill.Skill, router *tool.Router) error {
	environment := w.Environment(s, router)
	if s.Source == skill.SourceBuiltin {
		environment.CheckScript = nil // reading them takes a tenth of the start, and tests run them
	}
	return workflow.Plan{Problems: workflow.Check(s.Steps, s.Parameters, environment)}.Err()
}

// Environment returns the tools and scripts available to the steps of a skill.
func (w Workflows) Environment(s skill.Skill, router *tool.Router) workflow.Environment {
	environment := newEnvironment(s, router)
	environment.CheckScript = func(path string) error {
		_, err := w.readScript(s, workflow.Step{Python: path})
		return err
	}
	return environment
}

// newEnvironment returns an environment without scripts.
func newEnvironment(s skill.Skill, router *tool.Router) workflow.Environment {
	return workflow.Environment{
		AllowedTools: allowedHere(s),
		CheckTool: func(name string) error {
			if _, ok := router.Lookup(name); ok || name == workflow.PythonTool {
				return nil
			}
			return fmt.Errorf("unknown tool %s; available: %s", name, strings.Join(toolNames(router), ", "))
		},
		CheckArguments: func(name string, args json.RawMessage) error {
			t, ok := router.Lookup(name)
			if !ok {
				return nil
			}
			return t.Check(args)
		},
		Compute: func(name string, args json.RawMessage) (json.RawMessage, bool, error) {
			t, ok := router.Lookup(name)
			if !ok || !t.Pure {
				return nil, false, nil
			}
			result, err := t.Compute(context.Background(), args)
			if err == nil && result.IsError {
				err = errors.New(result.ErrorText())
			}
			if err != nil {
				return nil, false, err
			}
			value, err := json.Marshal(result.Value)
			return value, err == nil, err
		},
		CheckArgumentNames: func(name string, names []string) error {
			t, ok := router.Lookup(name)
			if !ok {
				return nil
			}
			return checkArgumentNames(t.Spec().Parameters, names)
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

// checkArgumentNames checks the names of arguments against a tool's schema. A schema without
// additional properties rejects unknown names.
func checkArgumentNames(parameters json.RawMessage, names []string) error {
	var schema struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		Required             []string                   `json:"required"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
	}
	if err := json.Unmarshal(parameters, &schema); err != nil {
		return fmt.Errorf("parse argument schema: %w", err)
	}
	for _, name := range schema.Required {
		if !slices.Contains(names, name) {
			return fmt.Errorf("the argument %s is missing", name)
		}
	}
	further := string(schema.AdditionalProperties)
	for _, name := range names {
		_, known := schema.Properties[name]
		if !known && further != "" && further != "true" && further != "{}" {
			return fmt.Errorf("unknown argument %s; available: %s", name, strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", "))
		}
	}
	return nil
}
