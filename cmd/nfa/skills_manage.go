package main

import (
	"bufio"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
)

func newSkillsClone(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "clone NAME AS", Short: "Copy a skill of any source, with its files, into your own folder",
		Example: "  nfa skills clone get-price my-price",
		Args:    usageArgs(cobra.ExactArgs(2)),
		RunE: g.withProgram(programOptions{}, func(_ *cobra.Command, p *program, names []string) error {
			done, err := p.skillLibrary.Installer().Clone(names[0], names[1])
			if err != nil {
				return p.skillLibrary.ExplainError(err)
			}
			g.printInstalled("cloned", done)
			return nil
		}),
	}
}

func newSkillsDelete(g *globals) *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "delete NAME", Short: "Delete a skill of yours with all that is in its folder",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withProgram(programOptions{}, func(cmd *cobra.Command, p *program, names []string) error {
			file, err := p.skillLibrary.FindOwn(names[0])
			if err != nil {
				return fmt.Errorf("deleting %s: %w", names[0], err)
			}
			if !yes {
				question := fmt.Sprintf("Delete %s and everything in it?", filepath.Dir(file))
				if yes, err = g.confirm(cmd.Context(), question); err != nil {
					return err
				}
				if !yes {
					return declined("deleted")
				}
			}
			if err := p.skillLibrary.Installer().Delete(names[0]); err != nil {
				return err
			}
			_, err = fmt.Fprintf(g.out, "deleted %s\n", markdown.SanitizeLine(filepath.Dir(file)))
			return err
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

// confirm asks a person; without one at the terminal nothing may be taken for
// granted.
func (g *globals) confirm(ctx context.Context, question string) (bool, error) {
	if !cli.IsTerminal(g.in) || !cli.IsTerminal(g.err) {
		return false, &exitError{exitRefused, fmt.Errorf("%s There is no terminal to ask on; to go ahead say --yes", question)}
	}
	fmt.Fprintf(g.err, "%s [y/N] ", markdown.SanitizeLine(question))
	answers := make(chan string, 1)
	// Read aside, because reading a terminal cannot be interrupted; the program
	// ends soon after, and this with it.
	go func() {
		line, _ := bufio.NewReader(g.in).ReadString('\n')
		answers <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(g.err)
		return false, &exitError{code: exitInterrupted}
	case line := <-answers:
		answer := strings.ToLower(strings.TrimSpace(line))
		return answer == "y" || answer == "yes", nil
	}
}

// declined is what a verb ends with after a person said no, so that what a script
// would do next is not done.
func declined(done string) error {
	return &exitError{exitRefused, fmt.Errorf("nothing was %s", done)}
}

func newSkillsEnable(g *globals) *cobra.Command {
	return newSkillsToggle(g, "enable", "Offer a disabled skill to the assistant again", false)
}

func newSkillsDisable(g *globals) *cobra.Command {
	return newSkillsToggle(g, "disable", "Keep a skill from being offered to the assistant", true)
}

func newSkillsToggle(g *globals, verb, short string, disabled bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " NAME", Short: short,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(cmd *cobra.Command, p *program, names []string) error {
			name := names[0]
			switch s, ok := p.skills.Lookup(name); {
			case ok:
				name = s.Name
			case !p.state.Disabled(name):
				// One that is disabled and gone can still be taken off the list.
				return p.skillLibrary.NotFound(name)
			}
			if err := p.state.SetDisabled(cmd.Context(), name, disabled); err != nil {
				return err
			}
			_, err := fmt.Fprintf(g.out, "%sd %s\n", verb, markdown.SanitizeLine(name))
			return err
		}),
	}
}
