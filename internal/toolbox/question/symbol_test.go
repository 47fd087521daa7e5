package question_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/markettest"
	"github.com/nfa-cli/nfa/internal/toolbox/question"
	"github.com/nfa-cli/nfa/internal/toolbox/toolboxtest"
)

func TestSymbols_AreTakenOnceAndInOrder(t *testing.T) {
	got := question.Symbols([]string{"VTI", " aapl , "}, "AAPL,BND,vti")
	if diff := cmp.Diff([]string{"VTI", "aapl", "BND"}, got); diff != "" {
		t.Errorf("Symbols (-want +got):\n%s", diff)
	}
}

func TestLookUp_FindsByNameAndOffersNearMisses(t *testing.T) {
	source := markettest.NewSource(
		markettest.Daily("GOOG", toolboxtest.Day(t, "2020-01-02"), "100"),
		markettest.Daily("VTI", toolboxtest.Day(t, "2020-01-02"), "100"),
	)
	fetch := func(sym market.Symbol) (market.Series, error) {
		return source.Bars(t.Context(), sym, market.Range{})
	}
	found, err := question.LookUp(t.Context(), source, "vti of the test", fetch)
	if err != nil || found.Symbol != "VTI" {
		t.Errorf("LookUp by name = %s, %v; want VTI", found.Symbol, err)
	}
	_, err = question.LookUp(t.Context(), source, "GOGO", fetch)
	if !errors.Is(err, market.ErrUnknownSymbol) || !strings.Contains(err.Error(), "did you mean GOOG") {
		t.Errorf("LookUp(GOGO) = %v, want ErrUnknownSymbol that offers GOOG", err)
	}
}
