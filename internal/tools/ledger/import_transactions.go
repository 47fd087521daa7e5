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
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type importInput struct {
	Path     string `json:"path" jsonschema:"File path, such as schwab.csv."`
	Format   string `json:"format,omitempty" arg:"rare" jsonschema:"Format name. Default: detected from the header."`
	Account  string `json:"account,omitempty" jsonschema:"Account name. Default: the one of the last import, else a new one."`
	Cash     string `json:"cash,omitempty" arg:"rare" jsonschema:"Cash of a new account: tracked, margin or untracked."`
	Zone     string `json:"zone,omitempty" arg:"rare" jsonschema:"Time zone of the account, such as Europe/Berlin. Default UTC."`
	Currency string `json:"currency,omitempty" arg:"rare" jsonschema:"Currency, for files without one."`

	Mapping    string            `json:"mapping,omitempty" arg:"rare" jsonschema:"Name of a saved column mapping."`
	NewMapping *importer.Mapping `json:"new_mapping,omitempty" arg:"rare" jsonschema:"Column mapping, as proposed by the import of an unknown table."`

	Columns      map[string]string `json:"columns,omitempty" arg:"rare" jsonschema:"Corrections of the guessed columns of an unknown table, by field."`
	Symbols      map[string]string `json:"symbols,omitempty" arg:"explain" jsonschema:"The user's symbol for an ISIN or ticker in the file."`
	Meanings     map[string]string `json:"meanings,omitempty" arg:"rare" jsonschema:"Kind of transaction for an unknown word of the file."`
	SkipProblems *bool             `json:"skip_problems,omitempty" arg:"rare" jsonschema:"false to refuse a file with lines that cannot be recorded. Default true."`
	Opening      *bool             `json:"opening,omitempty" arg:"rare" jsonschema:"false to refuse a file that sells shares it never bought. Default true."`
	Again        bool              `json:"again,omitempty" arg:"rare" jsonschema:"true to record duplicates of other files or of manual entries."`
	TakeSettings bool              `json:"take_settings,omitempty" arg:"rare" jsonschema:"true to replace settings that differ from an nfa export."`
}

const importDescription = `Imports a broker file into the portfolio after the user confirms; skips duplicates. Use when the user names a CSV, XML, JSON or OFX export. Afterwards show the lines that were left out and the questions.`

// importDetails lists every format by name.
func importDetails() string {
	var names []string
	for _, f := range Formats() {
		name, _, _ := strings.Cut(f.Title, ",")
		name, _, _ = strings.Cut(name, " (")
		names = append(names, name)
	}
	return fmt.Sprintf(importGuide, strings.Join(names, ", "))
}

const importGuide = `Recognized formats: %s. For any other table, nfa guesses the columns: the confirmation shows the guess with examples, and it is saved for the next file with these columns. Correct it with columns: {"fee": "Courtage", "tax": "A + B", "note": ""}; fields are date, time, kind, symbol, isin, name, quantity, price, rate, amount, paid (payments made, if amount has only those received), currency, fee, fee_currency, tax, note, id, account, status and balance (cash after the line). If a question remains, answer it with columns (also date_format: DD.MM.YYYY, decimal, quantities or amounts: signed or unsigned, costs: positive or negative, totals: gross or net), meanings or currency.
The confirmation shows what will be recorded. Importing the same file again, or a longer one of the same account, adds only new transactions. Lines that cannot be recorded are left out and listed with their reasons. Warnings name lines that are recorded but do not match the file's own balances. An import that would make the ledger invalid is refused; the error names the line and the next step.
Shares that the file sells or transfers out but never buys are recorded as opening positions at unknown cost. Importing the older files replaces them. If the file has a balance after each line, the cash before its first line is recorded as a deposit, in the same way.
The default account is the one used for earlier files of the broker, otherwise a new one with the broker's name. Accounts named in the file stay separate. cash describes a new account: tracked, margin (may be negative) or untracked (the file has only trades). The default depends on the file. zone is for files with times in UTC.
nfa's own JSON also has accounts, aliases, facts about securities and targets. If they differ from the current settings, the current ones are kept and the result asks; take_settings replaces them.
The result counts added, existing and ignored lines, with totals by kind and currency. If it asks for the listing of a security, answer with symbols, or later with portfolio_settings. If a line has an unknown word, answer with meanings: {"Bonus": "dividend"}; a meaning is a transaction kind, or trade, cash, charge or levy (by the sign of the amount), or ignore.`

