package app

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/llm/catalog"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

// openServers returns the MCP servers of the settings and of the editor. None is started.
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
			a.Log.Warn().Err(err).Msg("save the editor's servers")
		}
	}
	return c
}

// EditorProject returns the project name for trusting the servers that an editor requests in a folder.
func EditorProject(folder string) string {
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	return "the editor in " + folder
}

// withServers adds the tools of MCP servers that the active agent and allowed permit. With AsOf it adds
// none, because servers return today's data.
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

// ServerPath is the prefix of a path that names a tool of an MCP server: mcp:broker/get_transactions.
const ServerPath = "mcp:"

// callServer calls the named tool of a server, or else the only one whose name contains one of words. As for
// every call, the user must approve it, unless the settings list the tool under read.
func (a *App) callServer(ctx context.Context, server, name string, words ...string) (data any, used string, err error) {
	if _, err := a.Servers.Target(server); err != nil {
		return nil, "", err
	}
	var found []mcpclient.Offer
	var all []string
	for _, o := range a.Servers.Offers(ctx) {
		if o.Server != server {
			continue
		}
		all = append(all, o.Name)
		matches := slices.ContainsFunc(words, func(word string) bool { return strings.Contains(strings.ToLower(o.Name), word) })
		if o.Name == name || name == "" && matches {
			found = append(found, o)
		}
	}
	if len(found) != 1 {
		return nil, "", fmt.Errorf("choose the tool of the MCP server %s to use; it has %s", server, strings.Join(all, ", "))
	}
	router, err := a.Tools.With(found[0].Tool)
	if err != nil {
		return nil, "", err
	}
	outcome, err := router.Step(ctx, "server", found[0].Tool.Name, json.RawMessage("{}"))
	if err != nil {
		return nil, "", err
	}
	if outcome.Result.IsError {
		return nil, "", errors.New(outcome.Result.ErrorText())
	}
	res, _ := outcome.Result.Value.(mcpclient.Result)
	if res.Data == nil && json.Unmarshal([]byte(res.Text), &res.Data) != nil {
		return nil, "", fmt.Errorf("%s of the MCP server %s returned text instead of data", found[0].Name, server)
	}
	return res.Data, found[0].Name, nil
}

// brokerSource returns the source of a broker's positions; nil without servers.
func (a *App) brokerSource() positions.BrokerSource {
	if len(a.Config.Servers) == 0 || a.AsOf != "" {
		return nil
	}
	return func(ctx context.Context, server, name string) (any, string, error) {
		return a.callServer(ctx, server, name, "holding", "position")
	}
}

// readServer imports transactions from an MCP server: it returns them as a CSV file with a name.
func (a *App) readServer(path string) (name string, raw []byte, err error) {
	server, toolName, _ := strings.Cut(strings.TrimPrefix(path, ServerPath), "/")
	data, used, err := a.callServer(context.Background(), server, toolName, "transaction", "activit", "trade")
	if err != nil {
		return "", nil, err
	}
	rows := positions.BrokerRows(data, []string{"date", "tradedate", "time", "timestamp"})
	if rows == nil {
		return "", nil, fmt.Errorf("%s of the MCP server %s returned no list of transactions with a date", used, server)
	}
	var columns []string
	for _, row := range rows {
		for _, column := range slices.Sorted(maps.Keys(row)) {
			if !slices.Contains(columns, column) {
				columns = append(columns, column)
			}
		}
	}
	var table bytes.Buffer
	w := csv.NewWriter(&table)
	_ = w.Write(columns) // a buffer takes everything
	for _, row := range rows {
		record := make([]string, len(columns))
		for i, column := range columns {
			switch v := row[column].(type) {
			case nil:
			case float64:
				record[i] = decimal.NewFromFloat(v).String()
			default:
				record[i] = fmt.Sprint(v)
			}
		}
		_ = w.Write(record)
	}
	w.Flush()
	return server + " " + used + ".csv", table.Bytes(), nil
}

// untrustedServers names the servers in this folder that the user has not trusted; "" means none.
func untrustedServers(c *mcpclient.Client) string {
	var names []string
	for _, s := range c.Untrusted() {
		names = append(names, s.Name)
	}
	return strings.Join(names, ", ")
}

// serverKeys returns the variables of MCP servers as providers, because their values may be saved as keys.
func serverKeys(cfg *config.Config) []catalog.Provider {
	var all []catalog.Provider
	for _, s := range cfg.Servers {
		for _, name := range s.Variables() {
			all = append(all, catalog.Provider{Name: name, Title: name + " of the MCP server " + s.Name, KeyVars: []string{name}})
		}
	}
	return all
}
