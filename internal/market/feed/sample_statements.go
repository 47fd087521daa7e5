package feed

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
)

// sampleStatementColumns come before the figures, which name themselves.
var sampleStatementColumns = [...]string{"fiscal_year", "period_end", "form", "filed", "accession"}

// parseSampleStatements reads a file of annual statements, newest first.
func parseSampleStatements(text []byte) ([]market.Statement, error) {
	t, err := openSampleTable(text)
	if err != nil {
		return nil, err
	}
	provenance, err := t.provenance()
	if err != nil {
		return nil, err
	}
	if err := t.require("symbol", "unit"); err != nil {
		return nil, err
	}
	lead := len(sampleStatementColumns)
	if len(t.columns) <= lead || strings.Join(t.columns[:lead], ",") != strings.Join(sampleStatementColumns[:], ",") {
		return nil, fmt.Errorf("columns %q are not those of statements", strings.Join(t.columns, ","))
	}
	var all []market.Statement
	cells := make([][]byte, len(t.columns))
	for {
		more, err := t.next(cells)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		one, err := parseStatementRow(t.columns, cells, provenance)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", t.line-1, err)
		}
		if n := len(all); n > 0 && !one.PeriodEnd.Before(all[n-1].PeriodEnd) {
			return nil, fmt.Errorf("line %d: %s is not older than the year before it", t.line-1, cells[1])
		}
		one.Symbol = market.Symbol(t.head["symbol"])
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, errors.New("no statements")
	}
	return all, nil
}

func parseStatementRow(columns []string, cells [][]byte, p market.Provenance) (market.Statement, error) {
	year, ok := parseDigits(cells[0])
	if !ok || len(cells[0]) != 4 {
		return market.Statement{}, fmt.Errorf("fiscal year %q is no year", cells[0])
	}
	end, err := parseSampleDate(cells[1])
	if err != nil {
		return market.Statement{}, fmt.Errorf("period end: %w", err)
	}
	if len(cells[2]) == 0 {
		return market.Statement{}, errors.New("no form")
	}
	var filed market.Date
	if len(cells[3]) > 0 {
		if filed, err = parseSampleDate(cells[3]); err != nil {
			return market.Statement{}, fmt.Errorf("filed: %w", err)
		}
	}
	items := make(map[string]market.Item)
	for i := len(sampleStatementColumns); i < len(cells); i++ {
		if len(cells[i]) == 0 {
			continue
		}
		value, err := parseSampleDecimal(cells[i])
		if err != nil {
			return market.Statement{}, fmt.Errorf("%s: %w", columns[i], err)
		}
		items[columns[i]] = market.Item{Value: value, Unit: statementUnit(columns[i], p.Currency), Form: string(cells[2]), Accession: string(cells[4]), Filed: filed}
	}
	p.AsOf = end
	p.Flags = []market.Flag{market.FlagSample}
	// The filing is known only where the figures were read from it.
	if len(cells[4]) > 0 {
		p.Source = fmt.Sprintf("%s, %s filed %s (%s)", p.Source, cells[2], cells[3], cells[4])
	}
	return market.Statement{
		Span: market.SpanAnnual, FiscalYear: int(year), FiscalPeriod: "FY", PeriodEnd: end,
		Form: string(cells[2]), Filed: filed, Template: market.TemplateGeneral, Items: items, Provenance: p,
	}, nil
}

func statementUnit(item, currency string) string {
	if item == market.ItemDilutedEPS {
		return currency + "/share"
	}
	return currency
}
