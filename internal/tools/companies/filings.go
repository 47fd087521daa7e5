package companies

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/humanize"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type filingsInput struct {
	Symbol string `json:"symbol" jsonschema:"One symbol such as AAPL."`
	Form   string `json:"form,omitempty" jsonschema:"Comma-separated: 10-K, 10-Q, 8-K, 20-F, 6-K or DEF 14A. Default all."`
	From   string `json:"from,omitempty" jsonschema:"First filing date: YYYY, YYYY-MM or YYYY-MM-DD."`
	To     string `json:"to,omitempty" jsonschema:"Last filing date: YYYY, YYYY-MM or YYYY-MM-DD."`
	Limit  int    `json:"limit,omitempty" jsonschema:"Maximum number: 1 to 50. Default 10." arg:"rare"`
}

const filingsDescription = `SEC filings of one company, newest first: form, filing date, period, accession number, 8-K items and URL. Use for "latest 10-K of X" or "when did X report"; to read one use filing_section. A form that ends in /A amends an earlier filing, possibly only in part.`

const filingsDetails = `Annual reports are 10-K (20-F and 40-F for foreign companies), quarterly reports 10-Q, current reports 8-K (6-K for foreign companies), the proxy statement DEF 14A. Items of an 8-K say what happened: 1.01 agreement, 2.02 results, 4.01 auditor, 4.02 statements no longer to be relied on, 5.02 officers and directors.
contents lists the readable sections, if known in advance. period is the last day of the reported period; for an 8-K, the day of the event. filed is the day of publication. from and to are filing dates.`

const filingsKeywords = `filing filings filed sec edgar 10-k 10-q 8-k 20-f 6-k proxy annual quarterly report reports form regulator accession documents submitted reported 公告 年报 季报 申报 备案 报告 文件 披露 提交`

var filingsPhrasings = []string{
	"latest annual report of <sym>",
	"when did <sym> file its last quarterly report",
	"list the filings of <sym> since <num>",
	"recent regulatory filings by <sym>",
	"proxy statement of <sym>",
	"<sym>最近提交了哪些文件",
	"<sym>的年报什么时候公布",
}

const (
	defaultFilings = 10
	maxFilings     = 50
)

type filingLine struct {
	Filed     string   `json:"filed" label:"filed"`
	Form      string   `json:"form" label:"form"`
	Period    string   `json:"period,omitempty" label:"period" sparse:"true"`
	Items     []string `json:"items,omitempty" label:"items" sparse:"true"`
	Accession string   `json:"accession" label:"accession"`
	Contents  []string `json:"contents,omitempty"`
	URL       string   `json:"url"`
}

type filingsAnswer struct {
	Symbol  market.Symbol `json:"symbol"`
	Company string        `json:"company"`
	CIK     string        `json:"cik"`
	toolkit.Origin
	Outside string       `json:"outside"` // marks names and forms as untrusted text
	Filings []filingLine `json:"filings" table:"Filings" max:"fit"`
	More    string       `json:"more,omitempty"`
}

// newFilings returns the tool that lists filings.
func newFilings(d PublicationDeps) tool.Tool {
	return toolkit.New("filings", filingsDescription, tool.Reads, func(ctx context.Context, in filingsInput) (filingsAnswer, error) {
		sp, err := toolkit.ParsePeriod("", in.From, in.To, "max")
		if err != nil {
			return filingsAnswer{}, err
		}
		limit, err := toolkit.ParseLimit(in.Limit, defaultFilings, maxFilings)
		if err != nil {
			return filingsAnswer{}, err
		}
		found, err := d.fetchFilings(ctx, in.Symbol, market.FilingQuery{
			Forms: parseForms(in.Form), Filed: market.Range{From: sp.From, To: sp.To}, Limit: limit + 1,
		})
		if err != nil {
			return filingsAnswer{}, err
		}
		return newFilingsAnswer(found, limit), nil
	}).
		WithDetails(filingsDetails).Find("company", filingsKeywords, filingsPhrasings...)
}

