package files

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const writeReportDescription = "Writes a Markdown, HTML or CSV report after the user confirms. Use when the user wants something saved. Copy figures as the tools returned them; nfa adds the footnotes with sources. If writing is refused, put the text in the chat. Cannot send e-mail."

const writeReportDetails = `The file is saved in the working directory, or in nfa's reports folder with nfa:reports/NAME. The user first sees paths, sizes and the beginning. Formats: markdown (default), html (a page that loads nothing from the network) and csv (the tables of the text, or CSV with a header line).

nfa matches the figures to tool results of this session. It adds numbered footnotes with source, date, formula and tool, marks figures without a source as [untraced], and writes a record (NAME.provenance.json) for nfa verify. Do not write your own footnotes or lists of sources. Give the whole content in one call, at most 1 MB. Name the file after its subject and date. An existing file is kept unless replace is true.`

const writeReportKeywords = "write save report export file markdown html csv document store output create memo pdf keep down summary disk produce generate send share 保存 写 报告 导出 文件 生成报告 存成 输出"

var writeReportPhrasings = []string{
	"save this as a report",
	"write a report on <sym> to <file>",
	"export this table to csv",
	"put the analysis into an html file",
	"keep these results in <file>",
	"把分析保存成报告",
	"导出到 <file>",
	"生成一份关于 <sym> 的报告",
}

// maxReportBytes is the maximum size of the content, before the footnotes.
const maxReportBytes = 1 << 20

type writeReportInput struct {
	Path    string `json:"path" jsonschema:"Such as apple-2026-11-20.md (.md, .html, .csv)."`
	Format  string `json:"format,omitempty" jsonschema:"markdown, html or csv. Default: from the ending of path."`
	Content string `json:"content" jsonschema:"The whole report as Markdown; CSV for csv."`
	Replace bool   `json:"replace,omitempty" jsonschema:"true to overwrite an existing file, only if the user asked for it."`
}

type writtenReport struct {
	Path         string `json:"path"`
	Bytes        int    `json:"bytes"`
	Replaced     bool   `json:"replaced"`
	Provenance   string `json:"provenance"` // path of the record
	Figures      int    `json:"figures"`
	Traced       int    `json:"traced"`
	Contradicted int    `json:"contradicted"`
	Summary      string `json:"summary"`
}

// reportWriter writes report files.
type reportWriter struct {
	files   FileSystem
	machine MachineInspector
	now     func() time.Time
}

// newWriteReport returns the tool that saves a report.
func newWriteReport(d Deps) tool.Tool {
	r := reportWriter{files: d.Files, machine: d.Machine, now: d.Now}
	t := tool.New("write_report", writeReportDescription, tool.Writes, func(ctx context.Context, _ writeReportInput) (tool.Result, error) {
		draft, ok := tool.PreviewState(ctx).(*reportDraft)
		if !ok {
			return tool.Result{}, errors.New("the report could not be prepared")
		}
		return r.write(draft), nil
	}).WithDetails(writeReportDetails).Find("files", writeReportKeywords, writeReportPhrasings...)
	t.Preview = r.preview
	t.WritesTo = r.writesTo
	return t
}

// writesTo returns the paths of the report and its record or, if an earlier step of a workflow makes the
// name, nfa's folder of reports.
func (r reportWriter) writesTo(args json.RawMessage) []string {
	var in struct {
		Path string `json:"path"`
	}
	if json.Unmarshal(args, &in) != nil {
		return nil
	}
	if strings.Contains(in.Path, "{{") {
		in.Path = HomePrefix + reportsFolder + "/name.md"
	}
	to, err := r.files.Target(in.Path)
	if err != nil {
		return nil
	}
	if strings.HasSuffix(in.Path, "/name.md") {
		return []string{filepath.Dir(to.Abs)}
	}
	return []string{to.Abs, to.Abs + report.Suffix}
}

