package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/cli"
	"github.com/nfa-cli/nfa/internal/tools/files"
	"github.com/nfa-cli/nfa/internal/tui"
)

// fileListTimeout is how long the files of a folder are looked for.
const fileListTimeout = 2 * time.Second

// addInputHelp gives the chat what helps a user write: earlier messages, their
// editor, files and symbols.
func (p *program) addInputHelp(ctx context.Context, g *globals, chat *tui.Config) {
	if p.cfg.History == "on" {
		chat.InputHistory = cli.NewHistory(filepath.Join(p.home, "history"), clock)
	}
	chat.Editor = g.editor
	files := func() *files.Workspace { return files.NewWorkspace(files.WorkspaceOptions{Dir: ".", Home: p.home}) }
	chat.Files = func() []string {
		ctx, cancel := context.WithTimeout(ctx, fileListTimeout)
		defer cancel()
		return files().Paths(ctx)
	}
	chat.Attach = func(in agent.Input) (agent.Input, error) { return cli.AttachFiles(files(), in) }
	symbols := cli.NewSymbolCompleter(p.userSymbols, cli.KnownSymbols(p.sampleOnly()), clock)
	chat.Symbols = func(typed string) []tui.SymbolSuggestion { return symbols.Find(ctx, typed) }
}

// userSymbols are what the user holds and watches.
func (p *program) userSymbols(ctx context.Context) []tui.SymbolSuggestion {
	return cli.UserSymbols(ctx, p.portfolio)
}
