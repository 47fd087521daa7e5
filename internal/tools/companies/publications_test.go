package companies_test

import (
	"testing"

	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/tools/companies"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

var publications = toolstest.Group[companies.PublicationDeps](companies.PublicationTools)

// publicationDeps returns the dependencies of most tests: the sample data, on a fixed day.
func publicationDeps(t testing.TB) companies.PublicationDeps {
	t.Helper()
	s := feed.NewSampleSource()
	return companies.PublicationDeps{Directory: s, Filings: s, Now: toolstest.Clock(t, toolstest.Now)}
}
