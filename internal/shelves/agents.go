package shelves

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/state"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui"
)

// markDefault is of the agent that the settings name.
const markDefault = "default"

// Agents are who could answer.
type Agents struct {
	Roster  *roster.Roster
	Home    string
	Default string       // that the settings name
	Router  *tool.Router // of all tools but those that skills bring
	Skills  *skill.Registry
	State   *state.State // what the user decided about skills
	// Answering is who answers now, and with which model; "" before anybody does.
	Answering func() (agent, model string)
	// Use lets an agent answer from the next turn on.
	Use func(name string) error
	// Odd is what is odd about the one that answers.
	Odd func() []string
}

// Shelf is /agent: who could answer, to read about and to choose from.
func (s Agents) Shelf() *tui.Shelf {
	other := func(i tui.Item) bool { return !i.Problem && !slices.Contains(i.Marks, markAnswering) }
	return &tui.Shelf{
		Title: "Agents", Items: s.items, Read: s.read, Empty: "There are no agents.",
		Actions: []tui.Action{
			{Key: "enter", Name: "switch", About: "let it answer from the next turn on", Offer: other, Run: s.use},
		},
	}
}

// items are the agents by where they come from, the user's own first, then the files
// that are none.
func (s Agents) items() []tui.Item {
	var own, builtin, faulty []tui.Item
	for _, r := range s.Rows() {
		item := tui.Item{Name: r.Name, Group: r.Source, About: r.Description, Marks: s.marks(r)}
		switch {
		case r.Reason != "":
			faulty = append(faulty, tui.Item{Name: r.Path, Title: r.Name, Group: "cannot be used", About: r.Reason, Problem: true})
		case r.Source == string(roster.SourceBuiltin):
			builtin = append(builtin, item)
		default:
			own = append(own, item)
		}
	}
	return slices.Concat(own, builtin, faulty)
}

func (s Agents) marks(r Agent) []string {
	var marks []string
	if r.Name == s.agent() {
		marks = append(marks, markAnswering)
	}
	if r.Default {
		marks = append(marks, markDefault)
	}
	if len(r.Warnings) > 0 {
		marks = append(marks, "! "+console.Count(len(r.Warnings), "warning"))
	}
	return marks
}

// read is what the pane holds of an agent, or of a file that is none.
func (s Agents) read(name string) (string, error) {
	p, ok := s.Roster.Lookup(name)
	if !ok {
		for _, r := range s.Rows() {
			if r.Reason != "" && r.Path == name {
				return fmt.Sprintf("%s\n\n%s. %s\n", markdown.Code(console.Path(r.Path)), r.Reason, r.Mend), nil
			}
		}
		return "", s.NoSuch(name)
	}
	row := s.Row(p)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", row.Description)
	for _, warning := range row.Warnings {
		fmt.Fprintf(&b, "! %s\n\n", warning)
	}
	fmt.Fprintf(&b, "- model: %s\n- tools: %s\n- skills: %s\n", s.modelOf(p), s.toolsOf(p), s.skillsOf(p))
	if p.Source != roster.SourceBuiltin {
		fmt.Fprintf(&b, "- file: %s\n", markdown.Code(console.Path(p.Path)))
	}
	fmt.Fprintf(&b, "\n## What it is told\n\n%s\n", p.Instructions)
	return b.String(), nil
}

// modelOf says with what an agent answers.
func (s Agents) modelOf(p roster.Profile) string {
	switch {
	case p.Name == s.agent():
		return markdown.Code(s.model()) + ", which answers now"
	case p.Model != "":
		return markdown.Code(p.Model) + ", its own"
	}
	return "the one that is set"
}

func (s Agents) toolsOf(p roster.Profile) string {
	if p.Tools == nil {
		return fmt.Sprintf("all %d; /tools lists them", len(s.Router.Tools()))
	}
	var names []string
	for _, t := range s.Router.Tools() {
		if p.May(t.Name) {
			names = append(names, markdown.Code(t.Name))
		}
	}
	return fmt.Sprintf("%d of %d: %s", len(names), len(s.Router.Tools()), strings.Join(names, ", "))
}

// skillsOf names the skills that an agent lacks a tool for: all others are its own.
func (s Agents) skillsOf(p roster.Profile) string {
	var usable int
	var beyond []string
	has := func(name string) bool { return s.reaches(p, name) }
	for _, k := range s.Skills.List() {
		switch {
		case s.State.Disabled(k.Name):
		case len(skill.MissingTools(k, has)) > 0:
			beyond = append(beyond, k.Name)
		default:
			usable++
		}
	}
	text := fmt.Sprintf("%d it has the tools for", usable)
	if len(beyond) > 0 {
		text += ", and not " + strings.Join(beyond, ", ")
	}
	return text
}

// reaches reports whether an agent has a tool here.
func (s Agents) reaches(p roster.Profile, name string) bool {
	_, there := s.Router.Lookup(name)
	return there && p.May(name)
}

func (s Agents) use(name string) (tui.Outcome, error) {
	if err := s.Use(name); err != nil {
		return tui.Outcome{}, err
	}
	said := append([]string{fmt.Sprintf("%s answers from the next turn on, with %s", s.agent(), s.model())}, s.Odd()...)
	return tui.Outcome{Said: strings.Join(said, "; ! ")}, nil
}

func (s Agents) agent() string {
	name, _ := s.Answering()
	return name
}

func (s Agents) model() string {
	_, model := s.Answering()
	return model
}
