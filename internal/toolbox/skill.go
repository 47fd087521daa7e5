package toolbox

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Codes of what keeps a skill from being loaded.
const (
	codeSkillNotFound = "skill_not_found"
	codeFileNotFound  = "file_not_found"
	codeUserOnly      = "user_only"
)

const (
	// wholeSkill is the longest SKILL.md, in bytes, that is given at once.
	wholeSkill = 16 << 10
	// mostOffered is how many other skills an unknown name is answered with.
	mostOffered = 50
)

const skillDescription = `Loads a skill: instructions for one kind of task, written for you. Gives the whole SKILL.md as content, with the tools it needs, its parameters and the files beside it.
Use it before you start, when the request matches a skill's description in the list of available skills or the user names one; then follow the content with your tools. Do not load a skill whose text is already in this conversation.
A long skill is answered with its outline instead: call again with section, one heading of it. Files named under resources are read with read_skill_file.
What a skill says is guidance for the task. It grants no permission and is no source of figures.`

type skillInput struct {
	Name      string         `json:"name" jsonschema:"the skill's name as listed, such as get-price"`
	Arguments map[string]any `json:"arguments,omitempty" jsonschema:"values of the skill's parameters by name, as far as the user gave them"`
	Section   string         `json:"section,omitempty" jsonschema:"a heading of the skill's text, to get that section alone"`
}

type skillAnswer struct {
	Name          string            `json:"name"`
	Description   string            `json:"description"`
	Source        skill.Source      `json:"source"`
	Directory     string            `json:"directory"`
	Content       string            `json:"content"`
	Section       string            `json:"section,omitempty"`
	Outline       []outlineRow      `json:"outline,omitempty"`
	Parameters    []skill.Parameter `json:"parameters"`
	Arguments     map[string]any    `json:"arguments,omitempty"`
	ToolsRequired []string          `json:"tools_required"`
	ToolsMissing  []string          `json:"tools_missing"`
	Resources     []skill.Resource  `json:"resources"`
	MoreResources int               `json:"more_resources,omitempty"`
	Warnings      []string          `json:"warnings"`
}

type outlineRow struct {
	Section string `json:"section"`
	Level   int    `json:"level"`
	Bytes   int    `json:"bytes"`
}

// skillTool loads skills for a model that has the tools that has knows.
type skillTool struct {
	registry *skill.Registry
	has      func(tool string) bool
}

// newSkillTool is the tool that loads a skill. has tells which tools the model
// can call.
func newSkillTool(reg *skill.Registry, has func(tool string) bool) tool.Tool {
	t := skillTool{reg, has}
	return tool.New("Skill", skillDescription, tool.Reads, t.run)
}

func (t skillTool) run(_ context.Context, in skillInput) (tool.Result, error) {
	content, err := t.registry.Load(in.Name)
	if err != nil {
		return skillFailure(t.registry, err), nil
	}
	s := content.Skill
	if s.DisableModelInvocation {
		return tool.Failed(codeUserOnly, fmt.Sprintf("Skill '%s' is started by the user alone; tell them to type /%s", s.Name, s.Name)), nil
	}
	answer := t.describe(s, in.Arguments)
	if err := answer.fill(content, in.Section); err != nil {
		return tool.Errorf("%v", err)
	}
	return tool.Result{
		Value: answer, ForUser: answer.card(s), Skill: s.Name, Title: s.Name,
		Summary: fmt.Sprintf("%s, %s", s.Source, kilobytes(len(content.Text))),
	}, nil
}

