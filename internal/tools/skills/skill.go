package skills

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// These codes are the reasons why a skill is not loaded.
const (
	codeSkillNotFound = "skill_not_found"
	codeUserOnly      = "user_only"
	codeDisabled      = "disabled"
)

// maxOffered limits the skills listed for an unknown name.
const maxOffered = 50

const skillDescription = "Loads a skill: instructions for one kind of task. Use it before you start when the request matches a listed skill or the user names one, unless its text is already in this session. If run_with names a tool, call it instead of the tools in the steps."

const skillDetails = `The result has the whole SKILL.md as content, with the tools it needs, its parameters and the files in its folder. If a skill is long, the result has its outline instead: call again with section, one of its headings. Read files listed under resources with read_skill_file. The tools that the skill names can be called in the next step. With query instead of name, the result has the five best matching skills with their descriptions. A skill is guidance for the task: it grants no permissions and is not a source of figures.`

const skillKeywords = "skill skills load use instructions playbook method guide procedure workflow how recipe template named run start follow task checklist memo 技能 加载 使用技能 方法 流程 步骤 模板"

var skillPhrasings = []string{
	"use the skill for a memo on <sym>",
	"load a skill",
	"which skill fits this task",
	"follow my checklist for <sym>",
	"run the playbook for an earnings review",
	"使用技能分析 <sym>",
	"加载一个技能",
}

type skillInput struct {
	Name      string         `json:"name,omitempty" jsonschema:"Name as listed, such as get-price."`
	Query     string         `json:"query,omitempty" jsonschema:"Words to find unlisted skills, instead of name."`
	Arguments map[string]any `json:"arguments,omitempty" jsonschema:"Values of the skill's parameters that the user gave."`
	Section   string         `json:"section,omitempty" jsonschema:"A heading of the skill, to read only that section."`
}

type skillResult struct {
	Name          string               `json:"name"`
	Description   string               `json:"description"`
	Source        skill.Source         `json:"source"`
	Directory     string               `json:"directory"`
	Content       string               `json:"content"`
	Section       string               `json:"section,omitempty"`
	Outline       []skill.OutlineItem  `json:"outline,omitempty"`
	Parameters    []workflow.Parameter `json:"parameters"`
	Arguments     map[string]any       `json:"arguments,omitempty"`
	ToolsRequired []string             `json:"tools_required"`
	ToolsMissing  []string             `json:"tools_missing"`
	Resources     []skill.Resource     `json:"resources"`
	MoreResources int                  `json:"more_resources,omitempty"`
	Warnings      []string             `json:"warnings"`
	Allowed       string               `json:"allowed_tools,omitempty"`
	// RunWith is the tool that runs the steps of the skill, if it has steps.
	RunWith string `json:"run_with,omitempty"`
}

// skillTool loads skills for a model whose tools are known to has.
type skillTool struct {
	registry *skill.Registry
	cache    *skill.Cache
	hasTool  func(tool string) bool
	disabled func(skill string) bool
	now      func() time.Time
	scripts  func() Workflows // nil if no scripts can be run
}

// newSkillTool returns the tool that loads a skill.
func newSkillTool(d Deps) tool.Tool {
	if d.Cache == nil {
		d.Cache = skill.NewCache(d.Skills, d.Now)
	}
	t := skillTool{d.Skills, d.Cache, d.HasTool, d.Disabled, d.Now, d.Scripts}
	return tool.New("Skill", skillDescription, tool.Reads, t.run).WithDetails(skillDetails).Find("skills", skillKeywords, skillPhrasings...)
}

