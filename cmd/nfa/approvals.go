package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newPermissionsCommand(g *globals) *cobra.Command {
	return commandGroup("approvals", "What you have allowed for always, and taking it back",
		newPermissionsList(g), newPermissionsRemove(g))
}

// openPermissions reads the saved permission rules of the home. If the file cannot be parsed,
// nothing is allowed and notice receives a warning.
func (p *program) openPermissions(notice func(string)) *tool.Permissions {
	rules, err := tool.OpenPermissions(p.home, clock)
	if err != nil {
		notice(err.Error())
	}
	return rules
}

func newPermissionsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List what runs without asking",
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(_ *cobra.Command, p *program, _ []string) error {
			rules := p.permissions.List()
			if asJSON {
				return cli.WriteJSON(g.out, append([]tool.Permission{}, rules...))
			}
			if len(rules) == 0 {
				_, err := fmt.Fprintln(g.out, "nothing: what writes or runs a program asks each session")
				return err
			}
			w := cli.NewTable(g.out)
			for _, r := range rules {
				fmt.Fprintf(w, "%s\t%s\tsince %s\n", markdown.SanitizeLine(r.Tool), markdown.SanitizeLine(r.Pattern), r.Since.Format("2006-01-02"))
			}
			return w.Flush()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func newPermissionsRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "remove TOOL [PATTERN]", Short: "Ask again: take back one pattern, or all of a tool",
		Args: usageArgs(cobra.RangeArgs(1, 2)),
		RunE: g.withProgram(programOptions{notice: g.notice}, func(cmd *cobra.Command, p *program, args []string) error {
			removed, err := p.permissions.Remove(cmd.Context(), args[0], strings.Join(args[1:], ""))
			switch {
			case err != nil:
				return err
			case removed == 0:
				return usage.Errorf("nothing of %s is allowed for always; nfa approvals list shows what is", args[0])
			}
			_, err = fmt.Fprintf(g.out, "taken back: %s\n", cli.CountNoun(removed, "approval"))
			return err
		}),
	}
}
