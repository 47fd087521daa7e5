package screens

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/tui"
)

// The marks of skills. They determine which actions apply.
const (
	markDisabled    = "disabled"
	markUserStarted = "only you can start it"
	markScripts     = "has scripts"
)

// Skills is the screen of the skills. It also provides the commands that start skills.
type Skills struct{ App *app.App }

// Screen returns the list for /skills, with an action for each command of `nfa skills`.
func (s Skills) Screen() *tui.ListScreen {
	usable := func(i tui.ListItem) bool { return !i.Problem && !slices.Contains(i.Marks, markDisabled) }
	skills := func(i tui.ListItem) bool { return !i.Problem }
	return &tui.ListScreen{
		Title: "Skills", Items: s.items, Read: s.read, Empty: "No skills.",
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "use", About: "type its command", AppliesTo: usable, Run: s.use},
			{Action: "skill-new", Name: "new", WithoutItem: true, Run: s.create},
			{Action: "skill-edit", Name: "edit", AppliesTo: s.hasEditableFields, Run: s.editFields},
			{Action: "skill-body", Name: "body", AppliesTo: s.isUserOwned, Run: newTextEditor(s).edit},
			{Action: "skill-clone", Name: "clone", AppliesTo: skills, Run: s.clone},
			{Action: "skill-toggle", Name: "disable", About: "disable it", AppliesTo: usable, Run: s.switchOff},
			{Action: "skill-toggle", Name: "enable", About: "enable it", AppliesTo: func(i tui.ListItem) bool { return slices.Contains(i.Marks, markDisabled) }, Run: s.switchOn},
			{Action: "skill-delete", Name: "delete", AppliesTo: s.isUserOwned, Run: s.remove},
			{Action: "skill-import", Name: "import", WithoutItem: true, Run: s.importSkills},
			{Action: "skill-install", Name: "install", WithoutItem: true, Run: s.install},
			{Action: "skill-export", Name: "export", AppliesTo: skills, Run: s.exportSkill},
			{Action: "skill-scripts", Name: "scripts", AppliesTo: func(i tui.ListItem) bool { return slices.Contains(i.Marks, markScripts) }, Run: s.showScripts},
			{Action: "skill-validate", Name: "validate", Run: s.validate},
			{Action: "skill-fix", Name: "fix", AppliesTo: s.isUserOwned, Run: s.fix},
			{Action: "skill-rescan", Name: "rescan", WithoutItem: true, Run: s.rescan},
			{Action: "skill-doctor", Name: "doctor", WithoutItem: true, Run: s.doctor},
		},
	}
}

// skillGroups returns the categories of skills for investors, in display order. The built-in skills of other
// categories are folded.
func skillGroups() []string {
	return []string{"portfolio", "research", "planning", "market", "valuation"}
}

// The groups of skills that are not grouped by their category.
const (
	groupGeneral  = "General"
	groupDisabled = "Disabled"
	groupSkipped  = "Skipped"
)

// skillSources returns the headings of the user's own skills by their sources, in display order.
func skillSources() []skill.Source {
	return []skill.Source{skill.SourceProject, skill.SourceUser, skill.SourceStore, skill.SourceShared}
}

// group returns the heading of a skill and its position.
func (s Skills) group(k skill.Skill) (heading string, order int) {
	own, known := slices.Index(skillSources(), k.Source), slices.Index(skillGroups(), k.Category)
	switch {
	case s.App.Skills.State.Disabled(k.Name):
		return groupDisabled, math.MaxInt
	case own >= 0:
		return "Yours · " + string(k.Source), own
	case known >= 0:
		return strings.ToUpper(k.Category[:1]) + k.Category[1:], len(skillSources()) + known
	}
	return groupGeneral, math.MaxInt - 1
}

