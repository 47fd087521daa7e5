package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
)

func newConfig(g *globals) *cobra.Command {
	return commandGroup("config", "Show the settings, where each comes from, and write them", newConfigShow(g), newConfigPath(g), newConfigKeys(g), newConfigSet(g))
}

func newConfigShow(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "show", Short: "Print each setting, its value and its origin",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			cfg, home, err := g.loadConfig(programOptions{})
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(g.out, cfg.Values())
			}
			w := cli.NewTable(g.out)
			for _, v := range cfg.Values() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", v.Key, markdown.SanitizeLine(v.Value), markdown.SanitizeLine(v.Origin))
			}
			rules, err := tool.OpenPermissions(home, clock)
			for _, r := range rules.List() {
				fmt.Fprintf(w, "allowed for always\t%s %s\tapprovals.json\n", markdown.SanitizeLine(r.Tool), markdown.SanitizeLine(r.Pattern))
			}
			return errors.Join(err, w.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

func newConfigPath(g *globals) *cobra.Command {
	return &cobra.Command{
		Use: "path", Short: "Print where the settings file is",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, home, err := g.loadConfig(programOptions{})
			if err != nil {
				return err
			}
			path := g.file
			if path == "" {
				path = filepath.Join(home, "config.yaml")
			}
			_, err = fmt.Fprintln(g.out, path)
			return err
		},
	}
}
