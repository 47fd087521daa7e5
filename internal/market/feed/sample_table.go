package feed

import (
	"bytes"
	"embed"
	"encoding/csv"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/market"
)

//go:embed data/bars/*.csv data/statements/*.csv data/series/*.csv data/filings/*.csv data/filings/*.txt
var sampleFiles embed.FS

const sampleDateLayout = "2006-01-02"

// sampleTable is an embedded file: lines of "# key: value", then comma-separated values below a row of column
// names. A malformed file causes a panic; tests read each file.
type sampleTable struct {
	head    map[string]string
	columns []string
	rows    [][]string
}

func openSampleTable(path string) sampleTable {
	text := readSampleFile(path)
	r := csv.NewReader(bytes.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic("sample data: " + path + ": " + err.Error())
	}
	t := sampleTable{head: map[string]string{}, columns: rows[0], rows: rows[1:]}
	for line := range strings.Lines(string(text)) {
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "# "), ":")
		if !strings.HasPrefix(line, "#") || !ok {
			break
		}
		t.head[key] = strings.TrimSpace(value)
	}
	return t
}

func readSampleFile(path string) []byte {
	text, err := sampleFiles.ReadFile("data/" + path)
	if err != nil {
		panic("sample data: " + err.Error())
	}
	return text
}

// cell returns the value of a row in a column, or "" if the file has no such column.
func (t sampleTable) cell(row []string, column string) string {
	if i := slices.Index(t.columns, column); i >= 0 {
		return row[i]
	}
	return ""
}

// provenance returns the provenance in the file header.
func (t sampleTable) provenance() market.Provenance {
	return market.Provenance{
		Source: t.head["source"], License: t.head["licence"], FetchedAt: sampleDate(t.head["fetched"]),
		Currency: t.head["currency"], Unit: t.head["unit"], Note: t.head["note"],
		Adjustment: market.AdjustmentUnknown, Flags: []market.Flag{market.FlagSample},
	}
}

// sampleDate parses a date; an empty text is the zero date.
func sampleDate(text string) market.Date {
	if text == "" {
		return market.Date{}
	}
	date, err := time.Parse(sampleDateLayout, text)
	if err != nil {
		panic("sample data: " + err.Error())
	}
	return date
}

// sampleDecimal parses a figure; an empty text is absent.
func sampleDecimal(text string) decimal.NullDecimal {
	if text == "" {
		return decimal.NullDecimal{}
	}
	return decimal.NewNullDecimal(decimal.RequireFromString(text))
}

// loadSampleBars reads a file of bars, oldest first.
func loadSampleBars(l catalogEntry) market.Series {
	t := openSampleTable("bars/" + l.fileName())
	s := market.Series{Instrument: l.withoutAliases(), Interval: market.Interval(t.head["interval"]), Bars: make([]market.Bar, 0, len(t.rows)), Provenance: t.provenance()}
	for _, row := range t.rows {
		s.Bars = append(s.Bars, market.Bar{
			Date: sampleDate(t.cell(row, "date")), Close: sampleDecimal(t.cell(row, "close")).Decimal,
			Open: sampleDecimal(t.cell(row, "open")), High: sampleDecimal(t.cell(row, "high")), Low: sampleDecimal(t.cell(row, "low")),
			Volume: sampleDecimal(t.cell(row, "volume")),
		})
	}
	s.Provenance.Adjustment = market.Adjustment(t.head["adjustment"])
	s.Provenance.AsOf = s.Bars[len(s.Bars)-1].Date
	return s
}

// loadSampleStatements reads a file of annual statements, newest first. Each column after the
// accession is an item.
func loadSampleStatements(l catalogEntry) []market.Statement {
	t := openSampleTable("statements/" + l.fileName())
	firstItem := slices.Index(t.columns, "accession") + 1
	var all []market.Statement
	for _, row := range t.rows {
		form, accession, filed := t.cell(row, "form"), t.cell(row, "accession"), sampleDate(t.cell(row, "filed"))
		end := sampleDate(t.cell(row, "period_end"))
		p := t.provenance()
		p.AsOf = end
		// The filing is known only if the figures were read from it.
		if accession != "" {
			p.Source += ", " + form + " filed " + t.cell(row, "filed") + " (" + accession + ")"
		}
		items := make(map[string]market.Item)
		for i, name := range t.columns[firstItem:] {
			value := sampleDecimal(row[firstItem+i])
			if !value.Valid {
				continue
			}
			unit := p.Currency
			if name == market.ItemDilutedEPS {
				unit += "/share"
			}
			items[name] = market.Item{Value: value.Decimal, Unit: unit, Form: form, Accession: accession, Filed: filed}
		}
		all = append(all, market.Statement{
			Instrument: l.withoutAliases(), Span: market.SpanAnnual, FiscalYear: int(sampleDecimal(t.cell(row, "fiscal_year")).Decimal.IntPart()),
			FiscalPeriod: "FY", PeriodEnd: end, Form: form, Filed: filed, Template: market.TemplateGeneral, Items: items, Provenance: p,
		})
	}
	return all
}

// loadSampleEconomic reads a file of observations, oldest first. An empty value means that none was
// published.
func loadSampleEconomic(id market.SeriesID) market.EconomicSeries {
	t := openSampleTable("series/" + strings.ToLower(string(id)) + ".csv")
	s := market.EconomicSeries{SeriesInfo: market.SeriesInfo{
		ID: market.SeriesID(t.head["series"]), Title: t.head["title"], Unit: t.head["unit"], Publisher: t.head["publisher"],
		Frequency: market.Frequency(t.head["frequency"]), Seasonal: market.Seasonal(t.head["seasonal"]),
		ReleaseLag: int(sampleDecimal(t.head["lag"]).Decimal.IntPart()),
	}, Vintage: sampleDate(t.head["vintage"]), Provenance: t.provenance()}
	for _, row := range t.rows {
		s.Observations = append(s.Observations, market.Observation{Date: sampleDate(t.cell(row, "date")), Value: sampleDecimal(t.cell(row, "value"))})
	}
	last, _ := s.Latest()
	s.Provenance.AsOf = last.Date
	return s
}
