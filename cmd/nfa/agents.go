package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/roster"
	"github.com/nfa-cli/nfa/internal/shelves"
)

func newAgents(g *globals) *cobra.Command {
	return group("agents", "List and show the agents that can answer", newAgentsList(g), newAgentsShow(g))
}

func newAgentsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the agents",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{}, func(_ *cobra.Command, h *house, _ []string) error {
			h.roster = roster.Open(h.agentsFolder())
			rows := h.agents().Rows()
			if asJSON {
				return console.JSON(g.out, rows)
			}
			return printAgents(g.out, rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (h *house) agentsFolder() string { return filepath.Join(h.home, "agents") }

func printAgents(out io.Writer, rows []shelves.Agent) error {
	var lines []console.Row
	for _, r := range rows {
		line := console.Row{Name: r.Name, Kind: r.Source, About: r.Description}
		if r.Default {
			line.About = "(default) " + line.About
		}
		if r.Reason != "" {
			line.Name, line.Fault = r.Path, r.Reason+". "+r.Mend
		}
		for _, warning := range r.Warnings {
			line.Notes = append(line.Notes, "! "+warning)
		}
		lines = append(lines, line)
	}
	return console.List(out, console.Columns(out), lines)
}

func newAgentsShow(g *globals) *cobra.Command {
	var asJSON, raw bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show an agent: what it is told, its tools and its model",
		Args: args(cobra.ExactArgs(1)),
		RunE: g.inHouse(wiring{}, func(_ *cobra.Command, h *house, names []string) error {
			h.roster = roster.Open(h.agentsFolder())
			p, ok := h.roster.Lookup(names[0])
			switch {
			case !ok:
				return misuse.Errorf("%w", h.agents().NoSuch(names[0]))
			case asJSON && raw:
				return misuse.Errorf("--json and --raw cannot go together; choose one")
			case raw && !console.IsTerminal(g.out):
				_, err := io.WriteString(g.out, p.Text)
				return err
			case raw:
				_, err := io.WriteString(g.out, markdown.Sanitize(p.Text))
				return err
			case asJSON:
				return console.JSON(g.out, struct {
					shelves.Agent
					Instructions string `json:"instructions"`
				}{h.agents().Row(p), p.Instructions})
			}
			return printAgent(g.out, h.agents().Row(p), p.Instructions)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with its instructions")
	cmd.Flags().BoolVar(&raw, "raw", false, "the file byte for byte")
	return cmd
}

func printAgent(out io.Writer, r shelves.Agent, instructions string) error {
	tools := "every tool"
	if r.Tools != nil {
		tools = strings.Join(append([]string{"Skill", "read_skill_file", "skill_*"}, r.Tools...), ", ")
	}
	model := "the one that is set"
	if r.Model != "" {
		model = r.Model
	}
	fmt.Fprintf(out, "%s  %s\n%s\n%s\ntools: %s\nmodel: %s\n", markdown.SanitizeLine(r.Name), r.Source,
		markdown.SanitizeLine(r.Path), markdown.SanitizeLine(r.Description), markdown.SanitizeLine(tools), markdown.SanitizeLine(model))
	for _, warning := range r.Warnings {
		fmt.Fprintf(out, "! %s\n", markdown.SanitizeLine(warning))
	}
	_, err := fmt.Fprintf(out, "\n%s\n", markdown.Sanitize(instructions))
	return err
}
