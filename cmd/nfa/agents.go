package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newAgents(g *globals) *cobra.Command {
	return commandGroup("agents", "List and show the agents that can answer", newAgentsList(g), newAgentsShow(g))
}

func newAgentsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the agents",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, _ []string) error {
			p.profiles = agent.LoadProfiles(p.agentsFolder())
			rows := p.agentScreen().Rows()
			if asJSON {
				return cli.WriteJSON(g.out, rows)
			}
			return printAgents(g.out, rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (p *program) agentsFolder() string { return filepath.Join(p.home, "agents") }

func printAgents(out io.Writer, rows []screens.Agent) error {
	var lines []cli.ListRow
	for _, r := range rows {
		line := cli.ListRow{Name: r.Name, Kind: r.Source, About: r.Description}
		if r.Default {
			line.About = "(default) " + line.About
		}
		if r.Reason != "" {
			line.Name, line.Problem = r.Path, r.Reason+". "+r.Fix
		}
		for _, warning := range r.Warnings {
			line.Notes = append(line.Notes, "! "+warning)
		}
		lines = append(lines, line)
	}
	return cli.WriteList(out, cli.TerminalWidth(out), lines)
}

func newAgentsShow(g *globals) *cobra.Command {
	var asJSON, raw bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show an agent: what it is told, its tools and its model",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, names []string) error {
			p.profiles = agent.LoadProfiles(p.agentsFolder())
			profile, ok := p.profiles.Lookup(names[0])
			switch {
			case !ok:
				return usage.Errorf("%w", p.agentScreen().UnknownAgent(names[0]))
			case asJSON && raw:
				return usage.Errorf("--json and --raw cannot go together; choose one")
			case raw && !cli.IsTerminal(g.out):
				_, err := io.WriteString(g.out, profile.Text)
				return err
			case raw:
				_, err := io.WriteString(g.out, markdown.Sanitize(profile.Text))
				return err
			case asJSON:
				return cli.WriteJSON(g.out, struct {
					screens.Agent
					Instructions string `json:"instructions"`
				}{p.agentScreen().AgentRow(profile), profile.Instructions})
			}
			return printAgent(g.out, p.agentScreen().AgentRow(profile), profile.Instructions)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with its instructions")
	cmd.Flags().BoolVar(&raw, "raw", false, "the file byte for byte")
	return cmd
}

func printAgent(out io.Writer, r screens.Agent, instructions string) error {
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
