package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newAgentsList(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, _ []string) error {
			rows := a.Agents.Rows()
			if g.json {
				return cli.WriteJSON(g.out, rows)
			}
			return printAgents(g.out, rows)
		}),
	}
	return cmd
}

func printAgents(out io.Writer, rows []app.AgentRow) error {
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
	var raw bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, names []string) error {
			profile, ok := a.Agents.Lookup(names[0])
			switch {
			case !ok:
				return usage.Errorf("%w", a.Agents.Unknown(names[0]))
			case g.json && raw:
				return usage.Errorf("--json and --raw cannot be used together; choose one")
			case raw && !cli.IsTerminal(g.out):
				_, err := io.WriteString(g.out, profile.Text)
				return err
			case raw:
				_, err := io.WriteString(g.out, markdown.Sanitize(profile.Text))
				return err
			case g.json:
				return cli.WriteJSON(g.out, struct {
					app.AgentRow
					Instructions string `json:"instructions"`
				}{a.Agents.Row(profile), profile.Instructions})
			}
			return printAgent(g.out, a.Agents.Row(profile), profile.Instructions)
		}),
	}
	cmd.Flags().BoolVar(&raw, "raw", false, "print the file unchanged")
	return cmd
}

func printAgent(out io.Writer, r app.AgentRow, instructions string) error {
	tools := "all"
	if r.Tools != nil {
		tools = strings.Join(append([]string{"Skill", "read_skill_file", "skill_*"}, r.Tools...), ", ")
	}
	model := "default"
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
