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

// workflowTimeout bounds a whole workflow; each of its steps has a limit of its
// own.
const workflowTimeout = 15 * time.Minute

// workflowGrace is for a step to end in its own grace, and for the telling of what
// was done.
const workflowGrace = 500 * time.Millisecond

// Workflows makes a tool of each skill that has steps: called, it runs them one
// after the other, by the program and not by a model.
type Workflows struct {
	Skills   *skill.Registry
	Python   *python.Runner         // nil where Python steps cannot be run
	Disabled func(name string) bool // switched off by the user; nil for none
	MayUse   func(tool string) bool // what the agent may use, "python" for scripts; nil for everything
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
	unambiguous := !strings.Contains(plain, "__") && strings.Trim(plain, "_") == plain
	invalid := func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
	}
	if !unambiguous || len(named) > longest || strings.Contains(name, "_") || strings.ContainsFunc(plain, invalid) {
		// Two underscores: no name that stands as it is can be this one.
		sum := sha256.Sum256([]byte(name))
		return "skill__" + hex.EncodeToString(sum[:8])
	}
	return named
}

// Tools returns the tools that run skills for an agent that has the tools of router: the steps
// can call these and no others. A skill whose steps can never run is not offered; the error
// says why, and the tools of the other skills are returned with it.
func (w Workflows) Tools(router *tool.Router) ([]tool.Tool, error) {
	var tools []tool.Tool
	var faults []error
	for _, s := range w.Skills.List() {
		if len(s.Steps) == 0 || w.Disabled != nil && w.Disabled(s.Name) || len(w.MissingTools(s)) > 0 {
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

func (w Workflows) tool(s skill.Skill, router *tool.Router) (tool.Tool, error) {
	raw, err := workflow.ParameterSchema(s.Parameters)
	if err != nil {
		return tool.Tool{}, err
	}
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(raw, schema); err != nil {
		return tool.Tool{}, fmt.Errorf("reading the schema of its parameters: %w", err)
	}
	// The order in which they are declared, which reading has lost, is that in which
	// people give them.
	for _, p := range s.Parameters {
		if !slices.Contains(schema.PropertyOrder, p.Name) {
			schema.PropertyOrder = append(schema.PropertyOrder, p.Name)
		}
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
			// It would be asked for as something else than it is.
			return tool.Preview{}, fmt.Errorf("the skill %s was changed and does something else now; scan the skills again: /reload", s.Name)
		}
		return w.preview(p), nil
	}
	return t, nil
}

// maxNamedSteps is how many steps a description names.
const maxNamedSteps = 10

// maxDescription is the longest description of a tool, in characters: it is sent in requests.
const maxDescription = 260

// clipLine keeps a skill's words to one line of at most so many characters.
func clipLine(s string, limit int) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) <= limit {
		return string(runes)
	}
	return string(runes[:limit-1]) + "…"
}

func describeWorkflow(s skill.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nRuns the steps of the skill %s, the same way each time:", clipLine(s.Description, 300), s.Name)
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
	b.WriteString(" gives what each of them gave. Call it instead of making these calls one by one.")
	if s.Disclaimer != "" {
		b.WriteString("\n" + clipLine(s.Disclaimer, 200))
	}
	return clipWords(b.String(), maxDescription)
}

// clipWords cuts a text after a word, at most so many characters long.
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

// workflowKeywords are the words by which a skill's tool is found: its name, its keywords and
// its description with the requests that it is for.
func workflowKeywords(s skill.Skill) string {
	return strings.Join([]string{strings.NewReplacer("-", " ", "_", " ").Replace(s.Name), declaredKeywords(s), s.Description}, " ")
}

// declaredKeywords are the display name and the words under keywords in the front matter.
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

// MissingTools are the tools of a skill's steps that the agent may not use: it is not
// offered the skill's tool. They stand in the order of the steps.
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

