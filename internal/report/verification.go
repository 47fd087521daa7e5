package report

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Verification is the result of checking one report against its record.
type Verification struct {
	Name       string          `json:"report"`
	Record     string          `json:"provenance"`
	Same       bool            `json:"same"` // every figure is traced and nothing differs
	Unchanged  bool            `json:"unchanged"`
	SHA256     string          `json:"sha256"`
	WrittenAt  string          `json:"written_at"`
	Program    string          `json:"nfa_version"`
	Session    string          `json:"session,omitempty"`
	Total      int             `json:"total"`
	Traced     int             `json:"traced"`
	Numbers    []CheckedNumber `json:"numbers"`
	Missing    []CheckedNumber `json:"gone"`
	Calls      []VerifiedCall  `json:"calls"`
	Recomputed int             `json:"recomputed"` // figures that were computed or fetched again
}

// ErrNoRecord means that the report has no provenance record.
var ErrNoRecord = errors.New("no provenance record")

// VerifyOptions sets which recorded calls may be repeated.
type VerifyOptions struct {
	Router *tool.Router
	// Pure lists the tools that compute only from their arguments.
	Pure map[string]bool
	// Live also repeats calls to data sources.
	Live bool
}

// Verify checks the report in a file against its record, and repeats the recorded calls that are
// allowed. A file that cannot be a report is a usage error.
func Verify(ctx context.Context, name string, c VerifyOptions) (*Verification, error) {
	name = strings.TrimSuffix(name, Suffix)
	data, err := readBounded(name, MaxReport)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	record, err := readBounded(name+Suffix, MaxProvenance)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: %s is missing; write_report saves it next to the report", name, ErrNoRecord, filepath.Base(name)+Suffix)
	}
	if err != nil {
		return nil, err
	}
	p, err := Parse(record)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name+Suffix, err)
	}
	found, err := p.Check(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	v := &Verification{
		Name: name, Record: name + Suffix, Same: found.Unchanged && len(found.Missing) == 0, Unchanged: found.Unchanged,
		SHA256: found.SHA256, WrittenAt: p.WrittenAt.UTC().Format("2006-01-02T15:04:05Z"), Program: p.Program, Session: p.Session,
		Total: found.Total, Traced: found.Traced, Numbers: found.Numbers, Missing: found.Missing,
	}
	for _, n := range v.Numbers {
		v.Same = v.Same && n.Sound
	}
	v.Calls, err = c.rerun(ctx, p.Calls())
	for _, call := range v.Calls {
		v.Same = v.Same && call.same()
		v.Recomputed += len(call.Figures)
	}
	return v, err
}

// readBounded reads the report or its record.
func readBounded(name string, limit int64) ([]byte, error) {
	data, _, err := atomicfile.Read(name, limit)
	switch {
	case errors.Is(err, atomicfile.ErrNotRegular):
		return nil, fmt.Errorf("%s: not a regular file", name)
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, fmt.Errorf("%s: over %d MB: %w", name, limit>>20, ErrTooLarge)
	}
	return data, err
}

// Ways of checking a recorded call.
const (
	howRecomputed = "recomputed"    // from its arguments only
	howRequested  = "fetched again" // from a source
	howRecorded   = "recorded"      // taken from the record
)

// VerifiedCall is a recorded call with its current result.
type VerifiedCall struct {
	Tool      string           `json:"tool"`
	Arguments string           `json:"arguments,omitempty"`
	How       string           `json:"how"`
	Notes     []int            `json:"notes"`   // of its figures
	Figures   []ComparedFigure `json:"figures"` // of a repeated call
	Error     string           `json:"error,omitempty"`
}

// same reports whether no difference is known.
func (c VerifiedCall) same() bool {
	return !slices.ContainsFunc(c.Figures, func(f ComparedFigure) bool { return !f.Same })
}

// maxRerun limits the repeated calls, because a record may come from anyone.
const maxRerun = 200

