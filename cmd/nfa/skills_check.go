package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/skill/library"
)

func newSkillsValidate(g *globals) *cobra.Command {
	var asJSON, formatOnly bool
	cmd := &cobra.Command{
		Use: "validate PATH...", Short: "Hold skills to the rules of the format and give every problem",
		Long: `validate holds each skill, named by its directory or its SKILL.md, to the rules of the
open format and of nfa, and its steps to the tools and scripts that are here. It is
stricter than use: a skill with a problem may well work. --format-only leaves out what
depends on the tools of this program. It exits with 1 when there is a problem.`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, paths []string) error {
			problems := []skill.Problem{}
			for _, path := range paths {
				found, err := p.skillLibrary.Validate(path, formatOnly)
				if err != nil {
					return err
				}
				if len(found) == 0 && !asJSON {
					fmt.Fprintf(g.out, "%s: valid\n", markdown.SanitizeLine(path))
				}
				problems = append(problems, found...)
			}
			if asJSON {
				if err := cli.WriteJSON(g.out, problems); err != nil {
					return err
				}
			} else {
				printProblems(g, problems)
			}
			if len(problems) > 0 {
				return &exitError{code: exitFailure}
			}
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON: the problems alone")
	cmd.Flags().BoolVar(&formatOnly, "format-only", false, "leave out which tools and scripts there are")
	return cmd
}

func printProblems(g *globals, problems []skill.Problem) {
	for _, p := range problems {
		fmt.Fprintln(g.out, markdown.SanitizeLine(p.String()))
	}
}

func newSkillsFix(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "fix PATH", Short: "Repair a SKILL.md in its place, and say what is left to do",
		Long: `fix repairs what import repairs, in place: missing front matter or name, an unquoted
colon, a file named skill.md. It says what it did, and what only you can mend; while
something is left it exits with 1.`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, paths []string) error {
			file, changes, err := skill.FixFile(paths[0])
			if err != nil {
				return err
			}
			for _, change := range changes {
				fmt.Fprintf(g.out, "%s: %s\n", markdown.SanitizeLine(file), markdown.SanitizeLine(change))
			}
			if len(changes) == 0 {
				fmt.Fprintf(g.out, "%s: nothing to repair\n", markdown.SanitizeLine(file))
			}
			if problems := skill.Validate(file); len(problems) > 0 {
				fmt.Fprintln(g.out, "left for you:")
				printProblems(g, problems)
				return &exitError{code: exitFailure}
			}
			return nil
		},
	}
}

func newSkillsDoctor(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Say which skills are usable, kept from the assistant, or skipped, and why",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(_ *cobra.Command, p *program, _ []string) error {
			health := p.skillLibrary.Health()
			if asJSON {
				return cli.WriteJSON(g.out, health)
			}
			printHealth(g, health)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func printHealth(g *globals, s library.Health) {
	line := func(format string, args ...any) {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf(format, args...)))
	}
	line("+ skills    %d found, %d eligible, %d listed in the prompt", s.Found, s.Eligible, s.Listed)
	const lead = "+ usable    "
	names := fmt.Sprintf("%d: %s", len(s.Usable), markdown.SanitizeLine(strings.Join(s.Usable, ", ")))
	if width := cli.TerminalWidth(g.out); width > 0 {
		names = cli.Wrap(names, width-len(lead), "\n"+strings.Repeat(" ", len(lead)))
	}
	fmt.Fprintln(g.out, lead+names)
	if len(s.Disabled) > 0 {
		line("~ disabled  %d: %s", len(s.Disabled), strings.Join(s.Disabled, ", "))
	}
	printWaiting(g, s.Waiting)
	for _, out := range s.Excluded {
		line("~ left out of the catalogue: %s: %s", out.Name, out.Reason)
	}
	for _, d := range s.Warnings {
		line("~ warning   %s: %s", d.Path, d.Reason)
	}
	for _, d := range s.Skipped {
		line("! skipped   %s: %s", d.Path, d.Reason)
		if d.Fix != "" {
			line("            %s", d.Fix)
		}
	}
}

// printWaiting is what skills doctor says of the skills that wait in the database.
func printWaiting(g *globals, waiting []install.WaitingSkill) {
	for _, w := range waiting {
		fmt.Fprintln(g.out, markdown.SanitizeLine(fmt.Sprintf("~ in the database: %s: %s", w.Name, w.Reason)))
		fmt.Fprintln(g.out, markdown.SanitizeLine("            "+w.Fix))
	}
}
