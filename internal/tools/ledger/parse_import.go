package ledger

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools/positions"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// parsedFile is a parsed file, ready to be compared with a ledger.
type parsedFile struct {
	file            importer.File
	format          importer.Format
	statement       importer.Statement
	ids             []string // one for each entry
	cash            portfolio.CashPolicy
	names           symbolNames
	refuseProblems  bool // refuse a file with lines that cannot be recorded
	allowDuplicates bool
	refuseOpenings  bool // refuse a file that needs positions from before it
	takeSettings    bool // replace the ledger's settings with those of the file
	newMapping      *importer.Mapping
	columns         ownLines // how a table is read
	examples        ownLines // of its lines
	shown           *importPlan
}

// parseFile parses the file. It writes nothing.
func (d Deps) parseFile(ctx context.Context, l portfolio.Ledger, in importInput) (*parsedFile, error) {
	refused := func(choice *bool) bool { return choice != nil && !*choice }
	ready := &parsedFile{refuseProblems: refused(in.SkipProblems), allowDuplicates: in.Again, refuseOpenings: refused(in.Opening), takeSettings: in.TakeSettings}
	options, err := ready.options(in)
	if err != nil {
		return nil, err
	}
	if ready.file, err = d.read(in.Path); err != nil {
		return nil, err
	}
	choice, err := d.choose(ctx, in, ready.file, options)
	if err != nil {
		return nil, err
	}
	ready.format, ready.newMapping, ready.columns, ready.examples = choice.format, choice.save, choice.columns, choice.examples
	if ready.statement, err = readStatement(l, ready, options, choice.ownAccounts); err != nil {
		return nil, err
	}
	ready.refuseFuture(d.Today())
	if ready.names, err = d.nameSymbols(ctx, l, in.Symbols, ready.statement); err != nil {
		return nil, err
	}
	ready.ids, err = d.NewIDs(len(ready.statement.Entries))
	return ready, err
}

func (in *parsedFile) options(request importInput) (importer.Options, error) {
	o := importer.Options{Account: strings.TrimSpace(request.Account)}
	var err error
	if o.Currency, err = toolkit.ParseCurrency(request.Currency); err != nil {
		return o, err
	}
	if request.Zone != "" {
		if o.Zone, err = time.LoadLocation(request.Zone); err != nil {
			return o, fmt.Errorf("%w: unknown zone %.40q; use a name such as Europe/Berlin", errImport, request.Zone)
		}
	}
	o.Meanings = request.Meanings
	if err := importer.CheckMeanings(o.Meanings); err != nil {
		return o, fmt.Errorf("%w: %w", errImport, err)
	}
	in.cash = portfolio.CashPolicy(strings.ToLower(strings.TrimSpace(request.Cash)))
	if in.cash != "" && !slices.Contains(portfolio.CashPolicies(), in.cash) {
		return o, fmt.Errorf("%w: cash %.40q is not one of %v", errImport, request.Cash, portfolio.CashPolicies())
	}
	return o, nil
}

func (d Deps) read(path string) (importer.File, error) {
	if strings.TrimSpace(path) == "" {
		return importer.File{}, fmt.Errorf("%w: path is required", errImport)
	}
	name, raw, err := d.Read(path)
	if err != nil {
		return importer.File{}, fmt.Errorf("%w: %w", errImport, err)
	}
	if len(raw) > importer.MaxFileSize {
		return importer.File{}, fmt.Errorf("%w: %s: %w: the limit is %d MiB; export smaller periods (they may overlap)", errImport, name, importer.ErrTooLarge, importer.MaxFileSize>>20)
	}
	f, err := importer.Decode(name, raw)
	if err != nil {
		return f, fmt.Errorf("%w: %w", errImport, err)
	}
	return f, nil
}

// readStatement reads the file for the account that the user names, else for the account or
// accounts named in the file.
func readStatement(l portfolio.Ledger, in *parsedFile, o importer.Options, ownAccounts bool) (importer.Statement, error) {
	read := func(o importer.Options) (importer.Statement, error) {
		s, err := in.format.Read(in.file, o)
		if err != nil {
			err = fmt.Errorf("%w: read as %s: %w", errImport, in.format.Name, positions.Redact(err))
		}
		return s, err
	}
	if o.Account != "" || ownAccounts {
		return read(o)
	}
	o.Account = in.format.Name
	s, err := read(o)
	if err != nil {
		return s, err
	}
	account, separate, err := accountOf(l, in.format.Name, s.Accounts)
	if err != nil || account == o.Account && !separate {
		return s, err
	}
	o.Account, o.SeparateAccounts = account, separate
	return read(o)
}

// refuseFuture turns entries dated after today into problems.
func (in *parsedFile) refuseFuture(today market.Date) {
	valid := in.statement.Entries[:0]
	for _, e := range in.statement.Entries {
		if err := e.Transaction.CheckDate(today); err != nil {
			in.statement.Problems = append(in.statement.Problems, newProblem(e, err.Error()))
			continue
		}
		valid = append(valid, e)
	}
	in.statement.Entries = valid
}

func newProblem(e importer.Entry, reason string) importer.SkippedLine {
	return importer.SkippedLine{Line: e.Lines[0], Text: positions.DescribeTransaction(e.Transaction), Reason: reason}
}

// accountOf returns the account of a file if the user names none: the one used for earlier files of the
// broker, or one with the broker's name. Several accounts named in the file are kept separate, because
// taxes and lots are per account; account is then used for lines that name none. If earlier files used an
// account with a different name, the user must choose, because duplicates would not be found.
func accountOf(l portfolio.Ledger, format string, named []string) (account string, apart bool, err error) {
	used := accountsUsed(l, format)
	known := func(name string) bool { return slices.Contains(used, name) }
	switch {
	case len(named) > 1 && (allNames(named, known) || allNames(used, func(name string) bool { return slices.Contains(named, name) })):
		return format, true, nil
	case len(named) > 1:
		return "", false, fmt.Errorf("%w: the file has the accounts %q, but earlier %s files were imported into %q: set account to import the whole file into one account, or import one file per account", errImport, capList(named), format, capList(used))
	case len(named) == 1 && known(named[0]):
		return named[0], false, nil
	case len(used) > 1:
		return "", false, fmt.Errorf("%w: earlier %s files were imported into the accounts %q; name the account", errImport, format, capList(used))
	case len(used) == 1:
		return used[0], false, nil
	}
	return format, false, nil
}

// accountsUsed returns the accounts used by a format, sorted.
func accountsUsed(l portfolio.Ledger, format string) []string {
	used := map[string]bool{}
	for i := range l.Transactions {
		if t := &l.Transactions[i]; t.Source == format {
			used[t.Account] = true
		}
	}
	return slices.Sorted(maps.Keys(used))
}

func allNames(names []string, holds func(string) bool) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !holds(name) })
}
