package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/usage"
)

func newMCPAdd(g *globals) *cobra.Command {
	var s config.MCPServer
	var env, headers []string
	var replace bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			s.Name = args[0]
			if s.Args = args[1:]; len(s.Args) > 0 {
				s.Command, s.Args = s.Args[0], s.Args[1:]
			}
			if (s.Command == "") == (s.URL == "") {
				return usage.Errorf("pass a command after --, or --url; usage: nfa mcp add NAME -- COMMAND ARGS")
			}
			var err error
			if s.Env, err = pairs("--env", env); err != nil {
				return err
			}
			if s.Headers, err = pairs("--header", headers); err != nil {
				return err
			}
			settings, err := g.settings()
			if err != nil {
				return err
			}
			if old, ok := ownServer(settings, s.Name); ok && !replace {
				return usage.Errorf("the MCP server %s already exists (%s); pass --replace to replace it", s.Name, old.Target())
			}
			if err := config.WriteServer(settings.UserFile(), s); err != nil {
				return usage.Errorf("%w", err)
			}
			return g.testServer(cmd, s.Name, "Added to "+humanize.ShortPath(settings.UserFile())+". ")
		},
	}
	cmd.Flags().StringVar(&s.URL, "url", "", "`URL` of a server over HTTP, instead of a command")
	cmd.Flags().StringArrayVar(&env, "env", nil, "`NAME=VALUE` environment variable of the server; repeatable")
	cmd.Flags().StringArrayVar(&headers, "header", nil, "`NAME=VALUE` HTTP header; repeatable")
	cmd.Flags().StringSliceVar(&s.Tools, "tools", nil, "`TOOL,...` only these tools (default all)")
	cmd.Flags().StringSliceVar(&s.Read, "read", nil, "`TOOL,...` read-only tools that run without asking")
	cmd.Flags().StringSliceVar(&s.Figures, "figures", nil, "`TOOL,...` tools whose numbers answers may quote")
	cmd.Flags().BoolVar(&replace, "replace", false, "replace the server with the same name")
	return cmd
}

// pairs parses NAME=VALUE.
func pairs(flag string, texts []string) (map[string]string, error) {
	out := map[string]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, usage.Errorf("%s needs NAME=VALUE", flag) // the text may be a secret
		}
		out[name] = value
	}
	return out, nil
}

// ownServer finds a server in the user's own settings.
func ownServer(settings app.Settings, name string) (config.MCPServer, bool) {
	i := slices.IndexFunc(settings.Servers, func(s config.MCPServer) bool { return s.Name == name && s.Project == "" })
	if i < 0 {
		return config.MCPServer{}, false
	}
	return settings.Servers[i], true
}

// testServer starts a server and prints its tools. begin is printed first; it reports a preceding change.
func (g *globals) testServer(cmd *cobra.Command, name, begin string) error {
	a, err := g.open(cmd.Context(), app.Options{Warn: func(string) {}})
	if err != nil {
		return err
	}
	defer a.Close()
	status, err := a.Servers.Test(cmd.Context(), name)
	switch {
	case errors.Is(err, mcpclient.ErrUnknown):
		return usage.Errorf("%w", err)
	case err != nil && begin != "":
		g.notice(begin + err.Error())
		return nil
	case err != nil:
		return err
	case g.json:
		return cli.WriteJSON(g.out, status)
	}
	text := fmt.Sprintf("%s%s offers %s", begin, name, cli.CountNoun(len(status.Tools), "tool"))
	if len(status.Tools) > 0 {
		text += ": " + strings.Join(status.Tools, ", ")
	}
	if len(status.Changed) > 0 {
		text += fmt.Sprintf(". Disabled because they changed: %s; review them: nfa mcp trust %s", strings.Join(status.Changed, ", "), name)
	}
	return g.printLine(text)
}

func newMCPTest(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return g.testServer(cmd, args[0], "") },
	}
}

func newMCPList(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.NoArgs),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(_ *cobra.Command, a *app.App, _ []string) error {
			rows := a.Servers.List()
			if g.json {
				return cli.WriteJSON(g.out, append([]mcpclient.Status{}, rows...))
			}
			if len(rows) == 0 {
				return g.printLine("No MCP servers. Add one: nfa mcp add NAME -- COMMAND")
			}
			w := cli.NewTable(g.out)
			for _, r := range rows {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.Name, r.State, cli.CountNoun(len(r.Tools), "tool"), markdown.SanitizeLine(r.Target))
			}
			return w.Flush()
		}),
	}
}

func newMCPRemove(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: g.withApp(app.Options{}, func(_ *cobra.Command, a *app.App, args []string) error {
			name := args[0]
			if _, ok := ownServer(a.Settings, name); !ok {
				return usage.Errorf("no MCP server %q in your settings; nfa mcp list shows all", name)
			}
			if err := a.Servers.Forget(name); err != nil {
				return err
			}
			if _, err := config.RemoveServer(a.UserFile(), name); err != nil {
				return err
			}
			return g.printDone(map[string]string{"removed": name}, "removed %s", name)
		}),
	}
}

