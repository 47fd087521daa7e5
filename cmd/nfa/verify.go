package main

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

	"github.com/spf13/cobra"

	"github.com/nfa-cli/nfa/internal/console"
	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/report"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/toolbox/calculator"
)

func newVerify(g *globals) *cobra.Command {
	var live, asJSON bool
	cmd := &cobra.Command{
		Use: "verify FILE", Short: "Check the figures of a report against the record written with it",
		Long: `verify reads a report of write_report and the record beside it (FILE.provenance.json). It says
whether the file was changed since, matches every number in it to the figure on record, and
runs calculations again with their recorded arguments. What came from a market source is asked
for again with --live only, and may have changed since then.

It exits with 0 when all figures are traced and the same, with 1 when something differs or is
not traced, with 5 when there is no record. A record is not signed: who changed report and
record alike is found out by the calls that are made again, and by nothing else.`,
		Example: `  nfa verify apple-2026-11-20.md
  nfa verify ~/.nfa/reports/apple.html --live --json`,
		Args: args(cobra.ExactArgs(1)),
		RunE: g.inHouse(wiring{}, func(cmd *cobra.Command, h *house, names []string) error {
			v, err := h.verify(cmd.Context(), names[0], live)
			if err != nil {
				return err
			}
			if asJSON {
				err = console.JSON(g.out, v)
			} else {
				_, err = io.WriteString(g.out, v.text())
			}
			if err == nil && !v.Same {
				err = &exitError{code: exitFailure}
			}
			return err
		}),
	}
	cmd.Flags().BoolVar(&live, "live", false, "ask the sources again, too")
	cmd.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return cmd
}

// verification is what verify prints.
type verification struct {
	Report     string         `json:"report"`
	Record     string         `json:"provenance"`
	Same       bool           `json:"same"` // all is traced, and nothing differs
	Unchanged  bool           `json:"unchanged"`
	SHA256     string         `json:"sha256"`
	WrittenAt  string         `json:"written_at"`
	Program    string         `json:"nfa_version"`
	Session    string         `json:"session,omitempty"`
	Total      int            `json:"total"`
	Traced     int            `json:"traced"`
	Numbers    []verifiedItem `json:"numbers"`
	Gone       []verifiedItem `json:"gone"`
	Calls      []verifiedCall `json:"calls"`
	Recomputed int            `json:"recomputed"` // figures that were had again
}

// verifiedItem is a number of a report.
type verifiedItem struct {
	Line     int    `json:"line"`
	Text     string `json:"text"`
	Status   string `json:"status"`
	Recorded string `json:"recorded,omitempty"` // the status on record; empty for one that is not on it
	Note     int    `json:"note,omitempty"`
	Sound    bool   `json:"sound"`
}

// verify reads a report against its record, and makes those calls again that may
// be made.
func (h *house) verify(ctx context.Context, name string, live bool) (*verification, error) {
	name = strings.TrimSuffix(name, report.Suffix)
	data, err := readNamed(name, report.MaxReport)
	if err != nil {
		return nil, misuse.Errorf("%w", err)
	}
	record, err := readNamed(name+report.Suffix, report.MaxProvenance)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &exitError{exitNoData, fmt.Errorf("%s: it has no record of where its figures come from; write_report writes one beside each report, and %s is not there", name, filepath.Base(name)+report.Suffix)}
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
	v := verifiedReport(name, &p, found)
	v.Calls, err = h.callAgain(ctx, p.Calls(), live)
	for _, c := range v.Calls {
		v.Same = v.Same && c.same()
		v.Recomputed += len(c.Figures)
	}
	return v, err
}

func verifiedReport(name string, p *report.Provenance, found report.Finding) *verification {
	v := &verification{
		Report: name, Record: name + report.Suffix, Same: found.Unchanged && len(found.Gone) == 0, Unchanged: found.Unchanged,
		SHA256: found.SHA256, WrittenAt: p.WrittenAt.UTC().Format("2006-01-02T15:04:05Z"), Program: p.Program, Session: p.Session,
		Total: found.Total, Traced: found.Traced, Numbers: []verifiedItem{}, Gone: []verifiedItem{}, Calls: []verifiedCall{},
	}
	for _, n := range found.Numbers {
		v.Same = v.Same && n.Sound()
		v.Numbers = append(v.Numbers, verifiedItem{
			Line: n.Line, Text: n.Text, Status: string(n.Status), Recorded: string(n.Recorded), Note: n.Note, Sound: n.Sound(),
		})
	}
	for _, n := range found.Gone {
		v.Gone = append(v.Gone, verifiedItem{Line: n.Line, Text: n.Text, Status: string(n.Status), Recorded: string(n.Status), Note: n.Note})
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

// verifiedCall is a call on record with what it gives now.
type verifiedCall struct {
	Tool      string            `json:"tool"`
	Arguments string            `json:"arguments,omitempty"`
	How       string            `json:"how"`
	Notes     []int             `json:"notes"`   // of the figures that it gave
	Figures   []report.Compared `json:"figures"` // of one that was made again
	Error     string            `json:"error,omitempty"`
}

// same reports whether nothing is known to differ.
func (c verifiedCall) same() bool {
	return !slices.ContainsFunc(c.Figures, func(f report.Compared) bool { return !f.Same })
}

// mostAgain bounds the calls that a record has made: it may be from anyone.
const mostAgain = 200

// callAgain makes the calls again that read and ask nobody, and with live the
// others that read. The record may be from anyone: no call of it may write, and
// none may carry an address of the web.
func (h *house) callAgain(ctx context.Context, asked []report.Asked, live bool) ([]verifiedCall, error) {
	pure := map[string]bool{}
	for _, t := range calculator.Tools() {
		pure[t.Name] = true
	}
	router := h.router.Only(func(name string) bool {
		t, _ := h.router.Lookup(name)
		return t.Effect == tool.Reads && !t.UserOnly && (live || pure[name])
	})
	out := make([]verifiedCall, len(asked))
	var calls []llm.ToolCall
	var of []int // the call on record, for each that is made
	for i, a := range asked {
		out[i] = verifiedCall{Tool: a.Call.Name, Arguments: a.Call.Arguments, How: howRecorded, Notes: notesOf(a), Figures: []report.Compared{}}
		if _, ok := router.Lookup(a.Call.Name); !ok || len(calls) == mostAgain {
			continue
		}
		out[i].How = howAsked
		if pure[a.Call.Name] {
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
