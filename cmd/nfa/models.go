package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/markdown"
)

func newModels(g *globals) *cobra.Command {
	return commandGroup("models", "List, choose and try the models that can answer", newModelsList(g), newModelsUse(g), newModelsTest(g))
}

// withConnections runs a command that needs the available models but no other part of the program.
func (g *globals) withConnections(run func(cmd *cobra.Command, c *connections, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		cfg, home, err := g.loadConfig(programOptions{})
		if err != nil {
			return err
		}
		for _, warning := range cfg.Warnings {
			fmt.Fprintln(g.err, "nfa: "+markdown.Sanitize(warning))
		}
		log, logFile, err := openLog(home, cfg)
		if err != nil {
			return err
		}
		defer logFile.Close()
		c, err := newConnections(g, cfg, home, log.With().Str("verb", cmd.Name()).Logger())
		if err != nil {
			return err
		}
		return run(cmd, c, args)
	}
}

func newModelsUse(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "use PROVIDER/MODEL", Short: "Let this model answer from now on",
		Long: `use writes the model into your settings file: one line, all others stay as they
are. A model that cannot be had is not written.`,
		Example: `  nfa models use deepseek/deepseek-v4-flash
  nfa models use ollama/qwen3
  nfa models use offline`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withConnections(func(cmd *cobra.Command, c *connections, args []string) error {
			chosen, err := c.Choose(cmd.Context(), args[0])
			if err == nil {
				_, err = c.Open(chosen)
			}
			if err != nil {
				return err
			}
			location, err := g.saveModel(c, chosen.Name())
			if err != nil {
				return err
			}
			fmt.Fprintf(g.out, "%s answers from now on (%s)\n", markdown.SanitizeLine(chosen.Name()), location)
			if override := modelOverride(c.cfg, g.modelConfigFile(c)); override != "" {
				fmt.Fprintf(g.err, "nfa: but here another is named by %s, which outranks your settings\n", markdown.SanitizeLine(override))
			}
			return nil
		}),
	}
}

// modelConfigFile returns the path of the user's own settings file, to which the model is saved.
func (g *globals) modelConfigFile(c *connections) string {
	return g.userConfigFile(c.home)
}

// saveModel puts the model into the user's settings, and says where.
func (g *globals) saveModel(c *connections, name string) (location string, err error) {
	return g.saveSetting(c.home, "model", name)
}

// modelOverride returns the place that sets the model and outranks the user's file.
func modelOverride(cfg *config.Config, file string) string {
	return overridingOrigin(cfg, "model", file)
}
