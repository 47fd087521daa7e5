package report

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
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/usage"
)

// Verification is what came of checking one report against its record.
type Verification struct {
	Name       string           `json:"report"`
	Record     string           `json:"provenance"`
	Same       bool             `json:"same"` // all is traced, and nothing differs
	Unchanged  bool             `json:"unchanged"`
	SHA256     string           `json:"sha256"`
	WrittenAt  string           `json:"written_at"`
	Program    string           `json:"nfa_version"`
	Session    string           `json:"session,omitempty"`
	Total      int              `json:"total"`
	Traced     int              `json:"traced"`
	Numbers    []VerifiedNumber `json:"numbers"`
	Missing    []VerifiedNumber `json:"gone"`
	Calls      []VerifiedCall   `json:"calls"`
	Recomputed int              `json:"recomputed"` // figures that were had again
}

// VerifiedNumber is a number of a report.
type VerifiedNumber struct {
	Line     int    `json:"line"`
	Text     string `json:"text"`
	Status   string `json:"status"`
	Recorded string `json:"recorded,omitempty"` // the status on record; empty for one that is not on it
	Note     int    `json:"note,omitempty"`
	Sound    bool   `json:"sound"`
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
	v := newVerification(name, &p, found)
	v.Calls, err = c.rerun(ctx, p.Calls())
	for _, call := range v.Calls {
		v.Same = v.Same && call.same()
		v.Recomputed += len(call.Figures)
	}
	return v, err
}

func newVerification(name string, p *Provenance, found CheckResult) *Verification {
	v := &Verification{
		Name: name, Record: name + Suffix, Same: found.Unchanged && len(found.Missing) == 0, Unchanged: found.Unchanged,
		SHA256: found.SHA256, WrittenAt: p.WrittenAt.UTC().Format("2006-01-02T15:04:05Z"), Program: p.Program, Session: p.Session,
		Total: found.Total, Traced: found.Traced, Numbers: []VerifiedNumber{}, Missing: []VerifiedNumber{}, Calls: []VerifiedCall{},
	}
	for _, n := range found.Numbers {
		v.Same = v.Same && n.Sound()
		v.Numbers = append(v.Numbers, VerifiedNumber{
			Line: n.Line, Text: n.Text, Status: string(n.Status), Recorded: string(n.Recorded), Note: n.Note, Sound: n.Sound(),
		})
	}
	for _, n := range found.Missing {
		v.Missing = append(v.Missing, VerifiedNumber{Line: n.Line, Text: n.Text, Status: string(n.Status), Recorded: string(n.Status), Note: n.Note})
	}
	return v
}

// readBounded reads a file that the user named, or the one beside it: an ordinary
// file of a bounded size.
func readBounded(name string, limit int64) ([]byte, error) {
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
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s: over %d MB: %w", name, limit>>20, ErrTooLarge)
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
