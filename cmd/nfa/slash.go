package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tui"
)

// commands is what "/" offers in the chat beside the view's own: one line each,
// then the skills.
func (h *house) commands() []tui.Command {
	commands := []tui.Command{
		{Name: "skills", About: "what skills there are, and which were skipped", Kind: tui.KindCommand, Show: h.showSkills},
		{Name: "model", About: "which model answers, and how to change it", Kind: tui.KindCommand, Show: h.showModel},
		{Name: "agent", Hint: "[name]", About: "who answers, and who else could", Kind: tui.KindCommand, Show: h.showAgents},
		{Name: "tools", About: "what the assistant can call", Kind: tui.KindCommand, Show: h.showTools},
		{Name: "reload", About: "scan the skills again", Kind: tui.KindCommand, Show: h.reload},
	}
	for _, s := range h.skills.List() {
		if !s.UserInvocable || h.state.Disabled(s.Name) || len(skill.MissingTools(s, h.hasTool)) > 0 {
			continue
		}
		commands = append(commands, tui.Command{
			Name: s.Name, DisplayName: s.DisplayName, Hint: s.ArgumentHint, About: s.Description, Kind: tui.KindSkill,
			Prepare: func(args string) (agent.Input, error) { return h.prepare(s.Name, args) },
		})
	}
	return commands
}

func (h *house) showSkills(string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "**Skills** from %s and the program itself. Use one with `/name words`, or ask for it.\n\n", code(shortPath(h.home)+"/skills"))
	for _, s := range h.skills.List() {
		fmt.Fprintf(&b, "- **%s** (%s): %s\n", s.Name, s.Source, s.Description)
		for _, w := range s.Warnings {
			fmt.Fprintf(&b, "  - ! %s\n", w)
		}
	}
	if h.skippedSkills() > 0 {
		b.WriteString("\n**Skipped**\n\n")
	}
	for _, d := range h.skills.Diagnostics() {
		if d.Skipped() {
			fmt.Fprintf(&b, "- %s: %s. %s\n", code(shortPath(d.Path)), d.Reason, d.Mend)
		}
	}
	return b.String(), nil
}

// reload scans the skills again and says what it found different.
func (h *house) reload(string) (string, error) {
	if err := h.state.Reload(context.Background()); err != nil {
		return "", err
	}
	changes := h.skills.Rescan()
	if changes.Empty() {
		return fmt.Sprintf("Nothing has changed: %d skills.", len(h.skills.List())), nil
	}
	var b strings.Builder
	for _, list := range []struct {
		what  string
		names []string
	}{{"added", changes.Added}, {"removed", changes.Removed}, {"changed", changes.Changed}} {
		if len(list.names) > 0 {
			fmt.Fprintf(&b, "- %s: %s\n", list.what, strings.Join(list.names, ", "))
		}
	}
	if n := h.skippedSkills(); n > 0 {
		fmt.Fprintf(&b, "- skipped: %d; /skills says why\n", n)
	}
	return b.String(), nil
}

func (h *house) showModel(string) (string, error) {
	var b strings.Builder
	name := h.speaking.Load().modelName
	if name == offlineName {
		b.WriteString("The **embedded offline assistant** answers: rules, not a language model.\n\n")
	} else {
		fmt.Fprintf(&b, "**%s** answers.\n\n", name)
	}
	b.WriteString("To change it, leave the chat and start it with one of:\n\n" +
		"- `NFA_BASE_URL`, `NFA_API_KEY` and `NFA_MODEL` for any OpenAI-compatible server\n" +
		"- `OPENAI_API_KEY`, and `--model openai/NAME`\n" +
		"- `--model offline` for the embedded assistant\n")
	return b.String(), nil
}

func (h *house) showTools(string) (string, error) {
	var b strings.Builder
	for _, t := range h.router.Tools() {
		fmt.Fprintf(&b, "- **%s** (%s): %s\n", t.Name, t.Effect, firstSentence(t.Description))
	}
	return b.String(), nil
}

// code quotes a text for Markdown, whatever ticks it holds.
func code(s string) string { return "`" + strings.ReplaceAll(s, "`", "'") + "`" }
