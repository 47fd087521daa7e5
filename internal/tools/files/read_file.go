package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const readFileDescription = "Reads a text file in the working directory, or in nfa:skills, nfa:agents or nfa:reports, 16 KB at a time; continue with next_offset. Use when the user names a file; to find one use list_files. If the path is refused, tell the user and do not work around it."

const readFileDetails = `Reads UTF-8 text: Markdown, CSV, JSON, HTML and plain text. PDF, office files, pictures and archives are identified but not read. nfa:skills, nfa:agents and nfa:reports are folders in nfa's data folder. Links, hidden files, files that may hold keys, and paths outside these folders are refused.`

const readFileKeywords = "read file open text content contents document markdown csv json notes letter txt show load view inside local folder path summarize says 读取 文件 打开 文本 内容 文档 查看 笔记"

var readFilePhrasings = []string{
	"read <file>",
	"what does <file> say",
	"open <file> and summarize it",
	"show me the contents of <file>",
	"look at my notes in <file>",
	"读一下 <file>",
	"<file> 里写了什么",
	"打开 <file>",
}

type readFileInput struct {
	Path   string `json:"path" jsonschema:"Such as notes/letter.txt or nfa:reports/a.md."`
	Offset int64  `json:"offset,omitempty" jsonschema:"Byte to start at. Default 0."`
}

type fileTextResult struct {
	Path        string `json:"path"`
	Size        int64  `json:"size"`
	Offset      int64  `json:"offset"`
	NextOffset  int64  `json:"next_offset,omitempty"`
	Modified    string `json:"modified"`
	OutsideNote string `json:"note"`
	Text        string `json:"text"`
}

// newReadFile returns the tool that reads text files.
func newReadFile(files FileSystem) tool.Tool {
	return tool.New("read_file", readFileDescription, tool.Reads, func(_ context.Context, in readFileInput) (tool.Result, error) {
		// Quotes and newlines make the encoded text longer.
		for limit := ChunkSize; ; limit /= 2 {
			text, err := files.Read(in.Path, in.Offset, limit)
			if err != nil {
				return fileFailure(err), nil
			}
			answer := fileTextResult{
				Path: text.Path, Size: text.Size, Offset: text.Offset, NextOffset: text.Next,
				Modified: text.Modified.UTC().Format(time.RFC3339), OutsideNote: toolkit.OutsideTextNote, Text: text.Text,
			}
			forModel, err := toolkit.EncodeResult(answer)
			if err != nil {
				return tool.Result{}, err
			}
			if len(forModel) <= toolkit.MaxEncodedBytes {
				result := answer.result(forModel)
				// A model wrote the report, and may have put private data into an address.
				result.Composed = isReport(files, in.Path)
				return result, nil
			}
		}
	}).WithDetails(readFileDetails).Find("files", readFileKeywords, readFilePhrasings...)
}

// isReport reports whether a file is a report of nfa or its provenance record.
func isReport(files FileSystem, path string) bool {
	if strings.HasSuffix(path, report.Suffix) {
		return true
	}
	_, err := files.Read(path+report.Suffix, 0, 1)
	return err == nil
}

func (f fileTextResult) result(forModel string) tool.Result {
	end := f.Offset + int64(len(f.Text))
	line := fmt.Sprintf("`%s`: bytes %d to %d of %d", f.Path, f.Offset, end, f.Size)
	if f.NextOffset > 0 {
		line += "; more available"
	}
	return tool.Result{
		Value: f, ForModel: forModel, ForUser: line + "\n\n" + toolkit.QuoteOutsideText(f.Text),
		Title: toolkit.Abbreviate(f.Path), Summary: fmt.Sprintf("%d of %d bytes", len(f.Text), f.Size),
		Headline: fmt.Sprintf("%s has %d bytes; %d were read.", f.Path, f.Size, len(f.Text)), HeadlineZH: fmt.Sprintf("%s 共 %d 字节，已读取 %d 字节。", f.Path, f.Size, len(f.Text)),
	}
}

// fileFailure returns an error result with the next step for a path.
func fileFailure(err error) tool.Result {
	code, next := "", ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code, next = toolkit.CodeFileNotFound, "; find files with list_files"
	case errors.Is(err, ErrOutsideWorkspace):
		next = "; the user can copy the file there, or paste the text"
	case errors.Is(err, ErrSecretFile):
		next = "; if it contains no keys, the user can attach it: @NAME in a message"
	case errors.Is(err, ErrHiddenFile):
		next = "; the user can paste the relevant part"
	}
	return tool.Failed(code, err.Error()+next)
}