const importKeywords = "import load read upload broker file csv ofx qfx xml json export statement transactions schwab ibkr degiro revolut coinbase ghostfolio 导入 券商 文件 对账单 导出 上传"

var importPhrasings = []string{
	"import <file>",
	"load my broker export <file> into the portfolio",
	"read the csv from my broker",
	"import transactions from <file> into my account",
	"skip the bad lines and import <file>",
	"导入券商的对账单",
	"把<file>导入我的账户",
}

// errImport marks a file that cannot be imported unchanged.
var errImport = errors.New("cannot import")

const (
	importTimeout = 2 * time.Minute
	// importGrace is the time left to report what was written after the timeout.
	importGrace = 10 * time.Second
)

// newImportTransactions returns the tool that imports broker files.
func newImportTransactions(d Deps) tool.Tool {
	t := newChangeTool("import_transactions", importDescription, tool.Writes, d.prepareImport).Asks("Import these transactions into your portfolio?").WithDetails(importDetails()).Find("ledger", importKeywords, importPhrasings...)
	t.Timeout, t.Grace = importTimeout, importGrace
	return t
}

func (d Deps) prepareImport(ctx context.Context, in importInput) (toolkit.MutationPlan, error) {
	l, err := d.ledgerToChange(ctx)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	ready, err := d.parseFile(ctx, l, in)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	c, report, err := d.plan(l, ready)
	if err != nil {
		return toolkit.MutationPlan{}, err
	}
	if ready.newMapping == nil && changesNothing(l, c) {
		return toolkit.ReadOnlyPlan(func(context.Context) (tool.Result, error) { return toolkit.Render(report), nil }), nil
	}
	ready.shown = &importPlan{l, c, report}
	return toolkit.MutationPlan{Changes: report.lines(), Run: func(ctx context.Context) (tool.Result, error) { return d.applyImport(ctx, ready) }}, nil
}

// changesNothing reports whether the ledger is the same after a change.
func changesNothing(l portfolio.Ledger, c portfolio.Change) bool {
	if len(c.Add)+len(c.Remove) > 0 {
		return false
	}
	after, err := l.Apply(c)
	return err == nil && reflect.DeepEqual(after, l)
}

// importPlan is the plan made for one state of the ledger.
type importPlan struct {
	ledger portfolio.Ledger
	change portfolio.Change
	report importReport
}

// applyImport writes what was previewed and is still missing, because another import may have
// written some of it since.
func (d Deps) applyImport(ctx context.Context, ready *parsedFile) (tool.Result, error) {
	var result importReport
	err := d.update(ctx, func(l portfolio.Ledger) (c portfolio.Change, err error) {
		// Skip the check if the ledger is unchanged, because it takes as long as the rest of the
		// import.
		if p := ready.shown; p != nil && reflect.DeepEqual(p.ledger, l) {
			result = p.report
			return p.change, nil
		}
		c, result, err = d.plan(l, ready)
		return c, err
	})
	if err != nil {
		return changeErrorResult(err)
	}
	if ready.newMapping != nil {
		result.noteMapping(d.saveMapping(ctx, *ready.newMapping), ready.newMapping.Name)
	}
	return toolkit.Render(result), nil
}

func (d Deps) saveMapping(ctx context.Context, m importer.Mapping) error {
	if d.Mappings == nil {
		return errors.New("saved mappings are unavailable")
	}
	doc, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode mapping: %w", err)
	}
	// The transactions are already written, so save the mapping even if the call is canceled now.
	return d.Mappings.SaveMapping(context.WithoutCancel(ctx), m.Name, doc)
}

// Formats lists the file formats that need no mapping.
func Formats() []importer.Format {
	return []importer.Format{
		importer.Native(),
		importer.Coinbase(),
		importer.DEGIRO(),
		importer.Delta(),
		importer.EToro(),
		importer.Fidelity(),
		importer.Freetrade(),
		importer.Ghostfolio(),
		importer.IBKR(),
		importer.OFX(),
		importer.Parqet(),
		importer.PortfolioPerformance(),
		importer.Revolut(),
		importer.Robinhood(),
		importer.Saxo(),
		importer.Schwab(),
		importer.Swissquote(),
		importer.TradeRepublic(),
		importer.Trading212(),
		importer.Vanguard(),
		importer.VanguardUK(),
		importer.XTB(),
	}
}
