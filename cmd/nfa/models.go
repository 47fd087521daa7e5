package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/usage"
)

// withModels runs a command that needs only the models.
func (g *globals) withModels(run func(cmd *cobra.Command, m *app.Models, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		settings, err := g.settings()
		if err != nil {
			return err
		}
		for _, warning := range settings.Warnings {
			fmt.Fprintln(g.err, "nfa: "+markdown.Sanitize(warning))
		}
		log, logFile, err := settings.OpenLog()
		if err != nil {
			return err
		}
		defer logFile.Close()
		models, err := app.OpenModels(settings, log.With().Str("verb", cmd.Name()).Logger(), nil)
		if err != nil {
			return err
		}
		return run(cmd, models, args)
	}
}

func newModelsUse(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withModels(func(cmd *cobra.Command, m *app.Models, args []string) error {
			chosen, err := m.Choose(cmd.Context(), args[0])
			if err == nil {
				_, err = m.Open(chosen)
			}
			if err != nil {
				return err
			}
			location, err := m.Save(chosen.Name())
			if err != nil {
				return err
			}
			err = g.printDone(map[string]string{"model": chosen.Name(), "file": location}, "model is now %s (%s)", chosen.Name(), location)
			if override := m.Settings.Override("model"); override != "" {
				g.notice("not in effect: " + override + " takes precedence")
			}
			return err
		}),
	}
}

func newModelsList(g *globals) *cobra.Command {
	var all, refresh bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withModels(func(cmd *cobra.Command, m *app.Models, _ []string) error {
			if refresh && m.Settings.Offline {
				return usage.Errorf("--refresh needs the network, but offline is set")
			}
			found, err := m.ListProviders(cmd.Context(), refresh)
			if err != nil {
				return err
			}
			if !all {
				found = slices.DeleteFunc(found, func(p catalog.ListedProvider) bool { return !p.Configured })
			}
			if g.json {
				return cli.WriteJSON(g.out, found)
			}
			return printModels(cmd.Context(), m, g.out, found, all)
		}),
	}
	cmd.Flags().BoolVar(&all, "all", false, "include providers without a key and local servers that are not running")
	cmd.Flags().BoolVar(&refresh, "refresh", false, "download the model lists of providers with a key")
	return cmd
}

// printModels prints the list for people.
func printModels(ctx context.Context, models *app.Models, out io.Writer, found []catalog.ListedProvider, all bool) error {
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
	chosen, err := models.EndpointFor(ctx, "")
	if len(found) > 0 {
		fmt.Fprintln(w)
	}
	switch {
	case err != nil:
		fmt.Fprintf(w, "No model available: %s\n", markdown.SanitizeLine(err.Error()))
	default:
		fmt.Fprintf(w, "Active: %s (%s). To choose another: nfa models use PROVIDER/MODEL\n", markdown.SanitizeLine(chosen.Name()), markdown.SanitizeLine(chosen.Reason))
	}
	if ending := models.Ending(chosen); ending != "" {
		fmt.Fprintln(w, markdown.SanitizeLine(ending))
	}
	fmt.Fprintln(w, "Prices are US dollars per million tokens: input / cached input / output.")
	if !all {
		fmt.Fprintln(w, "Connect a provider: nfa auth set PROVIDER. List all providers: nfa models list --all")
	}
	return w.Flush()
}

func newModelsTest(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: g.withModels(func(cmd *cobra.Command, m *app.Models, args []string) error {
			name := m.Settings.Model
			if len(args) > 0 {
				name = args[0]
			}
			chosen, err := m.Choose(cmd.Context(), name)
			if err != nil {
				return err
			}
			switch {
			case m.Settings.Offline:
				return usage.Errorf("cannot test: offline is set (%s)", m.Settings.Origin("offline"))
			case chosen.BuiltIn():
				return usage.Errorf("the built-in assistant has no server to test; name a model: nfa models test PROVIDER/MODEL")
			}
			t, err := m.TestModel(cmd.Context(), chosen)
			if err != nil {
				return err
			}
			if g.json {
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
	cost := "cost n/a"
	if c.Usage.CostUSD != nil {
		cost = "$" + c.Usage.CostUSD.String()
	}
	fmt.Fprintf(g.out, "+ %-9s  first token %.0f ms, total %.0f ms%s; %d tokens in, %d out, %s\n",
		what, c.FirstTokenMS, c.TotalMS, rate, c.Usage.InputTokens, c.Usage.OutputTokens, cost)
}
