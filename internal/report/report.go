package report

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/trace"
)

// Format is the file format of a report.
type Format string

// Formats of reports.
const (
	Markdown Format = "markdown"
	HTML     Format = "html"
	CSV      Format = "csv"
)

// Extension returns the file name extension of the format: ".md".
func (f Format) Extension() string {
	switch f {
	case HTML:
		return ".html"
	case CSV:
		return ".csv"
	}
	return ".md"
}

// FormatOf returns the format for a file name, or "" if the extension is unknown.
func FormatOf(name string) Format {
	for _, f := range []Format{Markdown, HTML, CSV} {
		if strings.EqualFold(path.Ext(name), f.Extension()) {
			return f
		}
	}
	return ""
}

// The marks of figures. In CSV they are in a separate column.
const (
	untracedMark     = "[untraced]"
	contradictedMark = "[contradicted]"
)

// These bounds apply to reports when writing and reading.
const (
	MaxReport     = 4 << 20 // bytes
	MaxProvenance = 16 << 20
	maxNumbers    = 20_000
	// maxCells limits the tables of a text, because rows are padded to the longest one, so a short
	// text can make a very large table.
	maxCells = 1_000_000
)

// ErrTooLarge means that a report or its record exceeds the limits for reading.
var ErrTooLarge = errors.New("too large")

// Options configures New.
type Options struct {
	Format  Format
	Name    string      // of the file, without its folder
	Trace   tool.Tracer // nil if no figures are known
	Session string      // ID of the session, if it is saved
	Program string      // the version of nfa
	Now     time.Time
}

// Report is a report file with its record.
type Report struct {
	Data       []byte
	Provenance Provenance
}

// New writes a report of a text. The text is Markdown; for CSV it may also be CSV.
func New(text string, o Options) (Report, error) {
	p := Provenance{
		Version: recordVersion, WrittenAt: o.Now.UTC().Truncate(time.Second), Program: o.Program,
		Report: o.Name, Format: o.Format, Session: o.Session, Conversation: o.Trace != nil,
	}
	if maxTableCells(text) > maxCells {
		return Report{}, fmt.Errorf("the tables have more than %d cells: %w", maxCells, ErrTooLarge)
	}
	if countDigitRuns(text) > maxDigitRuns {
		return Report{}, fmt.Errorf("more than %d runs of digits: %w", maxDigitRuns, ErrTooLarge)
	}
	trace := o.Trace
	if trace == nil {
		trace = noTracer
	}
	data, err := p.write(text, trace)
	if err != nil {
		return Report{}, err
	}
	if len(data) > MaxReport {
		return Report{}, fmt.Errorf("the report has %d bytes with its notes, the limit is %d: %w", len(data), MaxReport, ErrTooLarge)
	}
	// Record the numbers as they will be read back from the file.
	body, err := p.textOf(data)
	if err != nil {
		return Report{}, err
	}
	p.record(body, trace)
	if len(p.Numbers) > maxNumbers {
		return Report{}, fmt.Errorf("the report has %d numbers, the limit is %d: %w", len(p.Numbers), maxNumbers, ErrTooLarge)
	}
	sum := sha256.Sum256(data)
	p.SHA256 = hex.EncodeToString(sum[:])
	return Report{Data: data, Provenance: p}, nil
}

// maxTableCells returns an upper bound of the cells in a text's tables.
func maxTableCells(text string) int {
	widest, lines := 0, 0
	for line := range strings.Lines(text) {
		widest = max(widest, 1+strings.Count(line, "|"))
		lines++
	}
	return widest * lines
}

// write returns the file and sets the counts and notes of the record.
func (p *Provenance) write(text string, trace tool.Tracer) ([]byte, error) {
	switch p.Format {
	case Markdown:
		m := p.mark(text, trace)
		return p.markdown(text, m), nil
	case HTML:
		m := p.mark(text, trace)
		return p.htmlPage(text, m)
	case CSV:
		return p.csvFile(text, trace)
	}
	return nil, fmt.Errorf("unknown report format %q", p.Format)
}

// noTracer traces nothing: it is used if no figures are known.
func noTracer(text string) ([]trace.MatchedNumber, []tool.TracedFigure) {
	return trace.Match(text, nil, "").Numbers, nil
}

// mark traces the numbers of a text and records the result.
func (p *Provenance) mark(text string, tracer tool.Tracer) []trace.MatchedNumber {
	numbers, notes := tracer(text)
	p.firstNote = p.lastTextNote(text)
	p.Total, p.Traced, p.Contradicted = len(numbers), 0, 0
	for i, n := range numbers {
		switch n.Status {
		case trace.Traced:
			p.Traced++
		case trace.Contradicted:
			p.Contradicted++
		}
		if n.Note > 0 {
			numbers[i].Note += p.firstNote
		}
	}
	p.Figures = []Figure{}
	for i, g := range notes {
		p.Figures = append(p.Figures, figureOf(p.firstNote+i+1, g))
	}
	return numbers
}

// Summary counts the figures in one line.
func (p *Provenance) Summary() string {
	text := fmt.Sprintf("%d of %d figures traced", p.Traced, p.Total)
	switch {
	case p.Total == 0:
		return "no figures"
	case !p.Conversation:
		return text + ": written outside a session, so no tool results are known"
	case p.Contradicted > 0:
		return text + fmt.Sprintf("; %d contradicted by a tool, marked %s", p.Contradicted, contradictedMark)
	}
	return text
}

// isSummary reports whether a text is the summary that nfa wrote.
func (p *Provenance) isSummary(text string) bool { return text == p.Summary()+"." }