// rerun repeats the calls that only compute, and with Live also those that read from sources.
// Because a record may come from anyone, no call may write, and none may contain a web address.
func (c VerifyOptions) rerun(ctx context.Context, recorded []RecordedCall) ([]VerifiedCall, error) {
	router := c.Router.Only(func(name string) bool {
		t, _ := c.Router.Lookup(name)
		return t.Effect == tool.Reads && !t.UserOnly && (c.Live || c.Pure[name])
	})
	out := make([]VerifiedCall, len(recorded))
	var calls []llm.ToolCall
	var indexes []int // the recorded call of each repeated one
	for i, a := range recorded {
		out[i] = VerifiedCall{Tool: a.Call.Name, Arguments: a.Call.Arguments, How: howRecorded, Notes: notesOf(a), Figures: []ComparedFigure{}}
		if _, ok := router.Lookup(a.Call.Name); !ok || len(calls) == maxRerun {
			continue
		}
		out[i].How = howRequested
		if c.Pure[a.Call.Name] {
			out[i].How = howRecomputed
		}
		calls = append(calls, llm.ToolCall{ID: fmt.Sprintf("verify_%d", i+1), Name: a.Call.Name, Arguments: a.Call.Arguments})
		indexes = append(indexes, i)
	}
	// A record may come from anyone, so every address in it needs approval.
	exposure := &tool.Exposure{}
	exposure.AddSaved("", "", "", "")
	ctx = tool.WithExposure(ctx, exposure)
	outcomes, err := router.Dispatch(ctx, calls, tool.Observer{})
	for n, o := range outcomes {
		i := indexes[n]
		out[i].Figures, out[i].Error = recorded[i].Compare(o.Result.Figures), o.Result.ErrorText()
	}
	return out, err
}

func notesOf(a RecordedCall) []int {
	var out []int
	for _, f := range a.Figures {
		out = append(out, f.Note)
	}
	return out
}

// RecordedCall is a recorded call with its figures in the report.
type RecordedCall struct {
	Call    Call
	Figures []Figure
}

// Calls returns the recorded calls with figures in the report, each once, in the order of the
// notes.
func (p *Provenance) Calls() []RecordedCall {
	var out []RecordedCall
	at := map[Call]int{}
	for _, f := range p.Figures {
		call := Call{Name: f.Call.Name, Arguments: f.Call.Arguments}
		i, seen := at[call]
		if !seen {
			i = len(out)
			at[call] = i
			out = append(out, RecordedCall{Call: call})
		}
		out[i].Figures = append(out[i].Figures, f)
	}
	return out
}

// ComparedFigure is a recorded figure with its current value.
type ComparedFigure struct {
	Note  int    `json:"note"`
	Label string `json:"label"`
	Unit  string `json:"unit,omitempty"`
	Was   string `json:"was"`
	Now   string `json:"now,omitempty"` // empty if the call no longer returns it
	Same  bool   `json:"same"`
}

// Compare compares the recorded figures with current results. A figure is found by its ID, or by
// its label if an earlier version of nfa recorded it. It is the same if its value matches to the
// last recorded digit.
func (a RecordedCall) Compare(results []tool.Figure) []ComparedFigure {
	type name struct{ id, label, unit string }
	current := map[name]tool.Figure{}
	for _, f := range results {
		current[name{id: f.ID, unit: f.Unit}] = f
		current[name{label: f.Label, unit: f.Unit}] = f
	}
	var out []ComparedFigure
	for _, f := range a.Figures {
		c := ComparedFigure{Note: f.Note, Label: f.Label, Unit: f.Unit, Was: f.Value}
		g, ok := current[name{id: f.ID, unit: f.Unit}]
		if !ok || f.ID == "" {
			g, ok = current[name{label: f.Label, unit: f.Unit}]
		}
		if ok {
			recorded, err := f.decimal()
			c.Now, c.Same = g.Value.String(), err == nil && recorded.Equal(g.Value.Round(max(0, -recorded.Exponent())))
		}
		out = append(out, c)
	}
	return out
}

