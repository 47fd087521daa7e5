package main

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
	"github.com/nfa-cli/nfa/internal/skillset"
)

func newSkills(g *globals) *cobra.Command {
	return group("skills", "List, use and manage skills",
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
		Args: args(cobra.ArbitraryArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(_ *cobra.Command, h *house, words []string) error {
			rows := slices.DeleteFunc(h.set.Rows(all), func(r skillset.Row) bool { return !r.Matches(words) })
			if asJSON {
				return console.JSON(g.out, rows)
			}
			return printSkills(g.out, rows)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also what was left out or skipped, with the reason")
	return cmd
}

func printSkills(out io.Writer, rows []skillset.Row) error {
	width := console.Columns(out)
	if width > 0 {
		skillset.ByCategory(rows)
	}
	var lines []console.Row
	for _, r := range rows {
		lines = append(lines, listed(r))
	}
	return console.List(out, width, lines)
}

func listed(r skillset.Row) console.Row {
	line := console.Row{Group: cmp.Or(r.Category, "other"), Name: r.Name, Kind: r.Source, About: r.Description}
	if r.Reason != "" {
		line.Name, line.Fault = r.Path, r.Reason+". "+r.Mend
		return line
	}
	if !r.Enabled {
		line.About = "(disabled) " + line.About
	}
	if r.LeftOut != "" {
		line.Notes = append(line.Notes, "~ left out of the catalogue: "+r.LeftOut)
	}
	for _, warning := range r.Warnings {
		line.Notes = append(line.Notes, "! "+warning)
	}
	return line
}

// fitsVerb refuses words that do not fit a skill's parameters, with the usage of
// the verb and not of the chat's line.
func fitsVerb(s skill.Skill, line string) error {
	if _, err := parameter.Parse(s.Parameters, line); err != nil {
		return misuse.Errorf("%s: %w; usage: %s", s.Name, err, strings.TrimSpace("nfa skills run "+s.Name+" "+parameter.Usage(s.Parameters)))
	}
	return nil
}