// items lists the user's own skills, then the others by category, then the files that were skipped.
func (s Skills) items() []tui.ListItem {
	all := s.App.Skills.Registry.List()
	slices.SortStableFunc(all, func(a, b skill.Skill) int {
		_, first := s.group(a)
		_, second := s.group(b)
		return cmp.Compare(first, second)
	})
	hides := map[string]bool{}
	for _, d := range s.App.Skills.Registry.Diagnostics() {
		if d.Skipped() && d.Err == nil {
			hides[d.Name] = true
		}
	}
	var items []tui.ListItem
	for _, k := range all {
		heading, _ := s.group(k)
		items = append(items, tui.ListItem{
			Name: k.Name, Title: k.DisplayName, Group: heading, Folded: heading == groupGeneral, About: k.Description, SearchTerms: k.Category, Marks: s.marks(k, hides[k.Name]),
		})
	}
	for _, d := range s.App.Skills.Registry.Diagnostics() {
		if d.Skipped() {
			items = append(items, tui.ListItem{Name: skippedName(d), Title: d.Name, Group: groupSkipped, About: d.Reason, Problem: true})
		}
	}
	return items
}

func (s Skills) marks(k skill.Skill, hides bool) []string {
	var marks []string
	if s.App.Skills.State.Disabled(k.Name) {
		marks = append(marks, markDisabled)
	}
	if k.DisableModelInvocation {
		marks = append(marks, markUserStarted)
	}
	if missing := skill.MissingTools(k, s.App.Skills.HasTool); len(missing) > 0 {
		marks = append(marks, "needs "+strings.Join(missing, ", "))
	}
	if hides {
		marks = append(marks, "hides another")
	}
	if s.App.Skills.Workflows().NeedsReview(k) {
		marks = append(marks, "not reviewed")
	}
	if s.hasScripts(k) {
		marks = append(marks, markScripts)
	}
	if s.App.Skills.RunProblem(k) != "" {
		marks = append(marks, "! cannot be run")
	}
	if len(k.Warnings) > 0 {
		marks = append(marks, "! "+cli.CountNoun(len(k.Warnings), "warning"))
	}
	return marks
}

func (s Skills) hasScripts(k skill.Skill) bool {
	if slices.ContainsFunc(k.Steps, workflow.Step.IsPython) {
		return true
	}
	resources, err := s.App.Skills.Registry.Resources(k.Name)
	return err == nil && slices.ContainsFunc(resources.Files, func(f skill.Resource) bool { return f.Group == skill.GroupScripts })
}

// skippedName returns the item name of a skipped file, so that it differs from a skill with the
// same name.
func skippedName(d skill.Diagnostic) string { return "skipped " + d.Path }

func (s Skills) skipped(name string) (skill.Diagnostic, bool) {
	for _, d := range s.App.Skills.Registry.Diagnostics() {
		if d.Skipped() && skippedName(d) == name {
			return d, true
		}
	}
	return skill.Diagnostic{}, false
}

// read returns the text of the pane: facts about a skill, then its instructions.
func (s Skills) read(name string) (string, error) {
	if d, ok := s.skipped(name); ok {
		return fmt.Sprintf("**Skipped**: %s\n\n%s\n\n%s\n", d.Reason, d.Fix, markdown.QuoteCode(humanize.ShortPath(d.Path))), nil
	}
	content, err := s.App.Skills.Registry.Load(name)
	if err != nil {
		return "", err
	}
	return s.App.Skills.Detail(content).Markdown(content.Skill, content.Body), nil
}

// showScripts shows the scripts of a skill in the pane.
func (s Skills) showScripts(name string) (tui.ActionResult, error) {
	k, ok := s.App.Skills.Registry.Lookup(name)
	if !ok {
		return tui.ActionResult{}, s.App.Skills.NotFound(name)
	}
	text, err := s.App.Skills.Scripts(k)
	return tui.ActionResult{Show: text}, err
}

// hasEditableFields reports whether a form can change the fields of a skill: it must be the user's
// own and readable.
func (s Skills) hasEditableFields(i tui.ListItem) bool { return !i.Problem && s.isUserOwned(i) }

// isUserOwned reports whether the user may change an item, which may be a skipped file.
func (s Skills) isUserOwned(i tui.ListItem) bool {
	if d, ok := s.skipped(i.Name); ok {
		return d.Err != nil && s.App.Skills.Owns(d.Path)
	}
	_, err := s.App.Skills.FindOwn(i.Name)
	return err == nil
}

// installedName returns the name of an item in the installer.
func (s Skills) installedName(name string) string {
	if d, ok := s.skipped(name); ok {
		return d.Name
	}
	return name
}

