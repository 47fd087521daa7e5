package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// reportDraft is a report as previewed for the user.
type reportDraft struct {
	path string
	report.Report
	record []byte
	// What the user saw: the files that would be written.
	target, recordTarget WriteTarget
}

// recordPath returns the path of the provenance record.
func (d *reportDraft) recordPath() string { return d.path + report.Suffix }

// newDraft builds the report from the arguments.
func (r reportWriter) newDraft(ctx context.Context, in writeReportInput) (*reportDraft, error) {
	to, format, err := in.file()
	if err == nil {
		err = in.checkContent()
	}
	if err != nil {
		return nil, err
	}
	o := report.Options{
		Format: format, Name: path.Base(strings.TrimPrefix(filepath.ToSlash(to), HomePrefix)),
		Trace: tool.TracerOf(ctx), Session: tool.SessionID(ctx), Now: r.now(),
	}
	if r.machine != nil {
		o.Program = r.machine().Program
	}
	built, err := report.New(in.Content, o)
	if err != nil {
		return nil, contentFailure(err)
	}
	record, err := built.Provenance.Encode()
	return &reportDraft{path: to, Report: built, record: record}, err
}

// file returns the path with the extension of its format.
func (in writeReportInput) file() (string, report.Format, error) {
	format := report.Format(in.Format)
	ending := path.Ext(filepath.ToSlash(in.Path))
	switch {
	case format != "" && format != report.Markdown && format != report.HTML && format != report.CSV:
		return "", "", fmt.Errorf("unknown format %q; use markdown, html or csv", toolkit.Abbreviate(in.Format))
	case ending == "":
		format = cmp.Or(format, report.Markdown)
		return in.Path + format.Extension(), format, nil
	case report.FormatOf(ending) == "":
		return "", "", fmt.Errorf("the file name of a report must end in .md, .html or .csv, not in %q", ending)
	case format != "" && report.FormatOf(ending) != format:
		return "", "", fmt.Errorf("the file name of a %s report must end in %s, not in %q", format, format.Extension(), ending)
	}
	return in.Path, report.FormatOf(ending), nil
}

func (in writeReportInput) checkContent() error {
	switch {
	case strings.TrimSpace(in.Content) == "":
		return errors.New("the report has no content; pass the whole text as content")
	case len(in.Content) > maxReportBytes:
		return fmt.Errorf("the report has %d bytes; the limit is %d, shorten it", len(in.Content), maxReportBytes)
	case !utf8.ValidString(in.Content):
		return errors.New("the report is not UTF-8 text")
	}
	if i := strings.IndexFunc(in.Content, isControl); i >= 0 {
		return fmt.Errorf("the report contains a control character at byte %d, which could affect a terminal; remove it", i)
	}
	return nil
}

func isControl(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' || unicode.Is(unicode.Bidi_Control, r)
}

// contentFailure adds the next step to an error about the content.
func contentFailure(err error) error {
	switch {
	case errors.Is(err, report.ErrNoTable):
		return fmt.Errorf("%w; give a Markdown table, or CSV with the same number of fields in every row, quoting fields with commas, quotes or newlines", err)
	case errors.Is(err, report.ErrTooLarge):
		return fmt.Errorf("%w; shorten it", err)
	}
	return err
}

// reportFailure returns an error result with the next step for a file that cannot be written.
func reportFailure(err error) tool.Result {
	switch {
	case errors.Is(err, fs.ErrExist):
		return tool.Failed(codeExists, err.Error()+"; choose another name, or ask the user whether to replace it")
	case errors.Is(err, fs.ErrNotExist):
		return tool.Failed(toolkit.CodeFileNotFound, err.Error()+"; nfa does not create folders: choose an existing one, or write to "+HomePrefix+"reports/NAME")
	case errors.Is(err, ErrHiddenFile), errors.Is(err, ErrSecretFile):
		return tool.Failed("", err.Error()+"; choose a plain name")
	}
	return tool.Failed("", err.Error()+"; nothing was written: tell the user, and put the text in the chat")
}
