package main

import (
	"cmp"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/parameter"
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

// skillJSON is a row of `skills list --json`. A skipped file has a reason
// instead of the fields that could not be read.
type skillJSON struct {
	Name        string   `json:"name"`
	DisplayName string   `json:"display_name"`
	Description string   `json:"description"`
	Version     string   `json:"version"`
	Category    string   `json:"category"`
	Source      string   `json:"source"`
	Path        string   `json:"path"`
	Enabled     bool     `json:"enabled"`
	Warnings    []string `json:"warnings"`
	LeftOut     string   `json:"left_out,omitempty"` // why the assistant is not offered it
	Reason      string   `json:"reason,omitempty"`
	Mend        string   `json:"mend,omitempty"`
}

func skillRow(s skill.Skill, enabled bool) skillJSON {
	row := skillJSON{
		Name: s.Name, DisplayName: s.DisplayName, Description: s.Description, Version: s.Version,
		Category: s.Category, Source: string(s.Source), Path: s.Path, Enabled: enabled, Warnings: s.Warnings,
	}
	if row.Warnings == nil {
		row.Warnings = []string{}
	}
	return row
}

func newSkillsList(g *globals) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use: "list [WORD...]", Short: "List the skills, --all with what is left out or skipped and why",
		Long: `list shows the skills, with words those that have all of them in their name, title,
category or description.`,
		Args: args(cobra.ArbitraryArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(_ *cobra.Command, h *house, words []string) error {
			rows := slices.DeleteFunc(h.skillRows(all), func(r skillJSON) bool { return !r.matches(words) })
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

// skillRows are the usable skills, and with all what keeps which of them from
// the assistant, and those that were skipped.
func (h *house) skillRows(all bool) []skillJSON {
	rows := []skillJSON{}
	for _, s := range h.skills.List() {
		rows = append(rows, skillRow(s, !h.state.Disabled(s.Name)))
	}
	if !all {
		return rows
	}
	for _, out := range h.leftOut() {
		i := slices.IndexFunc(rows, func(r skillJSON) bool { return r.Name == out.Name })
		rows[i].LeftOut = out.Reason
	}
	for i, s := range h.skills.List() {
		if why := h.cannotRun(s); why != "" {
			rows[i].Warnings = append(slices.Clone(rows[i].Warnings), why)
		}
	}
	return append(rows, skippedRows(h.skills.Diagnostics())...)
}

func skippedRows(diagnostics []skill.Diagnostic) []skillJSON {
	var rows []skillJSON
	for _, d := range diagnostics {
		if d.Skipped() {
			rows = append(rows, skillJSON{
				Name: d.Name, Source: string(d.Source), Path: d.Path, Warnings: []string{}, Reason: d.Reason, Mend: d.Mend,
			})
		}
	}
	sort.SliceStable(rows, func(i, j int) bool { return rows[i].Path < rows[j].Path })
	return rows
}

func printSkills(out io.Writer, rows []skillJSON) error {
	width := console.Columns(out)
	if width > 0 {
		byCategory(rows)
	}
	var lines []console.Row
	for _, r := range rows {
		lines = append(lines, r.listed())
	}
	return console.List(out, width, lines)
}

// byCategory orders the usable skills as they are grouped; those without a
// category, and the files that were skipped, come last.
func byCategory(rows []skillJSON) {
	place := func(r skillJSON) int {
		switch {
		case r.Reason != "":
			return 2
		case r.Category == "":
			return 1
		}
		return 0
	}
	slices.SortStableFunc(rows, func(a, b skillJSON) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Category, b.Category))
	})
}

func (r skillJSON) listed() console.Row {
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

// matches tells whether a row holds every word, in either case.
func (r skillJSON) matches(words []string) bool {
	text := strings.ToLower(strings.Join([]string{r.Name, r.DisplayName, r.Category, r.Description}, "\n"))
	for _, word := range words {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	return true
}

// fitsVerb refuses words that do not fit a skill's parameters, with the usage of
// the verb and not of the chat's line.
func fitsVerb(s skill.Skill, line string) error {
	if _, err := parameter.Parse(s.Parameters, line); err != nil {
		return misuse.Errorf("%s: %w; usage: %s", s.Name, err, strings.TrimSpace("nfa skills run "+s.Name+" "+parameter.Usage(s.Parameters)))
	}
	return nil
}

// unknownSkill says which skill may have been meant.
func unknownSkill(skills *skill.Registry, name string) error {
	hint := "nfa skills list shows them"
	if near := skills.Suggest(name); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return misuse.Errorf("Skill '%s' not found; %s", name, hint)
}
