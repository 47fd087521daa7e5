package files

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const storageUsageDescription = `Size of nfa's data folder or another folder, with its largest entries, and the free space of its disk, in bytes. Use for "is my disk full" or "how big is my nfa folder". Neither this nor any other tool deletes files. For memory and processor use system_info.`

const storageUsageDetails = `Size of the folder and of each entry directly in it, largest first, and the total, free and used space of its disk. nfa's data folder has sessions, skills, reports and the log. Any other folder must be one that list_files can read. Sizes are content sizes, slightly less than the space used on disk. Links are not counted, and hidden entries are combined into one row. partial means that something could not be read or a limit was reached.`

const storageUsageKeywords = "storage disk space free full folder size big large bytes gigabytes megabytes used usage data capacity drive room cleanup left much cache log 磁盘 空间 存储 占用 多大 剩余空间 硬盘 清理"

var storageUsagePhrasings = []string{
	"how much disk space is left",
	"how big is my nfa folder",
	"is my disk full",
	"what takes up space in <file>",
	"size of the folder with my reports",
	"磁盘还剩多少空间",
	"nfa 占用多少空间",
}

type storageUsageInput struct {
	Path string `json:"path,omitempty" jsonschema:"Folder, as in list_files. Default: nfa's data folder."`
}

type storageUsageResult struct {
	FolderUsage
	AsOf string `json:"as_of"`
}

// newStorageUsage returns the tool that reports what uses disk space.
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
		s := storageUsageResult{u, at.Format(time.RFC3339)}
		return tool.Result{
			Value: s, ForUser: s.markdown(), Figures: s.figures(at), Title: toolkit.Abbreviate(s.Path),
			Summary:    fmt.Sprintf("%s · %s free of %s", toolkit.FormatBytes(s.Bytes), toolkit.FormatBytes(s.Disk.Free), toolkit.FormatBytes(s.Disk.Total)),
			Headline:   fmt.Sprintf("%s takes %s; the disk has %s free of %s.", s.Path, toolkit.FormatBytes(s.Bytes), toolkit.FormatBytes(s.Disk.Free), toolkit.FormatBytes(s.Disk.Total)),
			HeadlineZH: fmt.Sprintf("%s 占用 %s；磁盘剩余 %s，共 %s。", s.Path, toolkit.FormatBytes(s.Bytes), toolkit.FormatBytes(s.Disk.Free), toolkit.FormatBytes(s.Disk.Total)),
		}, nil
	}).WithDetails(storageUsageDetails).Find("web", storageUsageKeywords, storageUsagePhrasings...)
}

func (s storageUsageResult) markdown() string {
	text := fmt.Sprintf("`%s`: %s in %s files, as of %s\n", s.Path, toolkit.FormatBytes(s.Bytes), toolkit.FormatCount(s.Files), s.AsOf)
	if s.Partial {
		text += "\n! Not everything could be measured; the sizes are minimums.\n"
	}
	if len(s.Parts) > 0 {
		var rows [][]string
		for _, p := range s.Parts {
			rows = append(rows, []string{"`" + p.Name + "`", string(p.Kind), strconv.FormatInt(p.Bytes, 10), toolkit.FormatBytes(p.Bytes), toolkit.FormatCount(p.Files)})
		}
		text += "\n" + toolkit.MarkdownTable([]string{"part", "kind", "bytes:", "size:", "files:"}, rows)
	}
	return text + fmt.Sprintf("\nDisk: %s free of %s\n", toolkit.FormatBytes(s.Disk.Free), toolkit.FormatBytes(s.Disk.Total))
}

func (s storageUsageResult) figures(at time.Time) []tool.Figure {
	out := sizeFigures("bytes", "size of "+s.Path, "bytes", uint64(s.Bytes), at)
	out = append(out, sizeFigures("files", "files in "+s.Path, "files", uint64(s.Files), at)...)
	out = append(out, sizeFigures("disk.total_bytes", "total disk space", "bytes", s.Disk.Total, at)...)
	out = append(out, sizeFigures("disk.free_bytes", "free disk space", "bytes", s.Disk.Free, at)...)
	out = append(out, sizeFigures("disk.used_bytes", "used disk space", "bytes", s.Disk.Used, at)...)
	for _, p := range s.Parts {
		out = append(out, sizeFigures("part."+p.Name, "size of "+p.Name, "bytes", uint64(p.Bytes), at)...)
	}
	return out
}
