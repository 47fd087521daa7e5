package intake

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/broker"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/mapped"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
	"github.com/nfa-cli/nfa/internal/toolbox/book"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
)

// reading is a file as it was read, ready to be set against a book.
type reading struct {
	file      sheet.File
	format    broker.Format
	statement broker.Statement
	ids       []string // one for each entry
	cash      portfolio.CashPolicy
	names     naming
	skip      bool
	again     bool
	opening   bool // what was held before the file is recorded, too
	settings  bool // those of the file hold where the book has others
	save      *mapped.Mapping
	shown     *planned
}

// reading reads the file. It writes nothing.
func (d Deps) reading(ctx context.Context, l portfolio.Ledger, in importInput) (*reading, error) {
	ready := &reading{skip: in.SkipProblems, again: in.Again, opening: in.Opening, settings: in.TakeSettings}
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
	ready.format, ready.save = choice.format, choice.save
	if ready.statement, err = d.statement(l, ready, options, choice.ownAccounts); err != nil {
		return nil, err
	}
	ready.refuseFuture(d.Today())
	if ready.names, err = d.naming(ctx, l, in.Symbols, ready.statement); err != nil {
		return nil, err
	}
	ready.ids, err = d.NewIDs(len(ready.statement.Entries))
	return ready, err
}

func (in *reading) options(asked importInput) (broker.Options, error) {
	o := broker.Options{Account: strings.TrimSpace(asked.Account)}
	var err error
	if o.Currency, err = question.Currency(asked.Currency); err != nil {
		return o, err
	}
	if asked.Zone != "" {
		if o.Zone, err = time.LoadLocation(asked.Zone); err != nil {
			return o, fmt.Errorf("%w: zone %.40q is not known; write it as Europe/Berlin", errImport, asked.Zone)
		}
	}
	in.cash = portfolio.CashPolicy(strings.ToLower(strings.TrimSpace(asked.Cash)))
	if in.cash != "" && !slices.Contains(portfolio.CashPolicies(), in.cash) {
		return o, fmt.Errorf("%w: cash %.40q is not one of %v", errImport, asked.Cash, portfolio.CashPolicies())
	}
	return o, nil
}

func (d Deps) read(path string) (sheet.File, error) {
	if strings.TrimSpace(path) == "" {
		return sheet.File{}, fmt.Errorf("%w: which file: name it with path", errImport)
	}
	name, raw, err := d.Read(path)
	if err != nil {
		return sheet.File{}, fmt.Errorf("%w: %w", errImport, err)
	}
	if len(raw) > sheet.Most {
		return sheet.File{}, fmt.Errorf("%w: %s: %w: at most %d MiB; export it in parts, which may overlap", errImport, name, sheet.ErrTooLarge, sheet.Most>>20)
	}
	f, err := sheet.Decode(name, raw)
	if err != nil {
		return f, fmt.Errorf("%w: %w", errImport, err)
	}
	return f, nil
}

// statement reads the file for the account that the user says, and else for the one or
// the several that it is of.
func (d Deps) statement(l portfolio.Ledger, in *reading, o broker.Options, own bool) (broker.Statement, error) {
	read := func(o broker.Options) (broker.Statement, error) {
		s, err := in.format.Read(in.file, o)
		if err != nil {
			err = d.Veil(fmt.Errorf("%w: reading it as %s: %w", errImport, in.format.Name, err))
		}
		return s, err
	}
	if o.Account != "" || own {
		return read(o)
	}
	o.Account = in.format.Name
	s, err := read(o)
	if err != nil {
		return s, err
	}
	account, apart, err := accountOf(l, in.format.Name, s.Accounts)
	if err != nil || account == o.Account && !apart {
		return s, err
	}
	o.Account, o.Apart = account, apart
	return read(o)
}

// refuseFuture makes problems of what is dated after today.
func (in *reading) refuseFuture(today market.Date) {
	kept := in.statement.Entries[:0]
	for _, e := range in.statement.Entries {
		if err := e.Transaction.CheckDate(today); err != nil {
			in.statement.Problems = append(in.statement.Problems, problem(e, err.Error()))
			continue
		}
		kept = append(kept, e)
	}
	in.statement.Entries = kept
}

func problem(e broker.Entry, reason string) broker.Remark {
	return broker.Remark{Line: e.Lines[0], Text: book.Booking(e.Transaction), Reason: reason}
}