// parseForms parses forms as people write them: "10k" is 10-K, "DEF-14A" is DEF 14A.
func parseForms(text string) []string {
	var out []string
	for form := range strings.SplitSeq(text, ",") {
		form = strings.ToUpper(strings.Join(strings.Fields(form), " "))
		switch bare := strings.NewReplacer("-", "", " ", "").Replace(form); bare {
		case "":
			continue
		case "10K", "10Q", "8K", "6K", "20F", "40F":
			form = bare[:len(bare)-1] + "-" + bare[len(bare)-1:]
		case "DEF14A", "PROXY":
			form = "DEF 14A"
		}
		out = append(out, form)
	}
	return out
}

// fetchFilings returns the filings of a company up to d.Now.
func (d PublicationDeps) fetchFilings(ctx context.Context, text string, q market.FilingQuery) ([]market.Filing, error) {
	limit := toolkit.Today(d.Now())
	if q.Filed.To.IsZero() || q.Filed.To.After(limit) {
		q.Filed.To = limit
	}
	found, err := toolkit.LookUp(ctx, d.Directory, text, func(sym market.Symbol) ([]market.Filing, error) {
		all, err := d.Filings.Filings(ctx, sym, q)
		// Filter again, because a source may return later filings.
		if all = q.Filter(all); err == nil && len(all) == 0 {
			err = fmt.Errorf("%w: no matching filing by %s on or before %s", market.ErrNoData, sym, toolkit.FormatDate(q.Filed.To))
		}
		return all, err
	})
	if err != nil {
		return nil, toolkit.WithContext(err, "filings of %s", text)
	}
	return found, nil
}

func newFilingsAnswer(found []market.Filing, limit int) filingsAnswer {
	newest := found[0]
	a := filingsAnswer{Symbol: newest.Symbol, Company: newest.Company, CIK: newest.CIK, Origin: filingOrigin(newest), Outside: toolkit.OutsideTextNote}
	if len(found) > limit {
		found, a.More = found[:limit], "for older filings raise limit or set to before "+toolkit.FormatDate(found[limit-1].Filed)
	}
	for _, f := range found {
		line := filingLine{Accession: f.Accession, Form: f.Form, Filed: toolkit.FormatDate(f.Filed), Period: toolkit.FormatDate(f.Period), Items: f.Items, URL: f.URL}
		for _, c := range f.Contents {
			line.Contents = append(line.Contents, strings.TrimPrefix(c.Part+"-"+c.Item, "-"))
		}
		a.Filings = append(a.Filings, line)
	}
	return a
}

// filingOrigin returns the origin of a filing, as of the day it became public.
func filingOrigin(f market.Filing) toolkit.Origin {
	f.Provenance.AsOf = f.Filed
	return toolkit.OriginOf(f.Provenance).WithoutAdjustment()
}

func (a filingsAnswer) Headline(lang string) string {
	newest := a.Filings[0]
	if lang == "zh" {
		return fmt.Sprintf("%s：%d 份文件，最新的是 %s，提交于 %s。", companyTitle(a.Company, a.Symbol), len(a.Filings), newest.Form, newest.Filed)
	}
	return fmt.Sprintf("%s: %s; the newest is form %s, filed %s.", companyTitle(a.Company, a.Symbol), humanize.Count(len(a.Filings), "filing", "filings"), newest.Form, newest.Filed)
}

func (a filingsAnswer) Title() string {
	return companyTitle(a.Company, a.Symbol) + " · CIK " + a.CIK
}

func (a filingsAnswer) Summary() string {
	return fmt.Sprintf("%s, newest %s", humanize.Count(len(a.Filings), "filing", "filings"), a.AsOf)
}

func (a filingsAnswer) Text() string { return a.More }

// errFiling marks arguments that do not identify a filing.
var errFiling = toolkit.InvalidArgs(errors.New("filing"))
