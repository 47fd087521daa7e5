package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/lint"
)

func newSkillsValidate(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "validate PATH...", Short: "Hold skills to the rules of the format and give every problem",
		Long: `validate holds each skill, named by its directory or its SKILL.md, to the rules of the
open format and of nfa. It is stricter than use: a skill with a problem may well work.
It exits with 1 when there is a problem.`,
		Args: args(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, paths []string) error {
			problems := []lint.Problem{}
			for _, path := range paths {
				found, err := g.problemsOf(cmd.Context(), path)
				if err != nil {
					return err
				}
				if len(found) == 0 && !asJSON {
					fmt.Fprintf(g.out, "%s: valid\n", markdown.SanitizeLine(path))
				}
				problems = append(problems, found...)
			}
			if asJSON {
				if err := printJSON(g.out, problems); err != nil {
					return err
				}
			} else {
				printProblems(g, problems)
			}
			if len(problems) > 0 {
				return &exitError{code: exitFailure}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON: the problems alone")
	return cmd
}

func printProblems(g *globals, problems []lint.Problem) {
	for _, p := range problems {
		fmt.Fprintln(g.out, markdown.SanitizeLine(p.String()))
	}
}

func newSkillsFix(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "fix PATH", Short: "Repair a SKILL.md in its place, and say what is left to do",
		Long: `fix repairs what import repairs, in place: missing front matter or name, an unquoted
colon, a file named skill.md. It says what it did, and what only you can mend.`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, paths []string) error {
			file, changes, err := lint.Fix(paths[0])
			if err != nil {
				return err
			}
			for _, change := range changes {
				fmt.Fprintf(g.out, "%s: %s\n", markdown.SanitizeLine(file), markdown.SanitizeLine(change))
			}
			if len(changes) == 0 {
				fmt.Fprintf(g.out, "%s: nothing to repair\n", markdown.SanitizeLine(file))
			}
			if left := lint.Validate(file); len(left) > 0 {
				fmt.Fprintln(g.out, "left for you:")
				printProblems(g, left)
			}
			return nil
		},
	}
}

// skillHealth is what doctor says of the skills.
type skillHealth struct {
	Usable   []string           `json:"usable"`
	Disabled []string           `json:"disabled"`
	LeftOut  []skill.Exclusion  `json:"left_out"`
	Skipped  []skill.Diagnostic `json:"skipped"`
	Warnings []skill.Diagnostic `json:"warnings"`
	Waiting  []install.Waiting  `json:"waiting"` // in the database, for the folder
}

func newSkillsDoctor(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say which skills are usable, kept from the assistant, or skipped, and why",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(_ *cobra.Command, h *house, _ []string) error {
			health := h.skillHealth()
			if asJSON {
				return printJSON(g.out, health)
			}
			health.print(g)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (h *house) skillHealth() skillHealth {
	// Never nil: JSON shows an empty list where there is nothing.
	health := skillHealth{
		Usable: []string{}, Disabled: []string{}, LeftOut: []skill.Exclusion{},
		Skipped: []skill.Diagnostic{}, Warnings: []skill.Diagnostic{},
		Waiting: append([]install.Waiting{}, h.waiting...),
	}
	for _, s := range h.skills.List() {
		health.Usable = append(health.Usable, s.Name)
		if h.state.Disabled(s.Name) {
			health.Disabled = append(health.Disabled, s.Name)
		}
	}
	health.LeftOut = append(health.LeftOut, h.leftOut()...)
	for _, d := range h.skills.Diagnostics() {
		if d.Skipped() {
			health.Skipped = append(health.Skipped, d)
		} else {
			health.Warnings = append(health.Warnings, d)
		}
	}
	return health
}

// leftOut gives the usable skills that the assistant is not offered.
func (h *house) leftOut() []skill.Exclusion {
	_, out := skill.Eligible(h.skills.List(), h.hasTool, h.state.Disabled)
	return out
}

func (s skillHealth) print(g *globals) {
	line := func(format string, args ...any) {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
	}
	line("+ usable    %d: %s", len(s.Usable), strings.Join(s.Usable, ", "))
	if len(s.Disabled) > 0 {
		line("~ disabled  %d: %s", len(s.Disabled), strings.Join(s.Disabled, ", "))
	}
	printWaiting(g, s.Waiting)
	for _, out := range s.LeftOut {
		line("~ left out of the catalogue: %s: %s", out.Name, out.Reason)
	}
	for _, d := range s.Warnings {
		line("~ warning   %s: %s", d.Path, d.Reason)
	}
	for _, d := range s.Skipped {
		line("! skipped   %s: %s", d.Path, d.Reason)
		if d.Mend != "" {
			line("            %s", d.Mend)
		}
	}
}
