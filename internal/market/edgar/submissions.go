package edgar

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/fetch"
	"github.com/nfa-cli/nfa/internal/market/wire"
)

// submissions is what EDGAR says of a filer, and its newest thousand filings.
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
		Recent columns    `json:"recent"`
		Files  []pageFile `json:"files"`
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

// pageFile is an older part of the list, in a document of its own.
type pageFile struct {
	Name string `json:"name"`
	From string `json:"filingFrom"`
	To   string `json:"filingTo"`
}

// columns is a list of filings turned on its side.
type columns struct {
	Accession []string `json:"accessionNumber"`
	Filed     []string `json:"filingDate"`
	Period    []string `json:"reportDate"`
	Form      []string `json:"form"`
	Items     []string `json:"items"`
	Document  []string `json:"primaryDocument"`
	// Accepted ends in Z and is New York's time all the same, for many.
	Accepted []string `json:"acceptanceDateTime"`
}

// filed is one filing of such a list.
type filed struct {
	accession, form, document string
	date, period              market.Date
	accepted                  time.Time // as if it were UTC; zero where unknown
	items                     []string
}

// parseSubmissions reads the document of one filer.
func parseSubmissions(document []byte) (*submissions, error) {
	var s submissions
	if err := wire.Decode(document, &s); err != nil {
		return nil, err
	}
	s.tidy()
	if s.CIK = wire.CIK(s.CIK); s.CIK == "" || s.Name == "" {
		return nil, errors.New("submissions: no filer in it")
	}
	return &s, nil
}

// Bounds of what is shown of a filer.
const (
	longestName  = 200
	longestAbout = 8000
	longestForm  = 20
	mostFormer   = 100
)

// tidy makes the words of a filer fit to be shown.
func (s *submissions) tidy() {
	for _, text := range []*string{
		&s.Name, &s.SIC, &s.Industry, &s.Website, &s.State, &s.FiscalYearEnd,
		&s.Addresses.Business.Country, &s.Addresses.Business.StateOrCountry, &s.Addresses.Mailing.Country, &s.Addresses.Mailing.StateOrCountry,
	} {
		*text = wire.Line(*text, longestName)
	}
	s.Description = wire.Line(s.Description, longestAbout)
	s.Former = s.Former[:min(len(s.Former), mostFormer)]
	for i := range s.Former {
		s.Former[i].Name = wire.Line(s.Former[i].Name, longestName)
	}
	for _, exchange := range s.Exchanges {
		if exchange != nil {
			*exchange = wire.Line(*exchange, longestName)
		}
	}
}

// parsePage reads an older page: the columns stand there by themselves.
func parsePage(document []byte) ([]filed, error) {
	var c columns
	if err := wire.Decode(document, &c); err != nil {
		return nil, err
	}
	return c.rows()
}

// rows turns the columns, which must be of one length. The order is that of
// EDGAR: newest first.
func (c columns) rows() ([]filed, error) {
	n := len(c.Accession)
	for _, column := range [...][]string{c.Filed, c.Period, c.Form, c.Items, c.Document} {
		if len(column) != n {
			return nil, errors.New("list of filings: columns of unequal length")
		}
	}
	out := make([]filed, 0, n)
	for i := range n {
		accession, err := market.ParseAccession(c.Accession[i])
		if err != nil {
			return nil, fmt.Errorf("list of filings: %w", err)
		}
		date, err := time.Parse(time.DateOnly, c.Filed[i])
		if err != nil {
			return nil, fmt.Errorf("list of filings: %s filed %.20q", accession, c.Filed[i])
		}
		row := filed{accession: accession, form: wire.Line(c.Form[i], longestForm), document: c.Document[i], date: date}
		// Letters and the like are of no period; odd dates are as good as none.
		row.period, _ = time.Parse(time.DateOnly, c.Period[i])
		if i < len(c.Accepted) {
			row.accepted, _ = time.Parse(time.RFC3339, c.Accepted[i])
		}
		if c.Items[i] != "" {
			row.items = strings.Split(wire.Line(c.Items[i], longestName), ",")
		}
		out = append(out, row)
	}
	return out, nil
}

// filer is a company's submissions with the age of the answer.
type filer struct {
	company
	*submissions
	recent []filed
	answer fetch.Response
}

// filer asks for the submissions of a symbol's company.
func (s *Source) filer(ctx context.Context, sym market.Symbol, doing string) (filer, error) {
	c, err := s.find(ctx, sym, doing)
	if err != nil {
		return filer{}, err
	}
	return s.filerOf(ctx, c, doing)
}

func (s *Source) filerOf(ctx context.Context, c company, doing string) (filer, error) {
	f, answer, err := get(ctx, s, fetch.Request{
		Doing: doing, URL: s.hosts.submissions(c.cik), Kind: fetch.JSON,
		Fresh: 10 * time.Minute, Stale: 30 * 24 * time.Hour, Check: check(market.ErrUnknownSymbol),
	}, c.filer)
	f.answer = answer
	return f, err
}

// filer reads the submissions of the company.
func (c company) filer(document []byte) (filer, error) {
	subs, err := parseSubmissions(document)
	if err != nil {
		return filer{}, err
	}
	if subs.CIK != c.cik {
		return filer{}, fmt.Errorf("submissions: of CIK %s, not %s", subs.CIK, c.cik)
	}
	recent, err := subs.Filings.Recent.rows()
	return filer{company: c, submissions: subs, recent: recent}, err
}

// older asks for an older page of a filer's list. What is listed there does not
// change but for filings that move there from the newest thousand.
func (s *Source) older(ctx context.Context, page pageFile, doing string) ([]filed, fetch.Response, error) {
	return get(ctx, s, fetch.Request{
		Doing: doing, URL: s.hosts.page(page.Name), Kind: fetch.JSON, Fresh: 24 * time.Hour, Stale: fetch.Forever,
	}, parsePage)
}
