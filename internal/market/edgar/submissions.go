package edgar

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// submissions holds EDGAR's data about a filer and its newest thousand filings.
type submissions struct {
	CIK           string       `json:"cik"`
	Name          string       `json:"name"`
	EntityType    string       `json:"entityType"`
	SIC           string       `json:"sic"`
	Industry      string       `json:"sicDescription"`
	Tickers       []string     `json:"tickers"`
	Exchanges     []*string    `json:"exchanges"`
	Website       string       `json:"website"`
	Description   string       `json:"description"`
	FiscalYearEnd string       `json:"fiscalYearEnd"`
	State         string       `json:"stateOfIncorporation"`
	Addresses     addresses    `json:"addresses"`
	Former        []formerName `json:"formerNames"`
	Filings       struct {
		Recent filingColumns `json:"recent"`
		Files  []pageFile    `json:"files"`
	} `json:"filings"`
}

type addresses struct {
	Business address `json:"business"`
	Mailing  address `json:"mailing"`
}

type address struct {
	StateOrCountry string `json:"stateOrCountryDescription"`
	Foreign        *int   `json:"isForeignLocation"`
	Country        string `json:"country"`
}

type formerName struct {
	Name string `json:"name"`
}

// pageFile is an older part of the list in a separate document.
type pageFile struct {
	Name string `json:"name"`
	From string `json:"filingFrom"`
	To   string `json:"filingTo"`
}

// filingColumns is a list of filings in column form: one array per field.
type filingColumns struct {
	Accession []string `json:"accessionNumber"`
	Filed     []string `json:"filingDate"`
	Period    []string `json:"reportDate"`
	Form      []string `json:"form"`
	Items     []string `json:"items"`
	Document  []string `json:"primaryDocument"`
	// Accepted ends in Z although it is often New York time.
	Accepted []string `json:"acceptanceDateTime"`
}

// filingRow is one filing of a filingColumns list.
type filingRow struct {
	accession, form, document string
	date, period              market.Date
	accepted                  time.Time // read as UTC; zero if unknown
	items                     []string
}

// parseSubmissions parses the document of one filer.
func parseSubmissions(document []byte) (*submissions, error) {
	var s submissions
	if err := client.DecodeJSON(document, &s); err != nil {
		return nil, err
	}
	s.sanitize()
	if s.CIK = client.PadCIK(s.CIK); s.CIK == "" || s.Name == "" {
		return nil, errors.New("submissions: filer is missing")
	}
	return &s, nil
}

// Limits on a filer's data.
const (
	maxFilerName   = 200
	maxDescription = 8000
	maxFormLength  = 20
	maxFormerNames = 100
)

// sanitize removes control characters from a filer's texts.
func (s *submissions) sanitize() {
	for _, text := range []*string{
		&s.Name, &s.SIC, &s.Industry, &s.Website, &s.State, &s.FiscalYearEnd,
		&s.Addresses.Business.Country, &s.Addresses.Business.StateOrCountry, &s.Addresses.Mailing.Country, &s.Addresses.Mailing.StateOrCountry,
	} {
		*text = client.SingleLine(*text, maxFilerName)
	}
	s.Description = client.SingleLine(s.Description, maxDescription)
	s.Former = s.Former[:min(len(s.Former), maxFormerNames)]
	for i := range s.Former {
		s.Former[i].Name = client.SingleLine(s.Former[i].Name, maxFilerName)
	}
	for _, exchange := range s.Exchanges {
		if exchange != nil {
			*exchange = client.SingleLine(*exchange, maxFilerName)
		}
	}
}

// parsePage parses an older page, which has only the list of filings.
func parsePage(document []byte) ([]filingRow, error) {
	var c filingColumns
	if err := client.DecodeJSON(document, &c); err != nil {
		return nil, err
	}
	return c.rows()
}

// rows converts the columns, which must have equal lengths. EDGAR lists the newest filing first.
func (c filingColumns) rows() ([]filingRow, error) {
	n := len(c.Accession)
	for _, column := range [...][]string{c.Filed, c.Period, c.Form, c.Items, c.Document} {
		if len(column) != n {
			return nil, errors.New("list of filings: columns of unequal length")
		}
	}
	out := make([]filingRow, 0, n)
	for i := range n {
		accession, err := market.ParseAccession(c.Accession[i])
		if err != nil {
			return nil, fmt.Errorf("list of filings: %w", err)
		}
		date, err := time.Parse(time.DateOnly, c.Filed[i])
		if err != nil {
			return nil, fmt.Errorf("list of filings: %s has invalid filing date %.20q", accession, c.Filed[i])
		}
		row := filingRow{accession: accession, form: client.SingleLine(c.Form[i], maxFormLength), document: c.Document[i], date: date}
		// Correspondence has no period; invalid dates count as missing.
		row.period, _ = time.Parse(time.DateOnly, c.Period[i])
		if i < len(c.Accepted) {
			row.accepted, _ = time.Parse(time.RFC3339, c.Accepted[i])
		}
		if c.Items[i] != "" {
			row.items = strings.Split(client.SingleLine(c.Items[i], maxFilerName), ",")
		}
		out = append(out, row)
	}
	return out, nil
}

// filer holds a company's submissions and the age of the response.
type filer struct {
	company
	*submissions
	recent []filingRow
	answer client.Response
}

// filer requests the submissions of a symbol's company.
func (s *Source) filer(ctx context.Context, sym market.Symbol, doing string) (filer, error) {
	c, err := s.findCompany(ctx, sym, doing)
	if err != nil {
		return filer{}, err
	}
	return s.filerOf(ctx, c, doing)
}

func (s *Source) filerOf(ctx context.Context, c company, doing string) (filer, error) {
	f, answer, err := getDocument(ctx, s, client.Request{
		Op: doing, URL: s.hosts.submissions(c.cik), Kind: client.JSON,
		Fresh: 10 * time.Minute, Stale: 30 * 24 * time.Hour, Check: responseCheck(market.ErrUnknownSymbol),
	}, c.filer)
	f.answer = answer
	return f, err
}

// filer parses the submissions of the company.
func (c company) filer(document []byte) (filer, error) {
	subs, err := parseSubmissions(document)
	if err != nil {
		return filer{}, err
	}
	if subs.CIK != c.cik {
		return filer{}, fmt.Errorf("submissions: response is for CIK %s instead of %s", subs.CIK, c.cik)
	}
	recent, err := subs.Filings.Recent.rows()
	return filer{company: c, submissions: subs, recent: recent}, err
}

// olderPage requests an older page of a filer's list. It changes only when filings move there from
// the newest thousand.
func (s *Source) olderPage(ctx context.Context, page pageFile, doing string) ([]filingRow, client.Response, error) {
	return getDocument(ctx, s, client.Request{
		Op: doing, URL: s.hosts.olderPage(page.Name), Kind: client.JSON, Fresh: 24 * time.Hour, Stale: client.Forever,
	}, parsePage)
}
