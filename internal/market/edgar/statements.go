package edgar

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/client"
)

// Statements returns statements built from a company's tagged figures, newest first. With KnownOn,
// only filings dated on or before that day are used.
func (s *Source) Statements(ctx context.Context, sym market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	doing := "statements of " + string(sym)
	f, err := s.filer(ctx, sym, doing)
	if err != nil {
		return nil, err
	}
	company, answer, err := s.companyFacts(ctx, f, doing)
	if err != nil {
		return nil, err
	}
	all := company.Statements(StatementView{Span: q.Span, KnownOn: q.KnownOn, Template: TemplateOf(f.SIC), Classes: f.classes})
	out := q.Filter(all)
	if len(out) == 0 {
		return nil, s.client.NewError(doing, market.ErrNoData, "the SEC has no tagged figures for such periods")
	}
	note := f.predecessorNote()
	for i := range out {
		p := provenance("companyfacts", answer, out[i].PeriodEnd)
		p.Currency, p.Unit, p.Note = out[i].Provenance.Currency, out[i].Provenance.Unit, note
		out[i].Provenance = p
		out[i].Instrument = f.instrument()
		out[i].Name = f.Name
	}
	return out, nil
}

// factsRefresh is the minimum time between two requests for figures after a new report, because the
// figures are published within minutes of it.
const factsRefresh = time.Hour

// companyFacts requests the figures. They are cached for a day, or until the company files a report that the
// cached figures cannot include.
func (s *Source) companyFacts(ctx context.Context, f filer, doing string) (*CompanyFacts, client.Response, error) {
	ask := client.Request{
		Op: doing, URL: s.hosts.facts(f.cik), Kind: client.JSON, Fresh: 24 * time.Hour, Stale: client.Forever, Check: responseCheck(market.ErrNoData),
	}
	parse := func(document []byte) (*CompanyFacts, error) {
		company, err := ParseFacts(document)
		if err == nil && company.CIK != f.cik {
			err = fmt.Errorf("response is for CIK %s instead of %s", company.CIK, f.cik)
		}
		return company, err
	}
	company, answer, err := getDocument(ctx, s, ask, parse)
	if err != nil || answer.Cache != market.CacheHit {
		return company, answer, err
	}
	age := s.now().Sub(answer.FetchedAt)
	if age < factsRefresh || !f.reportedSince(answer.FetchedAt) {
		return company, answer, nil
	}
	ask.Fresh = factsRefresh
	return getDocument(ctx, s, ask, parse)
}

// reportedSince reports whether a report with figures was filed on the day of t or later. A report
// of the same day counts, because filing times are uncertain.
func (f filer) reportedSince(t time.Time) bool {
	day := t.UTC().Truncate(24 * time.Hour)
	for _, row := range f.recent {
		if row.date.Before(day) {
			return false
		}
		switch strings.TrimSuffix(row.form, "/A") {
		case "10-K", "10-Q", "8-K", "20-F", "40-F", "6-K":
			return true
		}
	}
	return false
}

// predecessorNote warns that figures may start with this CIK rather than with the business, because a
// reorganized company gets a new CIK.
func (f filer) predecessorNote() string {
	for _, row := range f.recent {
		if strings.HasPrefix(row.form, "8-K12") {
			return "only figures under CIK " + f.cik + " are included; it replaced the predecessor's CIK on " + row.date.Format("2006-01-02") + ", which has the older figures"
		}
	}
	return ""
}
