package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newModelsTest(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "test [PROVIDER/MODEL]", Short: "Try a model: one streamed answer and one tool call",
		Long: `test asks for one short answer and for one call of a tool, and says how long they
took and what they used. It exits with 4 when the model's server fails, or when
the model does not call the tool: nfa's answers come from tools.`,
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: g.withConnections(func(cmd *cobra.Command, c *connections, args []string) error {
			name := c.cfg.Model
			if len(args) > 0 {
				name = args[0]
			}
			chosen, err := c.Choose(cmd.Context(), name)
			if err != nil {
				return err
			}
			switch {
			case c.cfg.Offline:
				return usage.Errorf("offline is set (%s), and a test asks a model's server: nothing was asked", c.cfg.Origin("offline"))
			case chosen.BuiltIn():
				return usage.Errorf("the embedded assistant needs no test: it has no server; name a model: nfa models test PROVIDER/MODEL")
			}
			t, err := c.TestModel(cmd.Context(), chosen)
			if err != nil {
				return err
			}
			if asJSON {
				err = cli.WriteJSON(g.out, t)
			} else {
				g.printTrial(t)
			}
			if failed := t.Err(); failed != nil {
				err = errors.Join(err, &exitError{exitProvider, failed})
			}
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func (g *globals) printTrial(t catalog.ModelTest) {
	fmt.Fprintln(g.out, markdown.SanitizeLine(t.Model))
	g.printCall("answer", t.Text)
	if t.Tool != nil {
		g.printCall("tool call", *t.Tool)
	}
}

func (g *globals) printCall(what string, c catalog.CallResult) {
	if !c.OK {
		fmt.Fprintf(g.out, "! %-9s  %s\n", what, markdown.SanitizeLine(c.Error))
		return
	}
	rate := ""
	if c.TokensPerSec != nil {
		rate = fmt.Sprintf(", %.0f tokens/s", *c.TokensPerSec)
	}
	cost := "cost not known"
	if c.Usage.CostUSD != nil {
		cost = "$" + c.Usage.CostUSD.String()
	}
	fmt.Fprintf(g.out, "+ %-9s  first token %.0f ms, whole %.0f ms%s; %d tokens in, %d out, %s\n",
		what, c.FirstTokenMS, c.TotalMS, rate, c.Usage.InputTokens, c.Usage.OutputTokens, cost)
}
