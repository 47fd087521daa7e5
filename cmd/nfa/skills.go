package main

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
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
		Use: "list", Short: "List the skills, --all with what is left out or skipped and why",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(_ *cobra.Command, h *house, _ []string) error {
			rows := h.skillRows(all)
			if asJSON {
				return printJSON(g.out, rows)
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
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		if r.Reason != "" {
			fmt.Fprintf(w, "%s\t%s\tskipped: %s. %s\n", markdown.SanitizeLine(r.Path), r.Source,
				markdown.SanitizeLine(r.Reason), markdown.SanitizeLine(r.Mend))
			continue
		}
		disabled := ""
		if !r.Enabled {
			disabled = "(disabled) "
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\n", markdown.SanitizeLine(r.Name), r.Source, disabled, markdown.SanitizeLine(r.Description))
		if r.LeftOut != "" {
			fmt.Fprintf(w, "\t\t~ left out of the catalogue: %s\n", markdown.SanitizeLine(r.LeftOut))
		}
		for _, warning := range r.Warnings {
			fmt.Fprintf(w, "\t\t! %s\n", markdown.SanitizeLine(warning))
		}
	}
	return w.Flush()
}

func newSkillsShow(g *globals) *cobra.Command {
	var form showForm
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a skill: what it says and where it lives",
		Example: `  nfa skills show get-price
  nfa skills show get-price --render symbols=AAPL`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			form.render = cmd.Flags().Changed("render")
			if form.json && form.raw || form.render && (form.json || form.raw) {
				return usagef("--json, --raw and --render cannot go together; choose one")
			}
			h, err := wire(cmd.Context(), g, wiring{})
			if err != nil {
				return err
			}
			defer h.close()
			return showSkill(g, h, names[0], form)
		},
	}
	cmd.Flags().BoolVar(&form.json, "json", false, "as JSON, with its content")
	cmd.Flags().BoolVar(&form.raw, "raw", false, "the SKILL.md byte for byte")
	cmd.Flags().StringArrayVar(&form.words, "render", nil, "byte for byte what the model gets with this `KEY=VALUE`; may be repeated, or empty")
	return cmd
}

// showForm is how a skill is shown; without any, for people.
type showForm struct {
	json, raw, render bool
	words             []string // to render it with
}

func showSkill(g *globals, h *house, name string, form showForm) error {
	s, ok := h.skills.Lookup(name)
	if !ok {
		return unknownSkill(h.skills, name)
	}
	content, err := h.skills.Load(s.Name)
	if err != nil {
		return err
	}
	switch {
	case form.render:
		in, err := h.activate(s.Name, argumentLine(s.Parameters, slices.DeleteFunc(form.words, func(w string) bool { return w == "" })))
		if err != nil {
			return err
		}
		_, err = io.WriteString(g.out, in.ForModel)
		return err
	case form.raw:
		text := content.Text
		if isTerminal(g.out) {
			text = markdown.Sanitize(text) // byte for byte into a file or a pipe
		}
		_, err = io.WriteString(g.out, text)
		return err
	case form.json:
		return printJSON(g.out, struct {
			skillJSON
			Content string `json:"content"`
		}{skillRow(s, !h.state.Disabled(s.Name)), content.Text})
	}
	fmt.Fprintf(g.out, "%s  %s, version %s\n%s\n%s\n", markdown.SanitizeLine(s.Name), s.Source,
		markdown.SanitizeLine(s.Version), markdown.SanitizeLine(s.Path), markdown.SanitizeLine(s.Description))
	if len(s.ToolsRequired) > 0 {
		fmt.Fprintf(g.out, "tools: %s\n", markdown.SanitizeLine(strings.Join(s.ToolsRequired, ", ")))
	}
	_, err = fmt.Fprintf(g.out, "\n%s\n", strings.TrimSpace(markdown.Sanitize(content.Body)))
	return err
}

// unknownSkill says which skill may have been meant.
func unknownSkill(skills *skill.Registry, name string) error {
	hint := "nfa skills list shows them"
	if near := skills.Suggest(name); len(near) > 0 {
		hint = "did you mean " + near[0] + "?"
	}
	return usagef("Skill '%s' not found; %s", name, hint)
}
