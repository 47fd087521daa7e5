package companies_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar"
	"github.com/nfa-cli/nfa/internal/recordings"
)

// filedStatements returns Apple's statements from the SEC's figures.
type filedStatements struct{ company *edgar.CompanyFacts }

func (f filedStatements) Statements(_ context.Context, _ market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	all := q.Filter(f.company.Statements(edgar.StatementView{Span: q.Span, KnownOn: q.KnownOn, Template: market.TemplateGeneral}))
	for i := range all {
		all[i].Symbol, all[i].Provenance.Source = "AAPL", "sec-edgar"
	}
	if len(all) == 0 {
		return nil, market.ErrNoData
	}
	return all, nil
}

func recordedApple(t testing.TB) filedStatements {
	t.Helper()
	file, err := os.Open(recordings.Path(t, "market", "sec", "companyfacts-CIK0000320193-AAPL.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	company, err := edgar.ParseFacts(body)
	if err != nil {
		t.Fatal(err)
	}
	return filedStatements{company}
}
