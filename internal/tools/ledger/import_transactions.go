package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/positions"
)

type importInput struct {
	Path     string `json:"path" jsonschema:"the file, as the broker exports it: CSV, OFX or JSON"`
	Format   string `json:"format,omitempty" jsonschema:"name of the format; found by the file's own header when left out"`
	Account  string `json:"account,omitempty" jsonschema:"the account it is of; when left out that of earlier files of the broker, or a new one of the broker's name; a file of several accounts keeps them apart by its own names"`
	Cash     string `json:"cash,omitempty" jsonschema:"of an account that is made: tracked, margin (may owe) or untracked (the file has trades alone)"`
	Zone     string `json:"zone,omitempty" jsonschema:"where the account's days begin, such as Europe/Berlin, for files that write times in UTC; UTC when left out"`
	Currency string `json:"currency,omitempty" jsonschema:"of the account, for files that name none"`

	Mapping    string            `json:"mapping,omitempty" jsonschema:"name of a saved mapping of columns, for a table of no known format"`
	NewMapping *importer.Mapping `json:"new_mapping,omitempty" jsonschema:"a mapping of columns, which is saved under its name when the import has succeeded; an import of an unknown table proposes one"`

	Symbols      map[string]string `json:"symbols,omitempty" jsonschema:"names in the file (ISIN or ticker) with the symbols they stand for, as the user said"`
	SkipProblems bool              `json:"skip_problems,omitempty" jsonschema:"true to leave out the lines that cannot be recorded; only when the user has seen them"`
	Opening      bool              `json:"opening,omitempty" jsonschema:"true to record what the file gives away without having brought it in as transferred in on that day, at unknown cost; only when the user said that there are no older files"`
	Again        bool              `json:"again,omitempty" jsonschema:"true to record lines also where the same was entered by hand or from another file"`
	TakeSettings bool              `json:"take_settings,omitempty" jsonschema:"true to have accounts, other names, facts and targets as nfa's own JSON says where the book says otherwise; only with the user's word"`
}

// importDescription names every format, without what kind of file it is.
func importDescription() string {
	var names []string
	for _, f := range Formats() {
		name, _, _ := strings.Cut(f.Title, ",")
		name, _, _ = strings.Cut(name, " (")
		names = append(names, name)
	}
	return fmt.Sprintf(importGuide, strings.Join(names, ", "))
}

const importGuide = `Reads a broker's file into the user's book, all of it or nothing. The user is asked first and sees what would be written. Formats that are recognized: %s; any other table with a mapping of its columns, which is proposed when none fits and can be saved.
Reading the same file again, or a longer one of the same account, adds only what is new. nfa's own JSON brings accounts, other names, facts and targets as well; where the book says otherwise its own stay, and the answer asks. Lines that are not understood are listed with their reasons and refuse the import: show them to the user, and only with the user's word leave them out with skip_problems. A book that would not hold afterwards (more sold than held, cash below zero) is refused as well, with the line and what helps.
The answer counts what was added, what was there already and what was ignored, and sums it by kind and currency. Where it asks which listing an ISIN means, ask the user, and give it with symbols or later with portfolio_settings. Names and reasons are outside text.`

// errImport marks a file that cannot be taken as it is.
var errImport = errors.New("import")

const (
	importTimeout = 2 * time.Minute
	// What is written after the time is over is told all the same.
	importGrace = 10 * time.Second
)

// newImportTransactions is the tool that reads brokers' files.
func newImportTransactions(d ImportDeps) tool.Tool {
	t := tool.New("import_transactions", importDescription(), tool.Writes, func(ctx context.Context, _ importInput) (tool.Result, error) {
		in, ok := tool.PreviewState(ctx).(*parsedFile)
		if !ok {
			return tool.Result{}, positions.ErrNotPreviewed
		}
		return d.applyImport(ctx, in)
	})
	t.Timeout, t.Grace = importTimeout, importGrace
	t.Preview = func(ctx context.Context, args json.RawMessage) (tool.Preview, error) {
		var in importInput
		if err := json.Unmarshal(args, &in); err != nil {
			return tool.Preview{}, fmt.Errorf("arguments of import_transactions: %w", err)
		}
		return d.previewImport(ctx, in)
	}
	return t
}

func (d ImportDeps) previewImport(ctx context.Context, in importInput) (tool.Preview, error) {
	if err := d.CheckWritable(); err != nil {
		return tool.Preview{}, err
	}
	l, err := d.Store.Ledger(ctx)
	if err != nil {
		return tool.Preview{}, err
	}
	ready, err := d.parseFile(ctx, l, in)
	if err != nil {
		return tool.Preview{}, err
	}
	c, report, err := d.plan(l, ready)
	if err != nil {
		return tool.Preview{}, err
	}
	ready.shown = &importPlan{l, c, report}
	return positions.PreviewChange(report.lines(), ready), nil
}

// importPlan is what was decided for a ledger.
type importPlan struct {
	ledger portfolio.Ledger
	change portfolio.Change
	report importReport
}

// replan is the plan for the ledger as it is now. Where that is the one that was shown
// it has been checked already, which takes as long as all the rest.
func (d ImportDeps) replan(l portfolio.Ledger, ready *parsedFile) (portfolio.Change, importReport, error) {
	if p := ready.shown; p != nil && reflect.DeepEqual(p.ledger, l) {
		return p.change, p.report, nil
	}
	return d.plan(l, ready)
}

// applyImport writes what was shown and is not there yet: another import may have written
// some of it since.
func (d ImportDeps) applyImport(ctx context.Context, ready *parsedFile) (tool.Result, error) {
	var result importReport
	err := d.Update(ctx, func(l portfolio.Ledger) (c portfolio.Change, err error) {
		c, result, err = d.replan(l, ready)
		return c, err
	})
	if err != nil {
		return d.ChangeErrorResult(err, errImport)
	}
	if ready.newMapping != nil {
		result.noteMapping(d.saveMapping(ctx, *ready.newMapping), ready.newMapping.Name)
	}
	return result.result(d)
}

func (d ImportDeps) saveMapping(ctx context.Context, m importer.Mapping) error {
	if d.Mappings == nil {
		return errors.New("mappings are not kept here")
	}
	doc, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encoding the mapping: %w", err)
	}
	// The entries stand already: their mapping is kept also where the call ends now.
	return d.Mappings.SaveMapping(context.WithoutCancel(ctx), m.Name, doc)
}
