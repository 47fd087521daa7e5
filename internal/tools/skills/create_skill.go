package skills

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
)

const createSkillDescription = "Creates a skill from a SKILL.md and its evals.yaml after the user confirms. Use when the user wants this session, or a procedure, saved as a skill; load skill-creator first. The result lists problems and failed evaluations for you to fix."

const createSkillDetails = `nfa validates the text, runs the cases in evals.yaml with sample data, and shows the user the whole text before it writes to the user's skills folder. Steps may call tools but must not contain Python. An existing skill is kept unless replace is true.`

const createSkillKeywords = "create save make new skill write author record conversation session procedure playbook checklist reuse automate template 创建 保存 新建 技能 存成技能"

var createSkillPhrasings = []string{
	"save this as a skill",
	"turn this conversation into a skill",
	"create a skill that compares <sym> every week",
	"make a checklist of what we just did",
	"把这个保存成技能",
	"新建一个技能",
}

// SkillCreator creates skills in the user's folder.
type SkillCreator interface {
	// DraftSkill checks a skill and runs its evaluations. An error says what to fix.
	DraftSkill(ctx context.Context, s NewSkill) (SkillDraft, error)
	CreateSkill(d SkillDraft) (path string, notes []string, err error)
}

// NewSkill is a skill to create, as its author wrote it.
type NewSkill struct {
	Text    string `json:"skill_md" jsonschema:"The whole SKILL.md with its front matter."`
	Evals   string `json:"evals" jsonschema:"The whole evals.yaml: prompts and at least one case."`
	Replace bool   `json:"replace,omitempty" jsonschema:"true to replace the user's skill of that name, only if the user asked for it."`
}

// SkillDraft is a skill that can be created.
type SkillDraft struct {
	NewSkill
	Name    string
	Path    string   // of its SKILL.md
	Passed  int      // cases
	Changes []string // the new text, or a diff, with + and -
	Exists  bool
}

type createdSkill struct {
	Name   string   `json:"name"`
	Path   string   `json:"path"`
	Passed int      `json:"cases_passed"`
	Use    string   `json:"use"`
	Notes  []string `json:"notes,omitempty"`
}

// newCreateSkill returns the tool that creates a skill.
func newCreateSkill(c SkillCreator) tool.Tool {
	t := tool.New("create_skill", createSkillDescription, tool.Writes, func(ctx context.Context, _ NewSkill) (tool.Result, error) {
		d, ok := tool.PreviewState(ctx).(SkillDraft)
		if !ok {
			return tool.Result{}, errors.New("the skill could not be prepared")
		}
		path, notes, err := c.CreateSkill(d)
		if err != nil {
			return tool.FailedError("", err), nil
		}
		created := createdSkill{Name: d.Name, Path: humanize.ShortPath(path), Passed: d.Passed, Use: "/" + d.Name, Notes: notes}
		lines := []string{fmt.Sprintf("Created the skill **%s**, `%s`. Use it with `/%s`.", d.Name, created.Path, d.Name)}
		for _, note := range notes {
			lines = append(lines, "- ! "+note)
		}
		return tool.Result{
			Value: created, ForUser: strings.Join(lines, "\n") + "\n", Title: d.Name, Summary: humanize.Count(d.Passed, "case", "cases") + " passed",
			Headline: "Created the skill " + d.Name + ".", HeadlineZH: "已创建技能 " + d.Name + "。",
		}, nil
	}).WithDetails(createSkillDetails).Find("skills", createSkillKeywords, createSkillPhrasings...)
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in NewSkill
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("create_skill: arguments: %w", err)
		}
		d, err := c.DraftSkill(ctx, in)
		if err != nil {
			return tool.Preview{}, err
		}
		verb := "Create"
		if d.Exists {
			verb = "Replace"
		}
		return tool.Preview{
			Question: fmt.Sprintf("%s the skill %s? It instructs the assistant whenever it is loaded.", verb, d.Name),
			Touch:    tool.Touch{Files: d.Path, Network: "no"},
			Plan:     []string{fmt.Sprintf("%s of its evaluations passed with sample data", humanize.Count(d.Passed, "case", "cases"))},
			Changes:  d.Changes, Ask: true, State: d, Targets: d.Name + ", until you quit",
		}, nil
	}
	return t
}