// write puts the report and its record in place.
func (r reportWriter) write(d *reportDraft) tool.Result {
	for path, seen := range map[string]WriteTarget{d.path: d.target, d.recordPath(): d.recordTarget} {
		if now, err := r.files.Target(path); err != nil || now != seen {
			return tool.Failed(codeExists, seen.Path+" changed after the user was asked, so nothing was written; call again to ask about the file as it is now")
		}
	}
	to, err := r.files.WriteAll([]OutputFile{
		{Path: d.path, Data: d.Data}, {Path: d.recordPath(), Data: d.record, Private: true},
	}, d.target.Exists || d.recordTarget.Exists)
	if err != nil {
		return reportFailure(err)
	}
	p := d.Provenance
	written := writtenReport{
		Path: to[0].Path, Bytes: len(d.Data), Replaced: to[0].Exists, Provenance: to[1].Path,
		Figures: p.Total, Traced: p.Traced, Contradicted: p.Contradicted, Summary: p.Summary(),
	}
	verb := "Wrote"
	if to[0].Exists {
		verb = "Replaced"
	}
	return tool.Result{
		Value:   written,
		ForUser: fmt.Sprintf("%s `%s`, %d bytes: %s. Their sources are in `%s`; check them with `nfa verify FILE`\n", verb, to[0].Abs, len(d.Data), p.Summary(), path.Base(to[1].Path)),
		Title:   toolkit.Abbreviate(to[0].Path), Summary: toolkit.FormatBytes(len(d.Data)) + ", " + p.Summary(),
		Headline: fmt.Sprintf("%s %s, %s.", verb, to[0].Path, p.Summary()), HeadlineZH: fmt.Sprintf("已写入 %s：%d 个数字中 %d 个有出处。", to[0].Path, p.Total, p.Traced),
	}
}

// preview describes the change for the approval. Errors that do not depend on it are reported
// first. The prepared report is what is written: later figures do not change it.
func (r reportWriter) preview(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
	var in writeReportInput
	if err := json.Unmarshal(args, &in); err != nil {
		return tool.Preview{}, fmt.Errorf("write_report: arguments: %w", err)
	}
	d, err := r.newDraft(ctx, in)
	if err != nil {
		return tool.Preview{}, err
	}
	d.target, err = r.checkTarget(d.path, in.Replace)
	if err == nil {
		d.recordTarget, err = r.checkTarget(d.recordPath(), in.Replace)
	}
	to, recordTarget := d.target, d.recordTarget
	if err != nil {
		return tool.Preview{}, errors.New(reportFailure(err).ErrorText())
	}
	preview := tool.Preview{
		Key: to.Abs, State: d, Targets: humanize.ShortPath(to.Abs) + ", until you quit", Writes: []string{to.Abs, recordTarget.Abs},
		Question: "Write " + to.Path + "? " + lineCount(len(linesOf(string(d.Data)))) + ", " + toolkit.FormatBytes(len(d.Data)) + ".",
		Touch:    tool.Touch{Files: to.Abs + " and its provenance record", Network: "no"},
		Plan:     []string{"The report has " + d.Provenance.Summary() + "."},
		Changes:  addedLines(string(d.Data)),
	}
	instructions := isInstructionFile(to.Abs)
	if to.Exists {
		preview.Question = fmt.Sprintf("Replace %s? %s become %s", to.Path, toolkit.FormatBytes(int(to.Size)), toolkit.FormatBytes(len(d.Data)))
		if diff, ok := r.diffOf(d); ok {
			preview.Changes = diff
			preview.Question += "; " + countChanges(diff)
		}
		preview.Question += "."
	}
	if instructions {
		preview.Plan = append([]string{"Other programs read this file as instructions or settings. Check every line."}, preview.Plan...)
	}
	if to.Exists || recordTarget.Exists || instructions {
		// Ask even within an approved workflow, because the user has not seen what is replaced.
		preview.Ask = true
	} else {
		preview.Pattern = filepath.Join(filepath.Dir(to.Abs), "*"+filepath.Ext(to.Abs))
	}
	return preview, nil
}

// isInstructionFile recognizes files that other programs follow, in any folder. A saved permission never
// covers them.
func isInstructionFile(path string) bool {
	name := strings.ToLower(filepath.Base(path))
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	return slices.Contains(instructionStems, stem) || strings.HasSuffix(stem, "instructions") || strings.HasSuffix(stem, ".prompt") || strings.HasSuffix(stem, ".agent") || strings.HasSuffix(stem, ".chatmode")
}

var instructionStems = []string{
	"agents", "agent", "claude", "claude.local", "gemini", "readme", "skill", "copilot", "cursor", "cursorrules", "windsurf", "rules", "conventions",
	"contributing", "prompt", "prompts", "system", "memory", "soul", "qwen", "crush", "config", "settings",
}

// diffOf returns the changes to the existing file; ok is false if it is not text or too long.
func (r reportWriter) diffOf(d *reportDraft) (diff []string, ok bool) {
	before, ok := r.currentText(d.path)
	if !ok {
		return nil, false
	}
	return unifiedDiff(before, string(d.Data)), true
}

func (r reportWriter) checkTarget(path string, replace bool) (WriteTarget, error) {
	to, err := r.files.Target(path)
	if err == nil && to.Exists && !replace {
		err = fmt.Errorf("%s: %w", to.Path, fs.ErrExist)
	}
	return to, err
}
