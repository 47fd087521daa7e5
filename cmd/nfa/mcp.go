package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/mcpserver"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newMCP(g *globals) *cobra.Command {
	var listed string
	var write bool
	cmd := &cobra.Command{
		RunE: func(cmd *cobra.Command, _ []string) error { return g.serveMCP(cmd.Context(), listed, write) },
	}
	cmd.Flags().StringVar(&listed, "tools", "core", "`LIST` of tools: core, all, or names; find_tools finds the others")
	cmd.Flags().BoolVar(&write, "write", false, "also offer tools that change your data; the program asks you about each change")
	return cmd
}

// serveMCP serves a host on stdin and stdout until it disconnects. Nothing else may be written to stdout.
func (g *globals) serveMCP(ctx context.Context, listed string, write bool) error {
	a, err := g.open(ctx, app.Options{Approver: mcpserver.Approver{}, Notice: g.notice})
	if err != nil {
		return err
	}
	defer a.Close()
	server, err := a.MCPServer(listed, write)
	if err != nil {
		return usage.Errorf("%w", err)
	}
	return server.Run(ctx, g.in, unclosed{g.out})
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

func newMCPInstall(g *globals) *cobra.Command {
	var writeFile, write bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			home, err := os.UserHomeDir()
			if err != nil {
				return err
			}
			config, err := os.UserConfigDir()
			if err != nil {
				return err
			}
			hosts := mcpserver.Hosts(home, config)
			i := slices.IndexFunc(hosts, func(h mcpserver.Host) bool { return h.Name == args[0] })
			if i < 0 {
				var names []string
				for _, h := range hosts {
					names = append(names, h.Name)
				}
				return usage.Errorf("unknown program %q; known: %s", args[0], strings.Join(names, ", "))
			}
			program, err := os.Executable()
			if err != nil {
				return err
			}
			serve := []string{"mcp"}
			if write {
				serve = append(serve, "--write")
			}
			host := hosts[i]
			if !writeFile {
				_, err := fmt.Fprintf(g.out, "Add this to %s, or run again with --write-file:\n\n%s\n", humanize.ShortPath(host.File), host.Snippet(program, serve))
				return err
			}
			if err := host.Install(program, serve); err != nil {
				return err
			}
			return g.printDone(map[string]string{"file": host.File}, "%s will start nfa from now on (%s)", host.Title, humanize.ShortPath(host.File))
		},
	}
	cmd.Flags().BoolVar(&writeFile, "write-file", false, "write to the program's settings")
	cmd.Flags().BoolVar(&write, "write", false, "let the program propose changes; it asks you about each one")
	return cmd
}
