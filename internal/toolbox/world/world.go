// Package world holds the tools that look at what is around the program: the
// clock, the user's files, this computer and the public web. Outside text is
// marked as such. A new tool is a file of its own and a line in Tools.
package world

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/machine"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/web"
	"github.com/nfa-cli/nfa/internal/workspace"
)

// Files is the part of the disk that the tools may touch; *workspace.Workspace
// is one.
type Files interface {
	Read(path string, offset int64, limit int) (workspace.Text, error)
	List(ctx context.Context, folder, pattern string) (workspace.Listing, error)
	Usage(ctx context.Context, folder string) (workspace.Usage, error)
	Target(path string) (workspace.Target, error)
	WriteTogether(files []workspace.File, replace bool) ([]workspace.Target, error)
}

// Web asks public web servers; *web.Client is one.
type Web interface {
	Get(ctx context.Context, address string) (web.Page, error)
	Check(ctx context.Context, method, address string) (web.Probe, error)
}

// Machine tells what the program runs on now.
type Machine func() machine.Facts

// Deps is the world; what is nil has no tools.
type Deps struct {
	Files   Files
	Machine Machine
	Web     Web
	Search  market.WebSource
	// Online tells whether the network may be used; nil means that it may.
	Online func() bool
	Now    func() time.Time
	// Replay says that the clock was set back: a page read now may tell of later.
	Replay bool
}

// Tools lists the tools of the room, one line each.
func Tools(d Deps) []tool.Tool {
	tools := []tool.Tool{newCurrentTime(d.Now)}
	if d.Files != nil {
		tools = append(tools,
			newReadFile(d.Files),
			newListFiles(d.Files),
			newWriteReport(d),
			newStorageUsage(d.Files, d.Now),
		)
	}
	if d.Machine != nil {
		tools = append(tools, newSystemInfo(d.Machine, d.Now))
	}
	if d.Web != nil {
		tools = append(tools, newWebFetch(d), newCheckAPI(d))
	}
	if d.Search != nil {
		tools = append(tools, newWebSearch(d))
	}
	return tools
}

// Codes of what keeps the tools of the world from an answer.
const (
	codeOffline    = "offline"
	codeRefusedURL = "address_refused"
	codeReplay     = "clock_set_back"
	codeExists     = "file_exists"
)
