package main

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/library"
	"github.com/nfa-cli/nfa/internal/skill/workflow"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newSkills(g *globals) *cobra.Command {
	return commandGroup("skills", "List, use and manage skills",
		newSkillsList(g),
		newSkillsShow(g),
		newSkillsRun(g),
		newSkillsCreate(g),
		newSkillsEdit(g),
		newSkillsClone(g),
		newSkillsDelete(g),
		newSkillsEnable(g),
		newSkillsDisable(g),
		newSkillsImport(g),
		newSkillsExport(g),
		newSkillsValidate(g),
		newSkillsFix(g),
		newSkillsDoctor(g),
		newSkillsTest(g),
		newSkillsTrust(g),
	)
}

func newSkillsList(g *globals) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use: "list [WORD...]", Short: "List the skills, --all with what is left out or skipped and why",
		Long: `list shows the skills, with words those that have all of them in their name, title,
category or description.`,
		Args: usageArgs(cobra.ArbitraryArgs),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(_ *cobra.Command, p *program, args []string) error {
			rows := slices.DeleteFunc(p.skillLibrary.Rows(all), func(r library.Row) bool { return !r.Matches(args) })
			if asJSON {
				return cli.WriteJSON(g.out, rows)
			}
			return printSkills(g.out, rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also what was left out or skipped, with the reason")
	return cmd
}

func printSkills(out io.Writer, rows []library.Row) error {
	width := cli.TerminalWidth(out)
	if width > 0 {
		library.ByCategory(rows)
	}
	var lines []cli.ListRow
	for _, r := range rows {
		lines = append(lines, skillListRow(r))
	}
	return cli.WriteList(out, width, lines)
}

func skillListRow(r library.Row) cli.ListRow {
	line := cli.ListRow{Group: cmp.Or(r.Category, "other"), Name: r.Name, Kind: r.Source, About: r.Description}
	if r.Reason != "" {
		line.Name, line.Problem = r.Path, r.Reason+". "+r.Fix
		return line
	}
	if !r.Enabled {
		line.About = "(disabled) " + line.About
	}
	if r.ExclusionReason != "" {
		line.Notes = append(line.Notes, "~ left out of the catalogue: "+r.ExclusionReason)
	}
	for _, warning := range r.Warnings {
		line.Notes = append(line.Notes, "! "+warning)
	}
	return line
}

// checkSkillArguments refuses words that do not fit a skill's parameters, with the usage of
// the verb and not of the chat's line.
func checkSkillArguments(s skill.Skill, line string) error {
	if _, err := workflow.ParseArguments(s.Parameters, line); err != nil {
		return usage.Errorf("%s: %w; usage: %s", s.Name, err, strings.TrimSpace("nfa skills run "+s.Name+" "+workflow.ArgumentUsage(s.Parameters)))
	}
	return nil
}
