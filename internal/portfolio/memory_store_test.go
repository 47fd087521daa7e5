package portfolio_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/portfoliotest"
)

func TestMemoryStore_HoldsTheContract(t *testing.T) {
	portfoliotest.RunStore(t, func(*testing.T) portfolio.Store { return &portfoliotest.Store{} })
}

// A field that no transaction sets is one that a store could lose unnoticed.
func TestOfEveryKind_FillsEveryFieldAndIsValid(t *testing.T) {
	filled := map[string]bool{}
	var kinds []portfolio.Kind
	for _, tr := range portfoliotest.EveryKind("a", "b") {
		if err := tr.Validate(); err != nil {
			t.Errorf("%s: Validate = %v", tr.ID, err)
		}
		kinds = append(kinds, tr.Kind)
		v := reflect.ValueOf(tr)
		for i := range v.NumField() {
			filled[v.Type().Field(i).Name] = filled[v.Type().Field(i).Name] || !v.Field(i).IsZero()
		}
	}
	for name, value := range filled {
		if !value {
			t.Errorf("no transaction fills %s", name)
		}
	}
	for _, kind := range portfolio.Kinds() {
		if !slices.Contains(kinds, kind) {
			t.Errorf("no transaction is a %s", kind)
		}
	}
}