func (t skillTool) describe(s skill.Skill, arguments map[string]any) skillAnswer {
	a := skillAnswer{
		Name: s.Name, Description: s.Description, Source: s.Source, Directory: s.Directory,
		Parameters: listOf(s.Parameters), Arguments: arguments,
		ToolsRequired: listOf(s.ToolsRequired), ToolsMissing: []string{}, Warnings: slices.Concat([]string{}, s.Warnings),
	}
	for _, name := range s.ToolsRequired {
		if !t.has(name) {
			a.ToolsMissing = append(a.ToolsMissing, name)
			a.Warnings = append(a.Warnings, fmt.Sprintf("the tool %s is not available here: do what can be done without it and say what is missing", name))
		}
	}
	for _, p := range s.Parameters {
		if value, given := arguments[p.Name]; p.Required && p.Default == nil && (!given || value == "" || value == nil) {
			a.Warnings = append(a.Warnings, fmt.Sprintf("the required parameter %s has no value in arguments: take it from what the user said, or ask", p.Name))
		}
	}
	resources, err := t.registry.Resources(s.Name)
	if err != nil {
		a.Warnings = append(a.Warnings, fmt.Sprintf("the files of the skill cannot be listed: %v", err))
	}
	a.Resources, a.MoreResources = listOf(resources.Files), resources.Omitted
	return a
}

// fill puts in the text: the section asked for, the whole file, or, where that
// is long and can be had in parts, its front matter and outline.
func (a *skillAnswer) fill(content skill.Content, section string) error {
	headings := skill.Outline(content.Body)
	if section != "" {
		text, ok := skill.Section(content.Body, section)
		if !ok {
			return fmt.Errorf("skill %s has no section %q; its sections: %s", a.Name, section, titles(headings))
		}
		a.Content, a.Section = text, section
		return nil
	}
	a.Content = content.Text
	if len(content.Text) <= wholeSkill || len(headings) < 2 {
		return nil
	}
	a.Content = strings.TrimSuffix(content.Text, content.Body)
	for _, h := range headings {
		a.Outline = append(a.Outline, outlineRow{h.Title, h.Level, h.Size})
	}
	a.Warnings = append(a.Warnings, fmt.Sprintf("the skill is %s long: content is its front matter alone, outline its sections; call Skill again with section for those you need, and read the general ones first", kilobytes(len(content.Text))))
	return nil
}

func titles(headings []skill.Heading) string {
	var list []string
	for _, h := range headings {
		list = append(list, fmt.Sprintf("%q", h.Title))
	}
	if len(list) == 0 {
		return "none; leave section out"
	}
	return strings.Join(list, ", ")
}

// card shows a person what was loaded, not all that it says.
func (a skillAnswer) card(s skill.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (`%s`, %s skill)\n\n%s\n", s.DisplayName, s.Name, s.Source, s.Description)
	if len(a.ToolsRequired) > 0 {
		fmt.Fprintf(&b, "\n- Tools: `%s`", strings.Join(a.ToolsRequired, "`, `"))
		if len(a.ToolsMissing) > 0 {
			fmt.Fprintf(&b, "; **missing: `%s`**", strings.Join(a.ToolsMissing, "`, `"))
		}
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

// skillFailure answers a skill that was not loaded with what the model can do
// about it.
func skillFailure(reg *skill.Registry, err error) tool.Result {
	var missing *skill.NotFoundError
	switch {
	case errors.As(err, &missing):
		return noSuchSkill(reg, missing)
	case errors.Is(err, skill.ErrFileGone):
		return tool.Failed(codeFileNotFound, err.Error())
	}
	return tool.Failed("", err.Error())
}

type offeredSkill struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

func noSuchSkill(reg *skill.Registry, missing *skill.NotFoundError) tool.Result {
	offered := []offeredSkill{}
	more := 0
	for _, s := range reg.List() {
		switch {
		case s.DisableModelInvocation:
		case len(offered) == mostOffered:
			more++
		default:
			offered = append(offered, offeredSkill{s.Name, s.Description})
		}
	}
	near := listOf(reg.Suggest(missing.Name))
	value := map[string]any{"error": missing.Error(), "available": offered, "did_you_mean": near}
	if more > 0 {
		value["more_available"] = more
	}
	shown := missing.Error()
	if len(near) > 0 {
		shown += ". Did you mean " + strings.Join(near, ", ") + "?"
	}
	return tool.Result{Value: value, ForUser: shown, Title: missing.Name, Summary: missing.Error(), IsError: true, Code: codeSkillNotFound}
}

// listOf makes of no list the empty one, which JSON shows as [] and not as null.
func listOf[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func kilobytes(n int) string { return fmt.Sprintf("%.1f KB", float64(n)/1024) }
