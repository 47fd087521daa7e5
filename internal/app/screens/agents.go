package screens

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tui"
)

// markDefault marks the agent in the settings.
const markDefault = "default"

// Agents is the screen of the agents.
type Agents struct{ App *app.App }

// Screen returns the list for /agent.
func (s Agents) Screen() *tui.ListScreen {
	other := func(i tui.ListItem) bool { return !i.Problem && !slices.Contains(i.Marks, markActive) }
	return &tui.ListScreen{
		Title: "Agents", Items: s.items, Read: s.read, Empty: "No agents.",
		Actions: []tui.ListAction{
			{Action: "screen-enter", Name: "switch", About: "use it from the next turn on", AppliesTo: other, Run: s.use},
		},
	}
}

// items lists the active agent, then the others, the user's own first, then the invalid files.
func (s Agents) items() []tui.ListItem {
	var active, user, builtin, faulty []tui.ListItem
	for _, r := range s.App.Agents.Rows() {
		item := tui.ListItem{Name: r.Name, Group: r.Source, About: r.Description, Marks: s.marks(r)}
		switch {
		case r.Reason == "" && r.Name == s.agent():
			item.Group = groupInUse
			active = append(active, item)
		case r.Reason != "":
			faulty = append(faulty, tui.ListItem{Name: r.Path, Title: r.Name, Group: "invalid", About: r.Reason, Problem: true})
		case r.Source == string(agent.ProfileBuiltin):
			builtin = append(builtin, item)
		default:
			user = append(user, item)
		}
	}
	return slices.Concat(active, user, builtin, faulty)
}

func (s Agents) marks(r app.AgentRow) []string {
	var marks []string
	if r.Name == s.agent() {
		marks = append(marks, markActive)
	}
	if r.Default {
		marks = append(marks, markDefault)
	}
	if len(r.Warnings) > 0 {
		marks = append(marks, "! "+cli.CountNoun(len(r.Warnings), "warning"))
	}
	return marks
}

// read returns the text of the pane for an agent or an invalid agent file.
func (s Agents) read(name string) (string, error) {
	p, ok := s.App.Agents.Lookup(name)
	if !ok {
		for _, r := range s.App.Agents.Rows() {
			if r.Reason != "" && r.Path == name {
				return fmt.Sprintf("%s\n\n%s. %s\n", markdown.QuoteCode(humanize.ShortPath(r.Path)), r.Reason, r.Fix), nil
			}
		}
		return "", s.App.Agents.Unknown(name)
	}
	row := s.App.Agents.Row(p)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", row.Description)
	for _, warning := range row.Warnings {
		fmt.Fprintf(&b, "! %s\n\n", warning)
	}
	fmt.Fprintf(&b, "- model: %s\n- tools: %s\n- skills: %s\n", s.modelOf(p), s.toolsOf(p), s.skillsOf(p))
	if p.Source != agent.ProfileBuiltin {
		fmt.Fprintf(&b, "- file: %s\n", markdown.QuoteCode(humanize.ShortPath(p.Path)))
	}
	fmt.Fprintf(&b, "\n## Instructions\n\n%s\n", p.Instructions)
	return b.String(), nil
}

// modelOf names the model that an agent uses.
func (s Agents) modelOf(p agent.Profile) string {
	switch {
	case p.Name == s.agent():
		return markdown.QuoteCode(s.App.ActiveModel()) + ", active"
	case p.Model != "":
		return markdown.QuoteCode(p.Model) + ", set by the agent"
	}
	return "the default model"
}

func (s Agents) toolsOf(p agent.Profile) string {
	if p.Tools == nil {
		return fmt.Sprintf("all %d; see /tools", len(s.App.Tools.Tools()))
	}
	var names []string
	for _, t := range s.App.Tools.Tools() {
		if p.Allows(t.Name) {
			names = append(names, markdown.QuoteCode(t.Name))
		}
	}
	return fmt.Sprintf("%d of %d: %s", len(names), len(s.App.Tools.Tools()), strings.Join(names, ", "))
}

// skillsOf returns how many skills the agent can use, and the names of those that need a tool it lacks.
func (s Agents) skillsOf(p agent.Profile) string {
	var usable int
	var missing []string
	hasTool := func(name string) bool { return s.hasTool(p, name) }
	for _, k := range s.App.Skills.Registry.List() {
		switch {
		case s.App.Skills.State.Disabled(k.Name):
		case len(skill.MissingTools(k, hasTool)) > 0:
			missing = append(missing, k.Name)
		default:
			usable++
		}
	}
	text := fmt.Sprintf("%d usable", usable)
	if len(missing) > 0 {
		text += "; tools missing for " + strings.Join(missing, ", ")
	}
	return text
}

// hasTool reports whether a tool exists and the agent may use it.
func (s Agents) hasTool(p agent.Profile, name string) bool {
	_, found := s.App.Tools.Lookup(name)
	return found && p.Allows(name)
}

func (s Agents) use(name string) (tui.ActionResult, error) {
	if err := s.switchTo(name); err != nil {
		return tui.ActionResult{}, err
	}
	lines := append([]string{fmt.Sprintf("%s answers from the next turn on, with %s", s.agent(), s.App.ActiveModel())}, s.App.Agents.Warnings()...)
	return tui.ActionResult{Message: strings.Join(lines, "; ! ")}, nil
}

func (s Agents) switchTo(name string) error {
	return adviseInChat(s.App.Agents.Switch(context.Background(), name))
}

// agent returns the name of the active agent.
func (s Agents) agent() string { return s.App.Agents.Active().Profile.Name }

// Command lists the agents, or switches to the named one.
func (s Agents) Command(input string) (string, error) {
	if name := strings.TrimSpace(input); name != "" {
		if err := s.switchTo(name); err != nil {
			return "", err
		}
		lines := []string{fmt.Sprintf("Agent: **%s** with %s.", s.agent(), s.App.ActiveModel())}
		return strings.Join(append(lines, s.App.Agents.Warnings()...), "\n\n! ") + "\n", nil
	}
	var b strings.Builder
	for _, p := range s.App.Agents.Profiles().List() {
		mark := ""
		if p.Name == s.agent() {
			mark = ", active"
		}
		fmt.Fprintf(&b, "- **%s** (%s%s): %s\n", p.Name, p.Source, mark, p.Description)
	}
	for _, f := range s.App.Agents.Profiles().Errors() {
		fmt.Fprintf(&b, "- ! %s: %s. %s\n", markdown.QuoteCode(humanize.ShortPath(f.Path)), f.Err, f.Fix)
	}
	fmt.Fprintf(&b, "\nChoose one with `/agent name`. To add an agent, create a file in %s.\n", markdown.QuoteCode(humanize.ShortPath(s.App.Home)+"/agents"))
	return b.String(), nil
}

// adviseInChat adds the remedies that work inside the chat.
func adviseInChat(err error) error {
	var unavailable *app.ModelUnavailableError
	if !errors.As(err, &unavailable) {
		return err
	}
	model := cmp.Or(unavailable.Agent.Model, "the default model")
	return fmt.Errorf("agent %s needs %s, which is unavailable: save its key with nfa auth set PROVIDER in another terminal, or choose a model with /model; then run /agent %[1]s", unavailable.Agent.Name, model)
}
