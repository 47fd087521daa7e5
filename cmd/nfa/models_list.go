package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newModelsList(g *globals) *cobra.Command {
	var asJSON, all, refresh bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the models that can be had",
		Long: `list shows the models of the providers that have a key and of the local servers
that run. Windows and prices (dollars for a million tokens: input, cached input,
output) are as of the day beside them; --refresh asks the providers.`,
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withConnections(func(cmd *cobra.Command, c *connections, _ []string) error {
			if refresh && c.cfg.Offline {
				return usage.Errorf("--refresh asks the network, and offline is set")
			}
			found, err := c.ListProviders(cmd.Context(), refresh)
			if err != nil {
				return err
			}
			if !all {
				found = slices.DeleteFunc(found, func(p catalog.ListedProvider) bool { return !p.Configured })
			}
			if asJSON {
				return cli.WriteJSON(g.out, found)
			}
			return c.printModels(cmd.Context(), g.out, found, all)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also of providers without a key, and local servers that do not run")
	cmd.Flags().BoolVar(&refresh, "refresh", false, "ask the providers that have a key for their lists, over the network")
	return cmd
}

// printModels is the list for people.
func (c *connections) printModels(ctx context.Context, out io.Writer, found []catalog.ListedProvider, all bool) error {
	w := cli.NewTable(out)
	for _, p := range found {
		fmt.Fprintf(w, "%s\n", markdown.SanitizeLine(p.Heading()))
		for _, m := range p.Models {
			mark := " "
			if m.Chosen {
				mark = "*"
			}
			fmt.Fprintf(w, "%s %s\t%s\t%s\t%s\n", mark, markdown.SanitizeLine(m.Name), catalog.FormatTokens(m.Window), m.Price, m.Capabilities())
		}
	}
	chosen, err := c.EndpointFor(ctx, "")
	switch {
	case err != nil:
		fmt.Fprintf(w, "\nNo model answers: %s\n", markdown.SanitizeLine(err.Error()))
	default:
		fmt.Fprintf(w, "\n%s answers: %s. To choose another: nfa models use PROVIDER/MODEL\n", markdown.SanitizeLine(chosen.Name()), markdown.SanitizeLine(chosen.Reason))
	}
	fmt.Fprintln(w, "Prices are dollars for a million tokens: input / cached input / output.")
	if !all {
		fmt.Fprintln(w, "To connect a provider: nfa auth set PROVIDER. nfa models list --all shows those that there are.")
	}
	return w.Flush()
}
