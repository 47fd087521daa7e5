package files

import (
	"context"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
)

// FileSystem is the part of the disk that the tools may use; *Workspace implements it.
type FileSystem interface {
	Read(path string, offset int64, limit int) (TextChunk, error)
	List(ctx context.Context, folder, pattern string) (FolderListing, error)
	Usage(ctx context.Context, folder string) (FolderUsage, error)
	Target(path string) (WriteTarget, error)
	WriteAll(files []OutputFile, replace bool) ([]WriteTarget, error)
}

// WebReader sends requests to public web servers; *WebClient implements it.
type WebReader interface {
	Get(ctx context.Context, address string) (WebPage, error)
	Check(ctx context.Context, method, address string) (URLProbe, error)
}

// MachineInspector describes the current state of the computer.
type MachineInspector func() MachineFacts

// Deps holds the access to files, the machine and the web. If a field is nil, its tools are
// omitted.
type Deps struct {
	Files   FileSystem
	Machine MachineInspector
	Web     WebReader
	Search  market.WebSource
	// Online reports whether the network may be used; nil means that it may.
	Online func() bool
	Now    func() time.Time
	// ClockSetBack is true with --as-of: a page read now may contain later information.
	ClockSetBack bool
}

// Tools returns the tools for files, the web, the clock and the machine.
func Tools(d Deps) []tool.Tool {
	tools := []tool.Tool{newCurrentTime(d.Now)}
	if d.Files != nil {
		tools = append(tools,
			newReadFile(d.Files),
			newListFiles(d.Files),
			newWriteReport(d),
			newStorageUsage(d.Files, d.Now),
		)
		for i := range tools[1:] {
			tools[i+1].Data = tool.FileData
		}
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

// Error codes of the tools of this package.
const (
	codeOffline      = "offline"
	codeRefusedURL   = "address_refused"
	codeClockSetBack = "clock_set_back"
	codeExists       = "file_exists"
)
