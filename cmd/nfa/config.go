package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tui/widget"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newConfigShow(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			settings, err := g.settings()
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, settings.Values())
			}
			w := cli.NewTable(g.out)
			for _, v := range settings.Values() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", v.Key, markdown.SanitizeLine(v.Value), markdown.SanitizeLine(v.Origin))
			}
			rules, err := tool.OpenPermissions(settings.Home, clock)
			for _, r := range rules.List() {
				fmt.Fprintf(w, "permission\t%s %s\tapprovals.json\n", markdown.SanitizeLine(r.Tool), markdown.SanitizeLine(r.Pattern))
			}
			return errors.Join(err, w.Flush())
		},
	}
	return cmd
}

func newConfigPath(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			settings, err := g.settings()
			if err != nil {
				return err
			}
			if g.json {
				return cli.WriteJSON(g.out, map[string]string{"path": settings.UserFile()})
			}
			_, err = fmt.Fprintln(g.out, settings.UserFile())
			return err
		},
	}
}

// newConfigKeys makes the command that lists the key bindings of the chat.
func newConfigKeys(g *globals) *cobra.Command {
	cmd := &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			settings, err := g.settings()
			if err != nil {
				return err
			}
			keys, err := screens.KeyMap(settings)
			if err != nil {
				return usage.Errorf("%w", err)
			}
			return listKeys(g, keys)
		},
	}
	return cmd
}

// keyRow is a key binding in JSON.
type keyRow struct {
	Name  string   `json:"name"`
	Where string   `json:"where"`
	Keys  []string `json:"keys"`
	About string   `json:"about"`
}

func listKeys(g *globals, keys widget.KeyMap) error {
	var rows []keyRow
	for _, scope := range widget.KeyScopes() {
		for _, b := range keys.Bindings(scope) {
			rows = append(rows, keyRow{Name: b.Name, Where: string(scope), Keys: append([]string{}, b.Keys...), About: b.About})
		}
	}
	if g.json {
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

func newConfigSet(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(2)),
		RunE: func(_ *cobra.Command, args []string) error {
			settings, err := g.settings()
			if err != nil {
				return err
			}
			location, err := settings.Save(args[0], args[1])
			if err != nil {
				return classifySettingError(err)
			}
			err = g.printDone(map[string]string{"key": args[0], "value": args[1], "file": location}, "%s is now %s (%s)", args[0], args[1], location)
			if override := settings.Override(args[0]); override != "" {
				g.notice("not in effect: " + override + " takes precedence")
			}
			return err
		},
	}
}

// classifySettingError returns a usage error for an invalid setting, but not for a failed write to
// disk.
func classifySettingError(err error) error {
	_, file := errors.AsType[*fs.PathError](err)
	_, names := errors.AsType[*os.LinkError](err)
	if file || names {
		return err
	}
	return usage.Errorf("%w", err)
}
