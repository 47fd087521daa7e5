package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/acp"
	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/mcpclient"
	"github.com/nfa-cli/nfa/internal/tool"
)

func newACP(g *globals) *cobra.Command {
	return &cobra.Command{RunE: func(cmd *cobra.Command, _ []string) error {
		ctx := cmd.Context()
		open := func(ctx context.Context, folder string, servers []mcpclient.Server, approver tool.Approver, notice func(string)) (*app.App, error) {
			return g.open(ctx, app.Options{CommandLine: app.CommandLine{Folder: folder}, Servers: servers, Agent: true, Approver: approver, Notice: notice, Warn: notice})
		}
		return acp.Serve(ctx, versionText(), open, g.in, g.out)
	}}
}