func (t skillTool) run(ctx context.Context, in skillInput) (tool.Result, error) {
	name, query := strings.TrimSpace(in.Name), strings.TrimSpace(in.Query)
	switch {
	case query == "" && name == "":
		return tool.Failed(tool.CodeValidation, "name or query is required: name loads a listed skill, query searches for skills"), nil
	case query != "" && (name != "" || in.Section != "" || len(in.Arguments) > 0):
		return tool.Failed(tool.CodeValidation, "use either query (to find skills) or name (to load one)"), nil
	case query != "":
		return t.find(query), nil
	}
	loaded, err := t.load(tool.SessionID(ctx), in.Name)
	if err != nil {
		return skillFailure(t.registry, t.disabled, err), nil
	}
	s := loaded.Skill
	switch {
	case t.disabled != nil && t.disabled(s.Name):
		return tool.Failed(codeDisabled, fmt.Sprintf("Skill '%s' is disabled by the user; they can allow it with: nfa skills enable %s", s.Name, s.Name)), nil
	case s.DisableModelInvocation:
		return tool.Failed(codeUserOnly, fmt.Sprintf("Only the user can start skill '%s'; ask them to type /%s", s.Name, s.Name)), nil
	}
	content := loaded.Content
	answer := t.describe(s, in.Arguments)
	if s.Subsession && answer.RunWith != "" {
		return startSubsession(answer), nil
	}
	fence := FenceOf(s)
	answer.Allowed = FenceWarning(fence)
	activates := ToolsOf(s, t.hasTool)
	if len(answer.Resources) > 0 {
		activates = append(activates, readSkillFileName)
	}
	if slices.ContainsFunc(answer.Resources, func(r skill.Resource) bool { return r.Group == skill.GroupScripts }) {
		activates = append(activates, runSkillScriptName)
	}
	if loaded.AlreadyLoaded && in.Section == "" && len(in.Arguments) == 0 {
		loaded := alreadyLoaded(answer, activates)
		loaded.Fence = fence
		return loaded, nil
	}
	if t.scripts != nil {
		answer.Warnings = append(answer.Warnings, t.workflows().Notes(ctx, content)...)
	}
	if loaded.Changed {
		answer.Warnings = append(answer.Warnings, "the skill has changed since this session loaded it; use this text instead of the old one")
	}
	template := content.Text
	content = t.render(ctx, &answer, content, in.Arguments, fence)
	if in.Section != "" && !loaded.AlreadyLoaded {
		t.cache.MarkPartial(tool.SessionID(ctx), s.Name)
	}
	if err := answer.fill(content, in.Section); err != nil {
		return tool.Errorf("%v", err)
	}
	return tool.Result{
		Value: answer, ForUser: answer.card(s), Composed: true, Template: template, Skill: s.Name, SkillVersion: loaded.Version(), Section: answer.Section, Title: s.Name,
		Summary: fmt.Sprintf("%s, %s", s.Source, kilobytes(len(content.Text))), Activates: activates, Fence: fence,
		Headline: "The skill " + s.Name + " is loaded.", HeadlineZH: "技能 " + s.Name + " 已加载。",
	}, nil
}

// load reads a skill and remembers which sessions have its text. A manual call belongs to no
// session and always gets the text.
func (t skillTool) load(conversation, name string) (skill.Loaded, error) {
	if conversation == "" {
		content, err := t.registry.Load(name)
		return skill.Loaded{Content: content}, err
	}
	return t.cache.Load(conversation, name)
}

// alreadyLoaded returns the result of a second call for a text that the session already has.
func alreadyLoaded(a skillResult, activates []string) tool.Result {
	note := fmt.Sprintf("Skill '%s' is already loaded in this session and unchanged; follow the text above", a.Name)
	return tool.Result{
		Value:   map[string]any{"name": a.Name, "already_loaded": true, "note": note},
		ForUser: note + ".", Title: a.Name, Summary: "already loaded", Activates: activates,
		Headline: "The skill " + a.Name + " is already loaded.", HeadlineZH: "技能 " + a.Name + " 此前已加载。",
	}
}

