package files

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const listFilesDescription = "Lists files in the working directory, in a folder below it, or in nfa:skills, nfa:agents or nfa:reports. Use to find a file that the user mentions, then read_file with its path. At most 200 entries: if partial is true, narrow path or pattern."

const listFilesDetails = `Each entry has path, kind, size in bytes and modification time. With pattern, such as *.csv or report-202?.md, the result also has matching files in subfolders; without it, only the entries directly in the folder. Hidden files, files that may hold keys, and links are counted in withheld but not named.`

const listFilesKeywords = "list files folder directory names which there find csv reports documents ls search path saved working contents exist have look locate 列出 文件 文件夹 目录 有哪些文件 找文件 哪些报告"

var listFilesPhrasings = []string{
	"which files are in this folder",
	"list my reports",
	"find the csv I exported",
	"what files do I have here",
	"is there a file named <file>",
	"这个文件夹里有哪些文件",
	"列出所有csv文件",
}

type listFilesInput struct {
	Path    string `json:"path,omitempty" jsonschema:"Folder, such as notes or nfa:reports. Default: working directory."`
	Pattern string `json:"pattern,omitempty" jsonschema:"File name with * and ?, such as *.csv; searches subfolders too."`
}

// newListFiles returns the tool that lists files.
func newListFiles(files FileSystem) tool.Tool {
	return tool.New("list_files", listFilesDescription, tool.Reads, func(ctx context.Context, in listFilesInput) (tool.Result, error) {
		listing, err := files.List(ctx, in.Path, in.Pattern)
		if ctx.Err() != nil {
			return tool.Result{}, context.Cause(ctx)
		}
		if err != nil {
			return fileFailure(err), nil
		}
		return listing.result(), nil
	}).WithDetails(listFilesDetails).Find("files", listFilesKeywords, listFilesPhrasings...)
}

func (l FolderListing) result() tool.Result {
	summary := humanize.Count(len(l.Entries), "entry", "entries")
	if l.Partial {
		summary += ", more available"
	}
	var rows [][]string
	for _, e := range l.Entries {
		size := ""
		if e.Kind == KindFile {
			size = strconv.FormatInt(e.Size, 10)
		}
		rows = append(rows, []string{"`" + e.Path + "`", string(e.Kind), size, e.Modified.Format(time.RFC3339)})
	}
	text := fmt.Sprintf("`%s`: %s; %d hidden, locked or linked entries are not shown\n", l.Path, summary, l.Withheld)
	if len(rows) > 0 {
		text += "\n" + toolkit.MarkdownTable([]string{"path", "kind", "bytes:", "changed"}, rows)
	}
	title := l.Path
	if l.Pattern != "" {
		title += " · " + l.Pattern
	}
	return tool.Result{
		Value: l, ForUser: text, Title: toolkit.Abbreviate(title), Summary: summary,
		Headline: fmt.Sprintf("%s has %s.", l.Path, summary), HeadlineZH: fmt.Sprintf("%s 中有 %d 个条目。", l.Path, len(l.Entries)),
	}
}
