// Package verification checks a report that was written with the record of its figures:
// whether it was changed since, whether each number goes back to a figure on record, and
// whether the calls on record give the same again. Of gives a Report, which is written
// as JSON and, by String, for people. Files from anywhere stand in it.
package verification

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
)

// Report is what came of checking one report against its record.
type Report struct {
	Name       string `json:"report"`
	Record     string `json:"provenance"`
	Same       bool   `json:"same"` // all is traced, and nothing differs
	Unchanged  bool   `json:"unchanged"`
	SHA256     string `json:"sha256"`
	WrittenAt  string `json:"written_at"`
	Program    string `json:"nfa_version"`
	Session    string `json:"session,omitempty"`
	Total      int    `json:"total"`
	Traced     int    `json:"traced"`
	Numbers    []Item `json:"numbers"`
	Gone       []Item `json:"gone"`
	Calls      []Call `json:"calls"`
	Recomputed int    `json:"recomputed"` // figures that were had again
}

// Item is a number of a report.
type Item struct {
	Line     int    `json:"line"`
	Text     string `json:"text"`
	Status   string `json:"status"`
	Recorded string `json:"recorded,omitempty"` // the status on record; empty for one that is not on it
	Note     int    `json:"note,omitempty"`
	Sound    bool   `json:"sound"`
}

// ErrNoRecord means that there is no record beside a report.
var ErrNoRecord = errors.New("it has no record of where its figures come from")

// Calls are how the calls on record may be made again.
type Calls struct {
	Router *tool.Router
	// Pure are the tools that compute from their arguments alone.
	Pure map[string]bool
	// Live also asks the sources again.
	Live bool
}

// Of reads the report in a file against its record, and makes those calls again that
// may be made. A file that cannot be a report is a misuse.
func Of(ctx context.Context, name string, c Calls) (*Report, error) {
	name = strings.TrimSuffix(name, report.Suffix)
	data, err := readNamed(name, report.MaxReport)
	if err != nil {
		return nil, misuse.Errorf("%w", err)
	}
	record, err := readNamed(name+report.Suffix, report.MaxProvenance)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w; write_report writes one beside each report, and %s is not there", name, ErrNoRecord, filepath.Base(name)+report.Suffix)
	}
	if err != nil {
		return nil, err
	}
	p, err := report.Parse(record)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name+report.Suffix, err)
	}
	found, err := p.Check(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	v := told(name, &p, found)
	v.Calls, err = c.again(ctx, p.Calls())
	for _, call := range v.Calls {
		v.Same = v.Same && call.same()
		v.Recomputed += len(call.Figures)
	}
	return v, err
}

func told(name string, p *report.Provenance, found report.Finding) *Report {
	v := &Report{
		Name: name, Record: name + report.Suffix, Same: found.Unchanged && len(found.Gone) == 0, Unchanged: found.Unchanged,
		SHA256: found.SHA256, WrittenAt: p.WrittenAt.UTC().Format("2006-01-02T15:04:05Z"), Program: p.Program, Session: p.Session,
		Total: found.Total, Traced: found.Traced, Numbers: []Item{}, Gone: []Item{}, Calls: []Call{},
	}
	for _, n := range found.Numbers {
		v.Same = v.Same && n.Sound()
		v.Numbers = append(v.Numbers, Item{
			Line: n.Line, Text: n.Text, Status: string(n.Status), Recorded: string(n.Recorded), Note: n.Note, Sound: n.Sound(),
		})
	}
	for _, n := range found.Gone {
		v.Gone = append(v.Gone, Item{Line: n.Line, Text: n.Text, Status: string(n.Status), Recorded: string(n.Status), Note: n.Note})
	}
	return v
}

// readNamed reads a file that the user named, or the one beside it: an ordinary
// file of a bounded size.
func readNamed(name string, most int64) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not an ordinary file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s: over %d MB: %w", name, most>>20, report.ErrTooLarge)
	}
	return data, err
}

// Ways of looking at a call on record.
const (
	howRecomputed = "recomputed"  // from its arguments alone
	howAsked      = "asked again" // of a source
	howRecorded   = "recorded"    // taken from the record
)

// Call is a call on record with what it gives now.
type Call struct {
	Tool      string            `json:"tool"`
	Arguments string            `json:"arguments,omitempty"`
	How       string            `json:"how"`
	Notes     []int             `json:"notes"`   // of the figures that it gave
	Figures   []report.Compared `json:"figures"` // of one that was made again
	Error     string            `json:"error,omitempty"`
}

// same reports whether nothing is known to differ.
func (c Call) same() bool {
	return !slices.ContainsFunc(c.Figures, func(f report.Compared) bool { return !f.Same })
}

// mostAgain bounds the calls that a record has made: it may be from anyone.
const mostAgain = 200

// again makes the calls that read and ask nobody, and with Live the others that read.
// The record may be from anyone: no call of it may write, and none may carry an
// address of the web.
func (c Calls) again(ctx context.Context, asked []report.Asked) ([]Call, error) {
	router := c.Router.Only(func(name string) bool {
		t, _ := c.Router.Lookup(name)
		return t.Effect == tool.Reads && !t.UserOnly && (c.Live || c.Pure[name])
	})
	out := make([]Call, len(asked))
	var calls []llm.ToolCall
	var of []int // the call on record, for each that is made
	for i, a := range asked {
		out[i] = Call{Tool: a.Call.Name, Arguments: a.Call.Arguments, How: howRecorded, Notes: notesOf(a), Figures: []report.Compared{}}
		if _, ok := router.Lookup(a.Call.Name); !ok || len(calls) == mostAgain {
			continue
		}
		out[i].How = howAsked
		if c.Pure[a.Call.Name] {
			out[i].How = howRecomputed
		}
		calls = append(calls, llm.ToolCall{ID: fmt.Sprintf("verify_%d", i+1), Name: a.Call.Name, Arguments: a.Call.Arguments})
		of = append(of, i)
	}
	ctx = tool.WithNamed(ctx, func(string) bool { return false })
	outcomes, err := router.Dispatch(ctx, calls, tool.Observer{})
	for n, o := range outcomes {
		i := of[n]
		out[i].Figures, out[i].Error = asked[i].Compare(o.Result.Figures), o.Result.ErrorText()
	}
	return out, err
}

func notesOf(a report.Asked) []int {
	var out []int
	for _, f := range a.Figures {
		out = append(out, f.Note)
	}
	return out
}