func newMCPImport(g *globals) *cobra.Command {
	return &cobra.Command{
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error {
			settings, err := g.settings()
			if err != nil {
				return err
			}
			servers, problems := config.ReadServers(args[0], true)
			if len(servers) == 0 && len(problems) > 0 {
				return errors.Join(problems...)
			}
			for _, problem := range problems {
				g.notice(problem.Error())
			}
			added, keys := []string{}, []string{}
			for _, s := range servers {
				if _, ok := ownServer(settings, s.Name); ok {
					g.notice(s.Name + " already exists and was not changed")
					continue
				}
				s.Project = ""
				if err := config.WriteServer(settings.UserFile(), s); err != nil {
					return err
				}
				added = append(added, s.Name)
				for _, name := range s.Variables() {
					if g.env(name) == "" {
						keys = append(keys, name)
					}
				}
			}
			if g.json {
				return cli.WriteJSON(g.out, map[string][]string{"added": added, "keys": keys})
			}
			text := "added " + cli.CountNoun(len(added), "server")
			if len(added) > 0 {
				text += ": " + strings.Join(added, ", ")
			}
			for _, name := range keys {
				text += "; run: nfa auth set " + name
			}
			return g.printLine(text)
		},
	}
}

func newMCPTrust(g *globals) *cobra.Command {
	var yes, remove bool
	cmd := &cobra.Command{
		Args: usageArgs(cobra.MaximumNArgs(1)),
		RunE: g.withApp(app.Options{Notice: g.notice}, func(cmd *cobra.Command, a *app.App, args []string) error {
			if len(args) > 0 {
				return g.acceptChanges(cmd, a, args[0], yes)
			}
			return g.trustServers(cmd, a, yes, remove)
		}),
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask for confirmation")
	cmd.Flags().BoolVar(&remove, "remove", false, "stop trusting the servers in this folder")
	return cmd
}

// acceptChanges shows what changed in the tools of a server before it turns them on again.
func (g *globals) acceptChanges(cmd *cobra.Command, a *app.App, name string, yes bool) error {
	diff, err := a.Servers.Changes(name)
	if err != nil {
		return usage.Errorf("%w", err)
	}
	if diff == "" {
		return g.printLine("no tools of " + name + " have changed")
	}
	for line := range strings.Lines(diff) {
		fmt.Fprintln(g.err, markdown.SanitizeLine(strings.TrimRight(line, "\n")))
	}
	if !yes {
		if err := g.confirmOr(cmd.Context(), "Accept the changed tools of "+name+"?", "accepted"); err != nil {
			return err
		}
	}
	if err := a.Servers.Accept(name); err != nil {
		return err
	}
	return g.printDone(map[string]string{"accepted": name}, "accepted the tools of %s", name)
}

// trustServers shows the servers of this folder before it trusts them. With remove it revokes the trust.
func (g *globals) trustServers(cmd *cobra.Command, a *app.App, yes, remove bool) error {
	if remove {
		folder, err := filepath.Abs(".")
		if err != nil {
			return err
		}
		if err := errors.Join(a.Servers.Distrust(folder), a.Servers.Distrust(app.EditorProject("."))); err != nil {
			return err
		}
		return g.printDone(map[string]string{"folder": folder, "state": "untrusted"}, "%s is no longer trusted", folder)
	}
	type group struct {
		project string
		servers []mcpclient.Server
		trust   func(string) error
	}
	byProject := map[string][]mcpclient.Server{}
	for _, s := range a.Servers.Untrusted() {
		byProject[s.Project] = append(byProject[s.Project], s)
	}
	var groups []group
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		groups = append(groups, group{project, byProject[project], a.Servers.Trust})
	}
	editor := app.EditorProject(".")
	if requested := a.Servers.Requests(editor); len(requested) > 0 {
		groups = append(groups, group{editor, requested, a.Servers.TrustRequest})
	}
	if len(groups) == 0 {
		return g.printLine("no untrusted MCP servers in this folder")
	}
	for _, gr := range groups {
		for _, s := range gr.servers {
			fmt.Fprintln(g.err, markdown.SanitizeLine(s.Name+"  "+s.Target()))
			for _, names := range []map[string]string{s.Env, s.Headers} {
				for _, name := range slices.Sorted(maps.Keys(names)) {
					fmt.Fprintln(g.err, markdown.SanitizeLine("  with "+name+" "+names[name]))
				}
			}
		}
		if !yes {
			question := fmt.Sprintf("Trust %s of %s? A program runs with your rights.", countPhrase(len(gr.servers), "server"), gr.project)
			if err := g.confirmOr(cmd.Context(), question, "trusted"); err != nil {
				return err
			}
		}
		if err := gr.trust(gr.project); err != nil {
			return err
		}
		if err := g.printDone(trustedFolder{gr.project, "trusted"}, "trusted %s; to undo this: nfa mcp trust --remove", gr.project); err != nil {
			return err
		}
	}
	return nil
}
