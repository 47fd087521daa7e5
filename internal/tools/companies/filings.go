package companies

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

type filingsInput struct {
	Symbol string `json:"symbol" jsonschema:"one ticker symbol such as AAPL, in any case"`
	Form   string `json:"form,omitempty" jsonschema:"10-K, 10-Q, 8-K, 20-F, 40-F, 6-K or DEF 14A, or several separated by commas; all forms when left out"`
	From   string `json:"from,omitempty" jsonschema:"first day of filing, YYYY-MM-DD; a year or a month means its first day"`
	To     string `json:"to,omitempty" jsonschema:"last day of filing, YYYY-MM-DD; a year or a month means its last day"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many, newest first; 10 when left out, at most 50"`
}

const filingsDescription = `Lists what a company filed with its regulator, newest first: form, date filed, period reported on, accession number, the items of an 8-K, and the address of the document.
Use it to find the document that filing_section then reads, to see when a company reported, or what happened by its 8-K items (1.01 agreement, 2.02 results, 4.01 auditor, 4.02 statements no longer to be relied on, 5.02 officers and directors). Annual reports are 10-K (20-F and 40-F of foreign companies), quarterly ones 10-Q, the proxy DEF 14A.
A form ending in /A amends an earlier filing, maybe only in part. contents lists the sections that can be read, where that is known beforehand. period is the last day of what is reported on, for an 8-K the day of the event; filed is when the public could know it.`

const (
	defaultFilings = 10
	maxFilings     = 50
)

type filingLine struct {
	Accession string   `json:"accession"`
	Form      string   `json:"form"`
	Filed     string   `json:"filed"`
	Period    string   `json:"period,omitempty"`
	Items     []string `json:"items,omitempty"`
	Contents  []string `json:"contents,omitempty"`
	URL       string   `json:"url"`
}

func newFilingLine(f market.Filing) filingLine {
	line := filingLine{Accession: f.Accession, Form: f.Form, Filed: toolkit.FormatDate(f.Filed), Period: toolkit.FormatDate(f.Period), Items: f.Items, URL: f.URL}
	for _, c := range f.Contents {
		line.Contents = append(line.Contents, strings.TrimPrefix(c.Part+"-"+c.Item, "-"))
	}
	return line
}

type filingsAnswer struct {
	Symbol  market.Symbol `json:"symbol"`
	Company string        `json:"company"`
	CIK     string        `json:"cik"`
	toolkit.Origin
	Outside string       `json:"outside"` // marks the names and the forms, which others wrote
	Filings []filingLine `json:"filings"`
	More    string       `json:"more,omitempty"`
}

// newFilings is the tool that lists what a company filed.
func newFilings(d PublicationDeps) tool.Tool {
	return tool.New("filings", filingsDescription, tool.Reads, func(ctx context.Context, in filingsInput) (tool.Result, error) {
		sp, err := toolkit.ParsePeriod("", in.From, in.To, "max")
		if err != nil {
			return toolkit.InvalidResult(err)
		}
		if in.Limit < 0 || in.Limit > maxFilings {
			return toolkit.InvalidResult(fmt.Errorf("limit %d; it is from 1 to %d", in.Limit, maxFilings))
		}
		limit := in.Limit
		if limit == 0 {
			limit = defaultFilings
		}
		found, err := d.fetchFilings(ctx, in.Symbol, market.FilingQuery{
			Forms: parseForms(in.Form), Filed: market.Range{From: sp.From, To: sp.To}, Limit: limit + 1,
		})
		if err != nil {
			return toolkit.SourceErrorResult(err)
		}
		return newFilingsAnswer(found, limit).result(), nil
	})
}

// parseForms reads forms as people write them: "10k" is 10-K, "DEF-14A" is DEF 14A.
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

// fetchFilings are those of a company that were filed by d.Now.
func (d PublicationDeps) fetchFilings(ctx context.Context, text string, q market.FilingQuery) ([]market.Filing, error) {
	limit := toolkit.Today(d.Now())
	if q.Filed.To.IsZero() || q.Filed.To.After(limit) {
		q.Filed.To = limit
	}
	found, err := toolkit.LookUp(ctx, d.Directory, text, func(sym market.Symbol) ([]market.Filing, error) {
		all, err := d.Filings.Filings(ctx, sym, q)
		// A source that knows no clock must not show the future either.
		if all = q.Filter(all); err == nil && len(all) == 0 {
			err = fmt.Errorf("%w: no such filing of %s on or before %s", market.ErrNoData, sym, toolkit.FormatDate(q.Filed.To))
		}
		return all, err
	})
	if err != nil {
		return nil, fmt.Errorf("filings of %s: %w", text, err)
	}
	return found, nil
}

func newFilingsAnswer(found []market.Filing, limit int) filingsAnswer {
	newest := found[0]
	a := filingsAnswer{Symbol: newest.Symbol, Company: newest.Company, CIK: newest.CIK, Origin: filingOrigin(newest), Outside: toolkit.OutsideTextNote}
	if len(found) > limit {
		found, a.More = found[:limit], "there are older ones: raise limit or set to before "+toolkit.FormatDate(found[limit-1].Filed)
	}
	for _, f := range found {
		a.Filings = append(a.Filings, newFilingLine(f))
	}
	return a
}

// filingOrigin is the origin of a filing: it is as of the day when the public could
// know it.
func filingOrigin(f market.Filing) toolkit.Origin {
	f.Provenance.AsOf = f.Filed
	return toolkit.OriginOf(f.Provenance).WithoutAdjustment()
}

func (a filingsAnswer) result() tool.Result {
	forms := []string{}
	rows := make([][]string, len(a.Filings))
	for i, f := range a.Filings {
		if !slices.Contains(forms, f.Form) {
			forms = append(forms, f.Form)
		}
		rows[i] = []string{f.Filed, f.Form, f.Period, strings.Join(f.Items, ", "), f.Accession}
	}
	text := fmt.Sprintf("**%s** %s · CIK %s\n\n%s\n", toolkit.TableCell(string(a.Symbol)), toolkit.TableCell(a.Company), a.CIK,
		toolkit.MarkdownTable([]string{"filed", "form", "period", "items", "accession"}, rows))
	if a.More != "" {
		text += "! " + a.More + "\n\n"
	}
	return tool.Result{
		Value: a, ForUser: text + a.Footer() + "\n",
		Title:   fmt.Sprintf("%s · %s", a.Symbol, toolkit.Abbreviate(strings.Join(forms, ", "))),
		Summary: strings.TrimSpace(fmt.Sprintf("%d filings, the newest of %s %s", len(a.Filings), a.AsOf, a.FlagText())),
	}
}

// errFiling marks arguments that name no filing.
var errFiling = errors.New("filing")
