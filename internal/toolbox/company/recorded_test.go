package company_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/edgar/facts"
)

// filed are the statements that the SEC's figures of Apple make.
type filed struct{ company *facts.Company }

func (f filed) Statements(_ context.Context, _ market.Symbol, q market.StatementQuery) ([]market.Statement, error) {
	all := q.Of(f.company.Statements(facts.View{Span: q.Span, KnownOn: q.KnownOn, Template: market.TemplateGeneral}))
	for i := range all {
		all[i].Symbol, all[i].Provenance.Source = "AAPL", "sec-edgar"
	}
	if len(all) == 0 {
		return nil, market.ErrNoData
	}
	return all, nil
}

func recordedApple(t testing.TB) filed {
	t.Helper()
	root := os.Getenv("NFA_FIXTURES")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared")
	}
	file, err := os.Open(filepath.Join(root, "fixtures", "market", "sec", "companyfacts-CIK0000320193-AAPL.json.gz"))
	if err != nil {
		t.Skipf("no recording: %v; NFA_FIXTURES may name the folder that holds fixtures/market", err)
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
	company, err := facts.Parse(body)
	if err != nil {
		t.Fatal(err)
	}
	return filed{company}
}