// maxShownNumbers limits the numbers listed for people; the JSON has all of them.
const maxShownNumbers = 50

// String returns the result for people, with text from the files sanitized.
func (v *Verification) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d of %d figures traced\n", v.Name, v.Traced, v.Total)
	fmt.Fprintf(&b, "written %s by nfa %s\n", v.WrittenAt, v.Program)
	if v.Unchanged {
		b.WriteString("not changed since it was written\n")
	} else {
		b.WriteString("! changed since it was written\n")
	}
	v.printNumbers(&b)
	for _, c := range v.Calls {
		if c.How != howRecorded {
			c.print(&b)
		}
	}
	v.printNotRerun(&b)
	if v.Same {
		b.WriteString("all figures are traced and unchanged\n")
	}
	return markdown.Sanitize(b.String())
}

// printNumbers lists problems with the numbers of the report.
func (v *Verification) printNumbers(b *strings.Builder) {
	shown := 0
	line := func(n CheckedNumber, what string) {
		if shown++; shown <= maxShownNumbers {
			fmt.Fprintf(b, "! line %d: %s %s\n", n.Line, markdown.SanitizeLine(n.Text), what)
		}
	}
	for _, n := range v.Numbers {
		if !n.Sound {
			line(n, problemText(n))
		}
	}
	for _, n := range v.Missing {
		line(n, "was removed")
	}
	if shown > maxShownNumbers {
		fmt.Fprintf(b, "! and %d more; --json lists all\n", shown-maxShownNumbers)
	}
}

// problemText describes the problem with a number.
func problemText(n CheckedNumber) string {
	switch {
	case n.Recorded == "" && n.Status == trace.Traced:
		return fmt.Sprintf("was added; it matches the figure in note %d", n.Note)
	case n.Recorded == "":
		return "was added and matches no recorded figure"
	case n.Recorded == trace.Traced:
		return "does not match its recorded figure"
	case n.Recorded == trace.Contradicted:
		return fmt.Sprintf("contradicts the tool result in note %d", n.Note)
	}
	return "is not traced to a tool"
}

// print writes a repeated call.
func (c VerifiedCall) print(b *strings.Builder) {
	same := 0
	for _, f := range c.Figures {
		if f.Same {
			same++
		}
	}
	mark := " "
	if same < len(c.Figures) {
		mark = "!"
	}
	fmt.Fprintf(b, "%s %s %s: %s, %d of %d figures unchanged\n", mark, markdown.SanitizeLine(c.Tool), markdown.SanitizeLine(toolkit.Abbreviate(c.Arguments)), c.How, same, len(c.Figures))
	if c.Error != "" {
		fmt.Fprintf(b, "!   %s\n", markdown.SanitizeLine(c.Error))
	}
	for _, f := range c.Figures {
		if !f.Same && c.Error == "" {
			fmt.Fprintf(b, "!   note %d: %s\n", f.Note, difference(f))
		}
	}
}

func difference(f ComparedFigure) string {
	previous := markdown.SanitizeLine(strings.TrimSpace(f.Label + " was " + f.Was + " " + f.Unit))
	if f.Now == "" {
		return previous + ", is missing now"
	}
	return previous + ", is " + f.Now + " now"
}

// printNotRerun lists the tools whose calls were not repeated.
func (v *Verification) printNotRerun(b *strings.Builder) {
	var names []string
	count := 0
	for _, c := range v.Calls {
		if c.How != howRecorded {
			continue
		}
		count += len(c.Notes)
		if name := markdown.SanitizeLine(toolkit.Abbreviate(c.Tool)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if count == 0 {
		return
	}
	fmt.Fprintf(b, "  %s not checked again (%s)\n", humanize.Count(count, "figure", "figures"), strings.Join(names[:min(len(names), 10)], ", "))
}
