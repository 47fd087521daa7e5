package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

// newConfigKeys lists the keys of the chat as they are in use.
func newConfigKeys(g *globals) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "keys", Short: "List the keys of the chat and the names to give them others by",
		Long: `keys lists what the keys of the chat do, in use now. To give an action other keys, name it
in your settings, with one key or a list; an empty list takes its keys away:

  keys:
    page-up: ctrl+b
    new-line: [ctrl+j, f2]`,
		Example: "  nfa config keys\n  nfa config keys --json",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			cfg, _, err := g.loadConfig(programOptions{})
			if err != nil {
				return err
			}
			keys, err := chatKeys(cfg)
			if err != nil {
				return usage.Errorf("%w", err)
			}
			return listKeys(g, keys, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// chatKeys makes the key map of the settings.
func chatKeys(cfg *config.Config) (widget.KeyMap, error) {
	choices := make([]widget.KeyOverride, len(cfg.Keys))
	for i, k := range cfg.Keys {
		choices[i] = widget.KeyOverride{Name: k.Action, Source: k.Origin, Keys: k.Keys}
	}
	return widget.NewKeyMap(choices)
}

// keyRow is a binding as JSON has it.
type keyRow struct {
	Name  string   `json:"name"`
	Where string   `json:"where"`
	Keys  []string `json:"keys"`
	About string   `json:"about"`
}

func listKeys(g *globals, keys widget.KeyMap, asJSON bool) error {
	var rows []keyRow
	for _, scope := range widget.KeyScopes() {
		for _, b := range keys.Bindings(scope) {
			rows = append(rows, keyRow{Name: b.Name, Where: string(scope), Keys: append([]string{}, b.Keys...), About: b.About})
		}
	}
	if asJSON {
		return cli.WriteJSON(g.out, rows)
	}
	w := cli.NewTable(g.out)
	for i, r := range rows {
		if i == 0 || r.Where != rows[i-1].Where {
			fmt.Fprintln(w, r.Where)
		}
		labels := make([]string, len(r.Keys))
		for i, key := range r.Keys {
			labels[i] = widget.KeyLabel(key)
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", r.Name, strings.Join(labels, ", "), r.About)
	}
	return w.Flush()
}
