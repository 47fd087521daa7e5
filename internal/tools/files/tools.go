package files

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// FileSystem is the part of the disk that the tools may touch; *Workspace
// is one.
type FileSystem interface {
	Read(path string, offset int64, limit int) (TextChunk, error)
	List(ctx context.Context, folder, pattern string) (FolderListing, error)
	Usage(ctx context.Context, folder string) (FolderUsage, error)
	Target(path string) (WriteTarget, error)
	WriteAll(files []OutputFile, replace bool) ([]WriteTarget, error)
}

// WebReader asks public web servers; *WebClient is one.
type WebReader interface {
	Get(ctx context.Context, address string) (WebPage, error)
	Check(ctx context.Context, method, address string) (URLProbe, error)
}

// MachineInspector tells what the program runs on now.
type MachineInspector func() MachineFacts

// Deps is the world; what is nil has no tools.
type Deps struct {
	Files   FileSystem
	Machine MachineInspector
	Web     WebReader
	Search  market.WebSource
	// Online tells whether the network may be used; nil means that it may.
	Online func() bool
	Now    func() time.Time
	// ClockSetBack says that the clock was set back: a page read now may tell of later.
	ClockSetBack bool
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
	codeOffline      = "offline"
	codeRefusedURL   = "address_refused"
	codeClockSetBack = "clock_set_back"
	codeExists       = "file_exists"
)
