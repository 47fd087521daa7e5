package world

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/present"
	"github.com/nfa-cli/nfa/internal/workspace"
)

const writeReportDescription = `Writes a report file in the working directory, or in nfa's own folder of reports (nfa:reports/NAME). The user is asked first and sees path, size and beginning. The ending of the path decides: .md keeps the Markdown as it is, .html makes a page of it that loads nothing from anywhere, .csv takes CSV.
Use it when the user wants something saved or to send on. Give the whole content in one call, at most 1 MB. Name the file after its subject and date, such as apple-2026-11-20.md. A file that is there stays unless replace is true, which only the user can decide. A refusal is the end: give the text in the chat instead. It sends nothing to anyone.`

// longestReport is the most that is written, in bytes.
const longestReport = 1 << 20

type writeReportInput struct {
	Path    string `json:"path" jsonschema:"the file: .md, .html or .csv, from the working directory, or nfa:reports/NAME"`
	Content string `json:"content" jsonschema:"the whole report: Markdown for .md and .html, CSV with a header line for .csv"`
	Replace bool   `json:"replace,omitempty" jsonschema:"true to replace a file that is there; only when the user said so"`
}

type writtenReport struct {
	Path     string `json:"path"`
	Bytes    int    `json:"bytes"`
	Replaced bool   `json:"replaced"`
}

// newWriteReport is the tool that saves what was found.
func newWriteReport(files Files) tool.Tool {
	t := tool.New("write_report", writeReportDescription, tool.Writes, func(_ context.Context, in writeReportInput) (tool.Result, error) {
		data, err := in.data()
		if err != nil {
			return present.Invalid(err)
		}
		to, err := files.Write(in.Path, data, in.Replace)
		if err != nil {
			return reportFailure(err), nil
		}
		written := writtenReport{Path: to.Path, Bytes: len(data), Replaced: to.Exists}
		verb := "Wrote"
		if to.Exists {
			verb = "Replaced"
		}
		return tool.Result{
			Value: written, ForUser: fmt.Sprintf("%s `%s`, %d bytes\n", verb, to.Abs, len(data)),
			Title: present.Abridged(to.Path), Summary: present.InBytes(len(data)),
		}, nil
	})
	t.Preview = func(_ context.Context, args json.RawMessage) (tool.Preview, error) { return previewReport(files, args) }
	return t
}

// previewReport tells what the user is asked to allow. What would be refused in
// any case is not asked for.
func previewReport(files Files, args json.RawMessage) (tool.Preview, error) {
	var in writeReportInput
	if err := json.Unmarshal(args, &in); err != nil {
		return tool.Preview{}, fmt.Errorf("arguments of write_report: %w", err)
	}
	data, err := in.data()
	if err != nil {
		return tool.Preview{}, err
	}
	to, err := files.Target(in.Path)
	if err == nil && to.Exists && !in.Replace {
		err = fmt.Errorf("%s: %w", to.Path, fs.ErrExist)
	}
	if err != nil {
		return tool.Preview{}, errors.New(reportFailure(err).ErrorText())
	}
	what := fmt.Sprintf("writes %s, %d bytes", to.Abs, len(data))
	if to.Exists {
		what = fmt.Sprintf("replaces %s, %d bytes, by %d bytes", to.Abs, to.Size, len(data))
	}
	// An approval for the session is for the path it was given for; one that is kept
	// is for new files of that kind in that folder.
	preview := tool.Preview{Plan: append([]string{what}, head(in.Content)...), Key: to.Abs}
	if to.Exists {
		// Also where a workflow was approved as a whole: what goes was not seen then.
		preview.Ask = true
	} else {
		preview.Pattern = filepath.Join(filepath.Dir(to.Abs), "*"+filepath.Ext(to.Abs))
	}
	return preview, nil
}

// head is how a report begins.
func head(content string) []string {
	const lines, width = 5, 100
	var out []string
	for line := range strings.Lines(content) {
		runes := []rune(strings.TrimRight(line, "\r\n"))
		if len(runes) > width {
			runes = append(runes[:width-1], '…')
		}
		if len(out) == lines {
			return append(out, "…")
		}
		out = append(out, "| "+string(runes))
	}
	return out
}

// data is the file that the arguments ask for.
func (in writeReportInput) data() ([]byte, error) {
	switch {
	case strings.TrimSpace(in.Content) == "":
		return nil, errors.New("the report has no content; give the whole text as content")
	case len(in.Content) > longestReport:
		return nil, fmt.Errorf("the report has %d bytes; the limit is %d, leave out what the reader does not need", len(in.Content), longestReport)
	case !utf8.ValidString(in.Content):
		return nil, errors.New("the report is not UTF-8 text")
	}
	if i := strings.IndexFunc(in.Content, isControl); i >= 0 {
		return nil, fmt.Errorf("the report holds a control character at byte %d, which could act on a terminal; leave it out", i)
	}
	switch ending := strings.ToLower(path.Ext(in.Path)); ending {
	case ".md":
		return []byte(ended(in.Content)), nil
	case ".html":
		return htmlReport(in.Content)
	case ".csv":
		return csvReport(in.Content)
	default:
		return nil, fmt.Errorf("a report ends in .md, .html or .csv, not in %q; name it accordingly", ending)
	}
}

func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' || unicode.Is(unicode.Bidi_Control, r)
}

// ended is text with a newline at its end.
func ended(text string) string { return strings.TrimRight(text, "\n") + "\n" }

// reportFailure says what to do about a file that cannot be written.
func reportFailure(err error) tool.Result {
	switch {
	case errors.Is(err, fs.ErrExist):
		return tool.Failed(codeExists, err.Error()+"; choose another name, or ask the user whether to replace it")
	case errors.Is(err, fs.ErrNotExist):
		return tool.Failed(present.CodeFileNotFound, err.Error()+"; folders are not made: choose one that is there, or write to "+workspace.HomePrefix+"reports/NAME")
	case errors.Is(err, workspace.ErrHidden), errors.Is(err, workspace.ErrSecret):
		return tool.Failed("", err.Error()+"; choose a plain name")
	}
	return tool.Failed("", err.Error()+"; nothing was written: tell the user, and give the text in the chat")
}
