package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/tool"
)

// openServers returns the MCP servers of the settings. None is started.
func openServers(a *App, opened Options) *mcpclient.Client {
	keys := a.openKeys(a.Log)
	o := mcpclient.Options{
		File: filepath.Join(a.Home, "mcp.json"), Folder: a.folder, Approver: opened.Approver, Offline: a.Offline,
		Version: a.Version, Now: a.Now, Warn: opened.Warn, Log: a.Log,
		Expand: func(ctx context.Context, text string) (expanded string, err error) {
			expanded = config.Expand(text, func(name string) string {
				if value := a.Env(name); value != "" {
					return value
				}
				value, keyErr := keys.Get(ctx, name)
				if keyErr != nil {
					err = fmt.Errorf("%s is not set: %w; run: nfa auth set %s", name, keyErr, name)
				}
				return value
			})
			return expanded, err
		},
	}
	for _, s := range a.Config.Servers {
		o.Servers = append(o.Servers, mcpclient.Server(s))
	}
	project := EditorProject(a.folder)
	for _, s := range opened.Servers {
		s.Project, s.Origin = project, "the editor"
		o.Servers = append(o.Servers, s)
	}
	c := mcpclient.New(o)
	if len(opened.Servers) > 0 {
		if err := c.Request(project); err != nil {
			a.Log.Warn().Err(err).Msg("record the servers of the editor")
		}
	}
	return c
}

// EditorProject names the servers that an editor asks for in a folder.
func EditorProject(folder string) string {
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	return "the editor in " + folder
}

// withServers adds the tools of MCP servers that the active agent and allowed permit. With AsOf there are
// none, because a server knows only today.
func (a *App) withServers(router *tool.Router, allowed func(name string) bool) *tool.Router {
	if !a.Servers.Any() || a.AsOf != "" {
		return router
	}
	for _, t := range a.Servers.Tools(context.Background()) {
		if !allowed(t.Name) || !(currentAgent{a}).MayUse(t.Name) {
			continue
		}
		if more, err := router.With(t); err == nil {
			router = more
		}
	}
	return router
}

// untrustedServers names the servers of this folder that the user has not trusted; "" for none.
func untrustedServers(c *mcpclient.Client) string {
	var names []string
	for _, s := range c.Untrusted() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// serverKeys are the variables of MCP servers, which may be saved as keys.
func serverKeys(cfg *config.Config) []catalog.Provider {
	var all []catalog.Provider
	for _, s := range cfg.Servers {
		for _, name := range s.Variables() {
			all = append(all, catalog.Provider{Name: name, Title: name + " of the MCP server " + s.Name, KeyVars: []string{name}})
		}
	}
	return all
}
