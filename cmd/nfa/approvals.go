package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/consent"
	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/misuse"
)

func newApprovals(g *globals) *cobra.Command {
	return group("approvals", "What you have allowed for always, and taking it back",
		newApprovalsList(g), newApprovalsRemove(g))
}

// approvals are the rules of a home. A file that is not understood allows nothing,
// and is told.
func (h *house) approvals(notice func(string)) *consent.Rules {
	rules, err := consent.Open(h.home, clock)
	if err != nil {
		notice(err.Error())
	}
	return rules
}

func newApprovalsList(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List what runs without asking",
		Args: args(cobra.NoArgs),
		RunE: g.inHouse(wiring{notice: g.notice}, func(_ *cobra.Command, h *house, _ []string) error {
			rules := h.rules.List()
			if asJSON {
				return console.JSON(g.out, append([]consent.Rule{}, rules...))
			}
			if len(rules) == 0 {
				_, err := fmt.Fprintln(g.out, "nothing: what writes or runs a program asks each session")
				return err
			}
			w := console.NewTable(g.out)
			for _, r := range rules {
				fmt.Fprintf(w, "%s\t%s\tsince %s\n", markdown.SanitizeLine(r.Tool), markdown.SanitizeLine(r.Pattern), r.Since.Format("2006-01-02"))
			}
			return w.Flush()
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func newApprovalsRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "remove TOOL [PATTERN]", Short: "Ask again: take back one pattern, or all of a tool",
		Args: args(cobra.RangeArgs(1, 2)),
		RunE: g.inHouse(wiring{notice: g.notice}, func(cmd *cobra.Command, h *house, words []string) error {
			removed, err := h.rules.Remove(cmd.Context(), words[0], strings.Join(words[1:], ""))
			switch {
			case err != nil:
				return err
			case removed == 0:
				return misuse.Errorf("nothing of %s is allowed for always; nfa approvals list shows what is", words[0])
			}
			_, err = fmt.Fprintf(g.out, "taken back: %s\n", console.Count(removed, "approval"))
			return err
		}),
	}
}