// preparedRun is a workflow that can be run, with all that it would run. What is
// shown to the user and what is run afterwards are the same.
type preparedRun struct {
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

// prepare checks a workflow with its arguments. A *workflow.PlanError lists every reason why it
// cannot be run.
func (w Workflows) prepare(ctx context.Context, name string, args json.RawMessage, router *tool.Router) (*preparedRun, error) {
	content, err := w.Skills.Load(name)
	if err != nil {
		return nil, err
	}
	s := content.Skill
	if len(s.Steps) == 0 {
		return nil, fmt.Errorf("the skill %s has no steps any more; scan the skills again: /reload", s.Name)
	}
	if lacks := w.MissingTools(s); len(lacks) > 0 {
		return nil, fmt.Errorf("the steps of %s need what this agent may not use: %s", s.Name, strings.Join(lacks, ", "))
	}
	arguments, err := parseArguments(s, args)
	if err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", WorkflowTool(name), err)
	}
	p := &preparedRun{skill: s, scripts: map[string]scriptStep{}}
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
		return nil, fmt.Errorf("the skill %s cannot be run: %w", s.Name, err)
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

// contentHash changes whenever the text of a skill, or anything that it would run, changes. A
// script can read or run every file in its folder, so with a script all files of the directory
// count.
func (w Workflows) contentHash(content skill.Content, scripts []*python.Script) (string, error) {
	sum := sha256.New()
	if len(scripts) > 0 {
		filesHash, err := w.Skills.ContentHash(content.Skill.Name)
		if err != nil {
			return "", fmt.Errorf("looking through the files of %s: %w", content.Skill.Name, err)
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

// NeedsReview reports whether a skill's steps would ask because they have not run
// here as they are now.
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

// stepRouter is a router over what the steps may call: approved as a whole, they
// ask nobody.
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

// preview is the plan of a run, and whether the user has to be asked although it
// only reads: what somebody else wrote is shown before it runs for the first time,
// and again when it has changed.
func (w Workflows) preview(p *preparedRun) tool.Preview {
	lines := p.planLines()
	// The key is of the plan too: a yes for the session is for these arguments and
	// this interpreter, and for no other.
	key := sha256.Sum256([]byte(p.hash + "\n" + strings.Join(lines, "\n")))
	preview := tool.Preview{Plan: lines, Key: hex.EncodeToString(key[:]), Pattern: "this skill as it is now (" + p.hash[:12] + ")", State: p}
	if !w.reviewed(p) {
		preview.Ask = true
		preview.Plan = slices.Insert(preview.Plan, 0, fmt.Sprintf("! not reviewed: this %s skill has not run here as it is now; look at what it does", p.skill.Source))
	}
	return preview
}

func (w Workflows) reviewed(p *preparedRun) bool {
	return p.skill.Source == skill.SourceBuiltin || w.Reviewed == nil || w.Reviewed(p.skill.Name, p.hash)
}

// planLines say what would be done, step by step.
func (p *preparedRun) planLines() []string {
	var lines []string
	for i, step := range p.plan.Steps {
		call := step.Call()
		lines = append(lines, fmt.Sprintf("%d. %s  %s %s", i+1, step.ID, call.Tool, call.Arguments))
		if s, ok := p.scripts[step.ID]; ok {
			for _, file := range s.plan.Files {
				lines = append(lines, fmt.Sprintf("   %s  sha256 %s", file.Path, file.SHA256))
			}
			if step.Code != "" {
				for line := range strings.SplitSeq(strings.TrimRight(step.Code, "\n"), "\n") {
					lines = append(lines, "   | "+line)
				}
			}
			lines = append(lines, "   with "+s.plan.Runtime)
		}
	}
	return lines
}

// Runnable says why the steps of a skill cannot be run by the tools of router,
// whatever they are given: all reasons at once, in a *workflow.PlanError. Nothing but
// the skill's own scripts is read, and no Python is looked for.
func (w Workflows) Runnable(s skill.Skill, router *tool.Router) error {
	return workflow.Plan{Problems: workflow.Check(s.Steps, s.Parameters, w.Environment(s, router))}.Err()
}

// Environment is what the steps of a skill find: the tools of router, and the scripts
// that lie in the skill's directory.
func (w Workflows) Environment(s skill.Skill, router *tool.Router) workflow.Environment {
	environment := newEnvironment(s, router)
	environment.CheckScript = func(path string) error {
		_, err := w.readScript(s, workflow.Step{Python: path})
		return err
	}
	return environment
}

// newEnvironment is what the steps of a skill find around them.
func newEnvironment(s skill.Skill, router *tool.Router) workflow.Environment {
	return workflow.Environment{
		AllowedTools: s.AllowedTools,
		CheckTool: func(name string) error {
			if _, ok := router.Lookup(name); ok || name == workflow.PythonTool {
				return nil
			}
			return fmt.Errorf("there is no tool %s; there are: %s", name, strings.Join(toolNames(router), ", "))
		},
		CheckArguments: func(name string, args json.RawMessage) error {
			t, ok := router.Lookup(name)
			if !ok {
				return nil
			}
			return t.Check(args)
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

// checkArgumentNames holds the names of arguments against a tool's schema, which closes an
// object by refusing every further member.
func checkArgumentNames(parameters json.RawMessage, names []string) error {
	var schema struct {
		Properties           map[string]json.RawMessage `json:"properties"`
		Required             []string                   `json:"required"`
		AdditionalProperties json.RawMessage            `json:"additionalProperties"`
	}
	if err := json.Unmarshal(parameters, &schema); err != nil {
		return fmt.Errorf("reading the schema of its arguments: %w", err)
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
			return fmt.Errorf("there is no argument %s; there are: %s", name, strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", "))
		}
	}
	return nil
}
