package toolkit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestParseSymbols_AreTakenOnceAndInOrder(t *testing.T) {
	got := toolkit.ParseSymbols([]string{"VTI", " aapl , "}, "AAPL,BND,vti")
	if diff := cmp.Diff([]string{"VTI", "aapl", "BND"}, got); diff != "" {
		t.Errorf("Symbols (-want +got):\n%s", diff)
	}
}
