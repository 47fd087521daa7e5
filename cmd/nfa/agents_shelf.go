package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tui"
)

// agentShelf is /agent: who could answer, to read about and to choose from.
type agentShelf struct{ *house }

// markDefault is of the agent that the settings name.
const markDefault = "default"

func (h *house) agentShelf() *tui.Shelf {
	s := agentShelf{h}
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
func (s agentShelf) items() []tui.Item {
	var own, builtin, faulty []tui.Item
	for _, r := range s.agentRows() {
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

func (s agentShelf) marks(r agentJSON) []string {
	var marks []string
	if r.Name == s.speaking.Load().profile.Name {
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
func (s agentShelf) read(name string) (string, error) {
	p, ok := s.roster.Lookup(name)
	if !ok {
		for _, r := range s.agentRows() {
			if r.Reason != "" && r.Path == name {
				return fmt.Sprintf("%s\n\n%s. %s\n", markdown.Code(console.Path(r.Path)), r.Reason, r.Mend), nil
			}
		}
		return "", s.noSuchAgent(name)
	}
	row := s.agentRow(p)
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
func (s agentShelf) modelOf(p roster.Profile) string {
	now := s.speaking.Load()
	switch {
	case p.Name == now.profile.Name:
		return markdown.Code(now.modelName) + ", which answers now"
	case p.Model != "":
		return markdown.Code(p.Model) + ", its own"
	}
	return "the one that is set"
}

func (s agentShelf) toolsOf(p roster.Profile) string {
	if p.Tools == nil {
		return fmt.Sprintf("all %d; /tools lists them", len(s.router.Tools()))
	}
	var names []string
	for _, t := range s.router.Tools() {
		if p.May(t.Name) {
			names = append(names, markdown.Code(t.Name))
		}
	}
	return fmt.Sprintf("%d of %d: %s", len(names), len(s.router.Tools()), strings.Join(names, ", "))
}

// skillsOf names the skills that an agent lacks a tool for: all others are its own.
func (s agentShelf) skillsOf(p roster.Profile) string {
	var usable int
	var beyond []string
	has := func(name string) bool { return s.reaches(p, name) }
	for _, k := range s.skills.List() {
		switch {
		case s.state.Disabled(k.Name):
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
func (s agentShelf) reaches(p roster.Profile, name string) bool {
	_, there := s.router.Lookup(name)
	return there && p.May(name)
}

func (s agentShelf) use(name string) (tui.Outcome, error) {
	if err := s.speakAs(context.Background(), name); err != nil {
		return tui.Outcome{}, inChat(err)
	}
	now := s.speaking.Load()
	said := append([]string{fmt.Sprintf("%s answers from the next turn on, with %s", now.profile.Name, now.modelName)}, s.speakerWarnings()...)
	return tui.Outcome{Said: strings.Join(said, "; ! ")}, nil
}
