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
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
	"github.com/nfa-cli/nfa/internal/trace"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Verification is what came of checking one report against its record.
type Verification struct {
	Name       string          `json:"report"`
	Record     string          `json:"provenance"`
	Same       bool            `json:"same"` // all is traced, and nothing differs
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
	Recomputed int             `json:"recomputed"` // figures that were had again
}

// ErrNoRecord means that there is no record beside a report.
var ErrNoRecord = errors.New("it has no record of where its figures come from")

// VerifyOptions are how the calls on record may be made again.
type VerifyOptions struct {
	Router *tool.Router
	// Pure are the tools that compute from their arguments alone.
	Pure map[string]bool
	// Live also asks the sources again.
	Live bool
}

// Verify reads the report in a file against its record, and makes those calls again that
// may be made. A file that cannot be a report is a misuse.
func Verify(ctx context.Context, name string, c VerifyOptions) (*Verification, error) {
	name = strings.TrimSuffix(name, Suffix)
	data, err := readBounded(name, MaxReport)
	if err != nil {
		return nil, usage.Errorf("%w", err)
	}
	record, err := readBounded(name+Suffix, MaxProvenance)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; write_report writes one beside each report, and %s is not there", name, ErrNoRecord, filepath.Base(name)+Suffix)
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

// readBounded reads a file that the user named, or the one next to it.
func readBounded(name string, limit int64) ([]byte, error) {
	data, _, err := atomicfile.Read(name, limit)
	switch {
	case errors.Is(err, atomicfile.ErrNotRegular):
		return nil, fmt.Errorf("%s: not an ordinary file", name)
	case errors.Is(err, atomicfile.ErrTooLarge):
		return nil, fmt.Errorf("%s: over %d MB: %w", name, limit>>20, ErrTooLarge)
	}
	return data, err
}

// Ways of looking at a call on record.
const (
	howRecomputed = "recomputed"  // from its arguments alone
	howRequested  = "asked again" // of a source
	howRecorded   = "recorded"    // taken from the record
)

// VerifiedCall is a call on record with what it gives now.
type VerifiedCall struct {
	Tool      string           `json:"tool"`
	Arguments string           `json:"arguments,omitempty"`
	How       string           `json:"how"`
	Notes     []int            `json:"notes"`   // of the figures that it gave
	Figures   []ComparedFigure `json:"figures"` // of one that was made again
	Error     string           `json:"error,omitempty"`
}

// same reports whether nothing is known to differ.
func (c VerifiedCall) same() bool {
	return !slices.ContainsFunc(c.Figures, func(f ComparedFigure) bool { return !f.Same })
}

// maxRerun bounds the calls that a record has made: it may be from anyone.
const maxRerun = 200

// rerun makes the calls that read and ask nobody, and with Live the others that read.
// The record may be from anyone: no call of it may write, and none may carry an
// address of the web.
func (c VerifyOptions) rerun(ctx context.Context, recorded []RecordedCall) ([]VerifiedCall, error) {
	router := c.Router.Only(func(name string) bool {
		t, _ := c.Router.Lookup(name)
		return t.Effect == tool.Reads && !t.UserOnly && (c.Live || c.Pure[name])
	})
	out := make([]VerifiedCall, len(recorded))
	var calls []llm.ToolCall
	var indexes []int // the call on record, for each that is made
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
	ctx = tool.WithAddressCheck(ctx, func(string) bool { return false })
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

// RecordedCall is a call on record with the figures of the report that it gave.
type RecordedCall struct {
	Call    Call
	Figures []Figure
}

// Calls are the calls on record that gave figures of the report, each once, in the
// order of the notes.
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

// ComparedFigure is a figure on record beside what its call gives now.
type ComparedFigure struct {
	Note  int    `json:"note"`
	Label string `json:"label"`
	Unit  string `json:"unit,omitempty"`
	Was   string `json:"was"`
	Now   string `json:"now,omitempty"` // empty where the call gives no such figure
	Same  bool   `json:"same"`
}

// Compare compares the recorded figures with those that the call gives now. A figure is found by its
// ID, or by its label if a version of nfa before this one recorded it. It is the same if its value is
// the same to the last digit that was recorded.
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

// maxShownNumbers is how many numbers are listed for people; JSON has all.
const maxShownNumbers = 50

// String is what people read. What the files hold is made harmless.
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
		b.WriteString("all figures are traced, and nothing differs\n")
	}
	return markdown.Sanitize(b.String())
}

// printNumbers lists what is wrong with the numbers of the report.
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
		line(n, "was there when it was written, and is gone")
	}
	if shown > maxShownNumbers {
		fmt.Fprintf(b, "! and %d more; --json lists all\n", shown-maxShownNumbers)
	}
}

// problemText says what is wrong with a number.
func problemText(n CheckedNumber) string {
	switch {
	case n.Recorded == "" && n.Status == trace.Traced:
		return fmt.Sprintf("came in since; it fits the figure of note %d", n.Note)
	case n.Recorded == "":
		return "came in since, and goes back to no figure on record"
	case n.Recorded == trace.Traced:
		return "does not fit its figure on record"
	case n.Recorded == trace.Contradicted:
		return fmt.Sprintf("is not what the tool gave: note %d", n.Note)
	}
	return "goes back to no tool"
}

// print writes a call that was made again.
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
	fmt.Fprintf(b, "%s %s %s: %s, %d of %d figures the same\n", mark, markdown.SanitizeLine(c.Tool), markdown.SanitizeLine(toolkit.Abbreviate(c.Arguments)), c.How, same, len(c.Figures))
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
		return previous + ", is not given now"
	}
	return previous + ", is " + f.Now + " now"
}

// printNotRerun says of which tools the figures were taken as recorded.
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
	fmt.Fprintf(b, "  %d figures taken as recorded, not asked for again (%s)\n", count, strings.Join(names[:min(len(names), 10)], ", "))
}