// render inserts the arguments and the results of the body's calls into the content. Errors become
// warnings, so that the model can ask the user. Without arguments, the body keeps its parameters.
func (t skillTool) render(ctx context.Context, a *skillResult, content skill.Content, arguments map[string]any, fence *tool.Fence) skill.Content {
	rendered := skill.SplitData(content)
	if len(arguments) > 0 {
		values, err := workflow.ReadArguments(content.Skill.Parameters, arguments)
		var wrong *workflow.ArgumentError
		if errors.As(err, &wrong) && len(wrong.Invalid)+len(wrong.Other) > 0 {
			a.Warnings = append(a.Warnings, "arguments: "+err.Error())
		}
		rendered = skill.RenderData(content, values)
	}
	head := strings.TrimSuffix(content.Text, content.Body)
	text, notes := t.workflows().Data.insertData(ctx, rendered, fence)
	a.Warnings = append(a.Warnings, notes...)
	content.Text, content.Body = text, strings.TrimPrefix(text, head)
	return content
}

// workflows returns the zero Workflows if no scripts can be run.
func (t skillTool) workflows() Workflows {
	if t.scripts == nil {
		return Workflows{}
	}
	return t.scripts()
}

func (t skillTool) describe(s skill.Skill, arguments map[string]any) skillResult {
	a := skillResult{
		Name: s.Name, Description: s.Description, Source: s.Source, Directory: s.Directory,
		Parameters: nonNil(s.Parameters), Arguments: arguments,
		ToolsRequired: nonNil(s.ToolsRequired), ToolsMissing: []string{}, Warnings: slices.Concat([]string{}, s.Warnings),
	}
	if t.workflows().HasTool(s) {
		a.RunWith = WorkflowTool(s.Name)
	}
	if stale := s.StaleWarning(t.now()); stale != "" {
		a.Warnings = append(a.Warnings, stale)
	}
	for _, name := range s.ToolsRequired {
		if !t.hasTool(name) {
			a.ToolsMissing = append(a.ToolsMissing, name)
			a.Warnings = append(a.Warnings, MissingToolWarning(name))
		}
	}
	for _, p := range s.Parameters {
		if value, present := arguments[p.Name]; p.Required && p.Default == nil && (!present || value == "" || value == nil) {
			a.Warnings = append(a.Warnings, fmt.Sprintf("the required parameter %s has no value in arguments: take it from the user's message, or ask", p.Name))
		}
	}
	resources, err := t.registry.Resources(s.Name)
	if err != nil {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the files in the skill cannot be listed: %v", err))
	}
	a.Resources, a.MoreResources = nonNil(resources.Files), resources.Omitted
	return a
}

// Notes returns what limits the use of a skill from another agent: what it asks for that is not
// available, and its names of tools.
func (w Workflows) Notes(ctx context.Context, content skill.Content) []string {
	if content.Skill.Source == skill.SourceBuiltin {
		return nil
	}
	notes := []string{w.Needs(ctx, content.Skill, content.Body).String(), TranslateTools(content.Skill, content.Body)}
	return slices.DeleteFunc(notes, func(note string) bool { return note == "" })
}

// MissingToolWarning tells a model that a required tool does not exist.
func MissingToolWarning(name string) string {
	return fmt.Sprintf("the tool %s is unavailable: continue without it and say what is missing", name)
}

// fill sets the text: the requested section, the whole file, or, if that is too long for one
// result, the front matter and outline.
func (a *skillResult) fill(content skill.Content, section string) error {
	part, err := skill.NewExcerpt(content.Body, section)
	if err != nil {
		return fmt.Errorf("skill %s: %w", a.Name, err)
	}
	a.Section, a.Outline = part.Section, part.Outline
	switch {
	case len(part.Outline) > 0:
		if section == "" {
			a.Content = strings.TrimSuffix(content.Text, content.Body)
		}
		a.Warnings = append(a.Warnings, fmt.Sprintf("the text is too long for one result (%s): outline lists its sections; call Skill again with section for those you need, general sections first", kilobytes(len(content.Text))))
	case section == "":
		a.Content = content.Text
	default:
		a.Content = part.Text
	}
	return nil
}

