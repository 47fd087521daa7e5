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

// Format is what kind of file a report is.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	HTML     Format = "html"
	CSV      Format = "csv"
)

// Extension is how the names of files of the format end: ".md".
func (f Format) Extension() string {
	switch f {
	case HTML:
		return ".html"
	case CSV:
		return ".csv"
	}
	return ".md"
}

// FormatOf is the format that a file's name tells, or "" for another.
func FormatOf(name string) Format {
	for _, f := range []Format{Markdown, HTML, CSV} {
		if strings.EqualFold(path.Ext(name), f.Extension()) {
			return f
		}
	}
	return ""
}

// The marks of figures in every format but in tables of CSV, where they stand in a
// column of their own.
const (
	untracedMark     = "[untraced]"
	contradictedMark = "[contradicted]"
)

// Bounds of what is written, and of what is read back.
const (
	MaxReport     = 4 << 20 // bytes
	MaxProvenance = 16 << 20
	maxNumbers    = 20_000
	// maxCells bounds the tables of a text: their rows are filled up to the
	// longest, so that a short text can make a very large table.
	maxCells = 1_000_000
)

// ErrTooLarge means that a report or its record exceeds what is read back.
var ErrTooLarge = errors.New("too large")

// Options say how and when a report is written.
type Options struct {
	Format  Format
	Name    string      // of the file, without its folder
	Trace   tool.Tracer // nil where no figures are known
	Session string      // the conversation, where there is one
	Program string      // the version of nfa
	Now     time.Time
}

// Report is a file with the record of its figures.
type Report struct {
	Data       []byte
	Provenance Provenance
}

// New writes a report of a text. For Markdown and HTML that is Markdown; for CSV
// it is Markdown with tables, or CSV.
func New(text string, o Options) (Report, error) {
	p := Provenance{
		Version: recordVersion, WrittenAt: o.Now.UTC().Truncate(time.Second), Program: o.Program,
		Report: o.Name, Format: o.Format, Session: o.Session, Conversation: o.Trace != nil,
	}
	if maxTableCells(text) > maxCells {
		return Report{}, fmt.Errorf("its tables have more than %d cells: %w", maxCells, ErrTooLarge)
	}
	if countDigitRuns(text) > maxDigitRuns {
		return Report{}, fmt.Errorf("it has more than %d runs of digits: %w", maxDigitRuns, ErrTooLarge)
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
		return Report{}, fmt.Errorf("the report is %d bytes with its notes, the limit is %d: %w", len(data), MaxReport, ErrTooLarge)
	}
	// What is recorded is what stands in the file, read as it is read back.
	body, err := p.textOf(data)
	if err != nil {
		return Report{}, err
	}
	p.record(body, trace)
	if len(p.Numbers) > maxNumbers {
		return Report{}, fmt.Errorf("the report states %d numbers, the limit is %d: %w", len(p.Numbers), maxNumbers, ErrTooLarge)
	}
	sum := sha256.Sum256(data)
	p.SHA256 = hex.EncodeToString(sum[:])
	return Report{Data: data, Provenance: p}, nil
}

// maxTableCells is more than the tables of a text can have.
func maxTableCells(text string) int {
	widest, lines := 0, 0
	for line := range strings.Lines(text) {
		widest = max(widest, 1+strings.Count(line, "|"))
		lines++
	}
	return widest * lines
}

// write gives the file, and leaves the counts and the notes in the record.
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
	return nil, fmt.Errorf("no reports are written as %q", p.Format)
}

// noTracer is the Tracer where no figures are known.
func noTracer(text string) ([]trace.MatchedNumber, []tool.TracedFigure) {
	return trace.Match(text, nil, "").Numbers, nil
}

// mark traces a text and keeps what came of it.
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

// Summary counts the figures in a line.
func (p *Provenance) Summary() string {
	text := fmt.Sprintf("%d of %d figures traced", p.Traced, p.Total)
	switch {
	case p.Total == 0:
		return "no figures"
	case !p.Conversation:
		return text + ": written outside of a conversation, where no tool's figures are known"
	case p.Contradicted > 0:
		return text + fmt.Sprintf("; a tool says otherwise of %d, marked %s", p.Contradicted, contradictedMark)
	}
	return text
}
