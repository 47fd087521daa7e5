package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/attachment"
	"github.com/nfa-cli/nfa/internal/completion"
	"github.com/nfa-cli/nfa/internal/history"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/workspace"
)

// listingPatience is how long the files of a folder are looked for.
const listingPatience = 2 * time.Second

// helpWriting gives the chat what helps a user write: earlier messages, their
// editor, files and symbols.
func (h *house) helpWriting(ctx context.Context, g *globals, chat *tui.Config) {
	if h.cfg.History == "on" {
		chat.Memory = history.New(filepath.Join(h.home, "history"), clock)
	}
	chat.Editor = g.editor
	files := func() *workspace.Workspace { return workspace.New(workspace.Options{Dir: ".", Home: h.home}) }
	chat.Files = func() []string {
		ctx, cancel := context.WithTimeout(ctx, listingPatience)
		defer cancel()
		return files().Paths(ctx)
	}
	chat.Attach = func(in agent.Input) (agent.Input, error) { return attachment.Add(files(), in) }
	symbols := completion.New(h.ownSymbols, completion.Known(h.onSample()), clock)
	chat.Symbols = func(typed string) []tui.Symbol { return symbols.Find(ctx, typed) }
}

// ownSymbols are what the user holds and watches.
func (h *house) ownSymbols(ctx context.Context) []tui.Symbol { return completion.Own(ctx, h.book) }
