package files

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const storageUsageDescription = `Measures a folder and its disk: size of the folder and of each entry right below it, largest first, and total, free and used space of the disk it lies on. All in bytes. The folder is nfa's own home when path is left out (conversations, skills, reports, log), else one that list_files reaches.
Use it for "how big is my nfa folder", "is my disk full". Sizes are of content, which is a little less than what it takes on the disk; links count nothing; hidden entries are summed up under one name. partial says that something could not be read or that there was too much. Nothing is deleted, and no tool does that.`

type storageUsageInput struct {
	Path string `json:"path,omitempty" jsonschema:"the folder, from the working directory; nfa's own home when left out"`
}

type storageUsageResult struct {
	Path    string        `json:"path"`
	Bytes   int64         `json:"bytes"`
	Files   int           `json:"files"`
	Parts   []storagePart `json:"parts"`
	Partial bool          `json:"partial"`
	Disk    storageDisk   `json:"disk"`
	AsOf    string        `json:"as_of"`
}

type storagePart struct {
	Name  string `json:"name"`
	Kind  string `json:"kind"`
	Bytes int64  `json:"bytes"`
	Files int    `json:"files"`
}

type storageDisk struct {
	Total uint64 `json:"total_bytes"`
	Free  uint64 `json:"free_bytes"`
	Used  uint64 `json:"used_bytes"`
}

// newStorageUsage is the tool that says what takes up room.
func newStorageUsage(files FileSystem, now func() time.Time) tool.Tool {
	return tool.New("storage_usage", storageUsageDescription, tool.Reads, func(ctx context.Context, in storageUsageInput) (tool.Result, error) {
		u, err := files.Usage(ctx, in.Path)
		if ctx.Err() != nil {
			return tool.Result{}, context.Cause(ctx)
		}
		if err != nil {
			return fileFailure(err), nil
		}
		at := now()
		s := newStorageUsageResult(u, at)
		return tool.Result{
			Value: s, ForUser: s.markdown(), Figures: s.figures(at), Title: toolkit.Abbreviate(s.Path),
			Summary: fmt.Sprintf("%s · %s free of %s", toolkit.FormatBytes(s.Bytes), toolkit.FormatBytes(s.Disk.Free), toolkit.FormatBytes(s.Disk.Total)),
		}, nil
	})
}

func newStorageUsageResult(u FolderUsage, at time.Time) storageUsageResult {
	s := storageUsageResult{
		Path: u.Path, Bytes: u.Bytes, Files: u.Files, Parts: []storagePart{}, Partial: u.Partial, AsOf: at.Format(time.RFC3339),
		// What is kept for the administrator counts as used: this user cannot write it.
		Disk: storageDisk{Total: u.Disk.Total, Free: u.Disk.Free, Used: u.Disk.Total - min(u.Disk.Free, u.Disk.Total)},
	}
	for _, p := range u.Parts {
		kind := "file"
		switch {
		case p.Folder:
			kind = "folder"
		case p.Name == HiddenPart:
			kind = "hidden entries"
		}
		s.Parts = append(s.Parts, storagePart{p.Name, kind, p.Bytes, p.Files})
	}
	return s
}

func (s storageUsageResult) markdown() string {
	text := fmt.Sprintf("`%s`: %s in %s files, as of %s\n", s.Path, toolkit.FormatBytes(s.Bytes), toolkit.FormatCount(s.Files), s.AsOf)
	if s.Partial {
		text += "\n! not everything could be measured: the sizes are at least these\n"
	}
	if len(s.Parts) > 0 {
		var rows [][]string
		for _, p := range s.Parts {
			rows = append(rows, []string{"`" + p.Name + "`", p.Kind, strconv.FormatInt(p.Bytes, 10), toolkit.FormatBytes(p.Bytes), toolkit.FormatCount(p.Files)})
		}
		text += "\n" + toolkit.MarkdownTable([]string{"part", "kind", "bytes:", "size:", "files:"}, rows)
	}
	return text + fmt.Sprintf("\nDisk: %s free of %s\n", toolkit.FormatBytes(s.Disk.Free), toolkit.FormatBytes(s.Disk.Total))
}

func (s storageUsageResult) figures(at time.Time) []tool.Figure {
	out := sizeFigures("bytes", "size of "+s.Path, "bytes", uint64(s.Bytes), at)
	out = append(out, sizeFigures("files", "files in "+s.Path, "files", uint64(s.Files), at)...)
	out = append(out, sizeFigures("disk.total_bytes", "space of the disk", "bytes", s.Disk.Total, at)...)
	out = append(out, sizeFigures("disk.free_bytes", "free space of the disk", "bytes", s.Disk.Free, at)...)
	out = append(out, sizeFigures("disk.used_bytes", "used space of the disk", "bytes", s.Disk.Used, at)...)
	for _, p := range s.Parts {
		out = append(out, sizeFigures("part."+p.Name, "size of "+p.Name, "bytes", uint64(p.Bytes), at)...)
	}
	return out
}