// card shows a person which skill was loaded, without its full text.
func (a skillResult) card(s skill.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (`%s`, %s skill)\n\n%s\n", s.DisplayName, s.Name, s.Source, s.Description)
	if len(a.ToolsRequired) > 0 {
		fmt.Fprintf(&b, "\n- Tools: `%s`", strings.Join(a.ToolsRequired, "`, `"))
		if len(a.ToolsMissing) > 0 {
			fmt.Fprintf(&b, "; **missing: `%s`**", strings.Join(a.ToolsMissing, "`, `"))
		}
	}
	for _, warning := range a.Warnings {
		fmt.Fprintf(&b, "\n- ! %s", warning)
	}
	if n := len(a.Resources) + a.MoreResources; n > 0 {
		fmt.Fprintf(&b, "\n- Files: %d in `%s`", n, s.Directory)
	}
	if a.Section != "" {
		fmt.Fprintf(&b, "\n- Section: %s", a.Section)
	}
	if s.Disclaimer != "" {
		fmt.Fprintf(&b, "\n\n*%s*", s.Disclaimer)
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// skillFailure converts an error to a result with the model's next step.
func skillFailure(reg *skill.Registry, disabled func(skill string) bool, err error) tool.Result {
	var missing *skill.NotFoundError
	switch {
	case errors.As(err, &missing):
		return skillNotFound(reg, missing, disabled)
	case errors.Is(err, skill.ErrFileMissing):
		return tool.Failed(toolkit.CodeFileNotFound, err.Error())
	}
	return tool.Failed("", err.Error())
}

type offeredSkill struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func skillNotFound(reg *skill.Registry, missing *skill.NotFoundError, disabled func(skill string) bool) tool.Result {
	offered := []offeredSkill{}
	omitted := 0
	for _, s := range reg.List() {
		switch {
		case s.DisableModelInvocation, disabled != nil && disabled(s.Name):
		case len(offered) == maxOffered:
			omitted++
		default:
			offered = append(offered, offeredSkill{s.Name, clipLine(s.Description, 300)})
		}
	}
	suggestions := nonNil(reg.Suggest(missing.Name))
	value := map[string]any{"error": missing.Error(), "available": offered, "did_you_mean": suggestions}
	if omitted > 0 {
		value["more_available"] = omitted
	}
	text := missing.Error()
	if len(suggestions) > 0 {
		text += ". Did you mean " + strings.Join(suggestions, ", ") + "?"
	}
	return tool.Result{Value: value, ForUser: text, Title: missing.Name, Summary: missing.Error(), IsError: true, Code: codeSkillNotFound}
}

// nonNil returns an empty list for nil, so that JSON shows [] and not null.
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func kilobytes(n int) string { return fmt.Sprintf("%.1f KB", float64(n)/1024) }

// Deps holds the dependencies of the tools that load skills.
type Deps struct {
	Skills   *skill.Registry        // nil if there are none
	Cache    *skill.Cache           // records what each session has loaded; if nil, the tool uses its own
	Disabled func(name string) bool // disabled by the user; nil if none are
	HasTool  func(tool string) bool // tools of the active agent
	// Scripts runs scripts of skills; nil if none can be run.
	Scripts func() Workflows
	Creator SkillCreator // nil if no skills can be created
	Now     func() time.Time
}

// Tools returns the tools that load, run and create skills, or none if there are no skills.
func Tools(d Deps) []tool.Tool {
	if d.Skills == nil || d.Skills.Empty() {
		return nil
	}
	tools := []tool.Tool{
		newSkillTool(d),
		newReadSkillFile(d.Skills, d.Disabled),
		newRunSkillScript(d.Scripts),
	}
	if d.Creator != nil {
		tools = append(tools, newCreateSkill(d.Creator))
	}
	return tools
}
