package main

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
)

func newSkills(g *globals) *cobra.Command {
	return group("skills", "List and show skills", newSkillsList(g), newSkillsShow(g))
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
	Reason      string   `json:"reason,omitempty"`
	Mend        string   `json:"mend,omitempty"`
}

func skillRow(s skill.Skill) skillJSON {
	row := skillJSON{
		Name: s.Name, DisplayName: s.DisplayName, Description: s.Description, Version: s.Version,
		Category: s.Category, Source: string(s.Source), Path: s.Path, Enabled: true, Warnings: s.Warnings,
	}
	if row.Warnings == nil {
		row.Warnings = []string{}
	}
	return row
}

func newSkillsList(g *globals) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the skills, --all with those that were skipped and why",
		Args: args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := wire(cmd.Context(), g, wiring{})
			if err != nil {
				return err
			}
			defer h.close()
			rows := []skillJSON{}
			for _, s := range h.skills.List() {
				rows = append(rows, skillRow(s))
			}
			if all {
				rows = append(rows, skippedRows(h.skills.Diagnostics())...)
			}
			if asJSON {
				return printJSON(g.out, rows)
			}
			return printSkills(g.out, rows)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also what was skipped, with the reason")
	return cmd
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
		fmt.Fprintf(w, "%s\t%s\t%s\n", markdown.SanitizeLine(r.Name), r.Source, markdown.SanitizeLine(r.Description))
		for _, warning := range r.Warnings {
			fmt.Fprintf(w, "\t\t! %s\n", markdown.SanitizeLine(warning))
		}
	}
	return w.Flush()
}

func newSkillsShow(g *globals) *cobra.Command {
	var asJSON, raw bool
	cmd := &cobra.Command{
		Use: "show NAME", Short: "Show a skill: what it says and where it lives",
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			if asJSON && raw {
				return usagef("--json and --raw cannot go together; choose one")
			}
			h, err := wire(cmd.Context(), g, wiring{})
			if err != nil {
				return err
			}
			defer h.close()
			return showSkill(g, h, names[0], asJSON, raw)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON, with its content")
	cmd.Flags().BoolVar(&raw, "raw", false, "the SKILL.md byte for byte")
	return cmd
}

func showSkill(g *globals, h *house, name string, asJSON, raw bool) error {
	s, ok := h.skills.Lookup(name)
	if !ok {
		return unknownSkill(h.skills, name)
	}
	content, err := h.skills.Load(s.Name)
	if err != nil {
		return err
	}
	switch {
	case raw:
		_, err = io.WriteString(g.out, content.Text)
		return err
	case asJSON:
		return printJSON(g.out, struct {
			skillJSON
			Content string `json:"content"`
		}{skillRow(s), content.Text})
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
