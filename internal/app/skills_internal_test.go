package app

import (
	"slices"
	"testing"

	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/tool/search"
)

// Every excluded name must be in the table; otherwise the list is outdated.
func TestSearchOptions_LeaveOutNamesInOrdinaryWords(t *testing.T) {
	table, names := reference.NewSymbolTable(), searchOptions().Names
	for name := range inOrdinaryWords {
		if _, err := table.Resolve(name); err != nil {
			t.Errorf("Resolve(%s) = %v", name, err)
		}
		if slices.Contains(names, name) {
			t.Errorf("searchOptions() has %s", name)
		}
	}
	for _, name := range []string{"苹果", "茅台", "标普500", "Costco"} {
		if !slices.Contains(names, name) {
			t.Errorf("searchOptions() has no %s", name)
		}
	}
}

func TestSearchOptions_ChineseNamesAreSymbols(t *testing.T) {
	ix := search.New([]search.Document{
		{Name: "quote", Kind: "tool", Phrasings: []string{"<sym>股价是多少"}},
		{Name: "inflation", Kind: "tool", Phrasings: []string{"高通胀的影响"}},
	}, searchOptions())
	for text, want := range map[string]string{"宁德时代股价": "quote", "高通胀": "inflation"} {
		if got := ix.SearchKind(text, "tool", 1); len(got) == 0 || got[0].Name != want {
			t.Errorf("SearchKind(%s) = %v, want %s", text, got, want)
		}
	}
}