func (s Skills) use(name string) (tui.ActionResult, error) {
	if slices.ContainsFunc(s.Commands(), func(c tui.Command) bool { return c.Name == name }) {
		return tui.ActionResult{Compose: s.commandLine(name)}, nil
	}
	k, _ := s.App.Skills.Registry.Lookup(name)
	if missing := skill.MissingTools(k, s.App.Skills.HasTool); len(missing) > 0 {
		return tui.ActionResult{}, fmt.Errorf("%s cannot be used yet; it needs %s", name, strings.Join(missing, ", "))
	}
	return tui.ActionResult{}, fmt.Errorf("only the assistant can use %s; ask your question instead", name)
}

// commandLine returns the text that starts a skill: /NAME, or /skill:NAME if a command has the same
// name.
func (s Skills) commandLine(name string) string {
	if _, _, taken := app.LookupSlash([]string{name}); taken {
		return "/skill:" + name + " "
	}
	return "/" + name + " "
}

func (s Skills) switchOff(name string) (tui.ActionResult, error) { return s.toggle(name, true) }
func (s Skills) switchOn(name string) (tui.ActionResult, error)  { return s.toggle(name, false) }

func (s Skills) toggle(name string, disabled bool) (tui.ActionResult, error) {
	if err := s.App.Skills.State.SetDisabled(context.Background(), name, disabled); err != nil {
		return tui.ActionResult{}, err
	}
	if disabled {
		return tui.ActionResult{Message: "disabled " + name + ": disabled for the assistant"}, nil
	}
	return tui.ActionResult{Message: "enabled " + name}, nil
}

func (s Skills) validate(name string) (tui.ActionResult, error) {
	var problems []skill.Problem
	if d, ok := s.skipped(name); ok {
		var err error
		if problems, err = s.App.Skills.Validate(d.Path, false); err != nil {
			return tui.ActionResult{}, err
		}
	} else {
		content, err := s.App.Skills.Registry.Load(name)
		if err != nil {
			return tui.ActionResult{}, err
		}
		problems = s.App.Skills.ValidateContent(content)
	}
	if len(problems) == 0 {
		return tui.ActionResult{Message: s.installedName(name) + " is valid"}, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** has %s.\n\n", s.installedName(name), cli.CountNoun(len(problems), "problem"))
	for _, p := range problems {
		p.Path = ""
		fmt.Fprintf(&b, "- %s\n", p)
	}
	return tui.ActionResult{Show: b.String()}, nil
}

func (s Skills) rescan(string) (tui.ActionResult, error) {
	changes, err := s.App.Skills.Rescan()
	return tui.ActionResult{Message: strings.Join(changes, "; ")}, err
}

func (s Skills) doctor(string) (tui.ActionResult, error) {
	health := s.App.Skills.Health()
	var b strings.Builder
	fmt.Fprintf(&b, "**%s found**, %d eligible, %d listed in the prompt", cli.CountNoun(health.Found, "skill"), health.Eligible, health.Listed)
	if len(health.Disabled) > 0 {
		fmt.Fprintf(&b, ", disabled: %s", strings.Join(health.Disabled, ", "))
	}
	b.WriteString("\n\n")
	for _, w := range health.Waiting {
		fmt.Fprintf(&b, "- ~ %s is in the database, not on disk: %s. %s\n", w.Name, w.Reason, w.Fix)
	}
	if len(health.Unlisted) > 0 {
		fmt.Fprintf(&b, "- ~ not listed in the prompt, found by search: %s\n", strings.Join(health.Unlisted, ", "))
	}
	for _, out := range health.Excluded {
		fmt.Fprintf(&b, "- ~ %s is not listed in the prompt: %s\n", out.Name, out.Reason)
	}
	for _, d := range health.Warnings {
		fmt.Fprintf(&b, "- ~ %s: %s\n", markdown.QuoteCode(humanize.ShortPath(d.Path)), d.Reason)
	}
	for _, d := range health.Skipped {
		fmt.Fprintf(&b, "- ! %s was skipped: %s. %s\n", markdown.QuoteCode(humanize.ShortPath(d.Path)), d.Reason, d.Fix)
	}
	return tui.ActionResult{Show: b.String()}, nil
}
