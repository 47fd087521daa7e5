package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newPermissionsList(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(_ *cobra.Command, a *app.App, _ []string) error {
			rules := a.StandingApprovals()
			if g.json {
				return cli.WriteJSON(g.out, append([]tool.Permission{}, rules...))
			}
			if len(rules) == 0 {
				return g.printLine("No permissions. Tools that write or run a program ask each time.")
			}
			w := cli.NewTable(g.out)
			for _, r := range rules {
				if r.Since.IsZero() {
					fmt.Fprintf(w, "%s\t%s\t\n", markdown.SanitizeLine(r.Tool), markdown.SanitizeLine(r.Pattern))
					continue
				}
				fmt.Fprintf(w, "%s\t%s\tsince %s\n", markdown.SanitizeLine(r.Tool), markdown.SanitizeLine(r.Pattern), r.Since.Format("2006-01-02"))
			}
			return w.Flush()
		}),
	}
	return cmd
}

func newPermissionsRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.RangeArgs(1, 2)),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, args []string) error {
			removed, err := a.RevokeApprovals(cmd.Context(), args[0], strings.Join(args[1:], ""))
			switch {
			case err != nil:
				return err
			case removed == 0:
				return usage.Errorf("no permission for %s; see nfa config permissions", args[0])
			}
			return g.printDone(map[string]any{"tool": args[0], "revoked": removed}, "Revoked %s.", cli.CountNoun(removed, "permission"))
		}),
	}
}
