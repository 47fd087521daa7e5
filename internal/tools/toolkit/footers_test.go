package toolkit_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

func TestOriginFooters_OneLineForASource(t *testing.T) {
	of := func(name, source, asOf, note string, flags ...market.Flag) toolkit.NamedOrigin {
		return toolkit.NamedOrigin{Name: name, Origin: toolkit.Origin{Source: source, AsOf: asOf, Note: note, Flags: flags}}
	}
	for _, tc := range []struct {
		name string
		all  []toolkit.NamedOrigin
		want []string
	}{
		{"none", nil, []string{}},
		{"one", []toolkit.NamedOrigin{of("A", "s", "2020-01-02", "One. Two")}, []string{"s · as of 2020-01-02 · One. Two"}},
		{"the same of all", []toolkit.NamedOrigin{of("A", "s", "2020-01-02", "One"), of("B", "s", "2020-01-02", "One")}, []string{"s · as of 2020-01-02 · One"}},
		{
			"the last sentence of some", []toolkit.NamedOrigin{of("A", "s", "2020-01-02", "One. Two"), of("B", "s", "2020-01-02", "One. Two. Three"), of("C", "s", "2020-01-02", "One. Two. Four"), of("D", "s", "2020-01-02", "One. Two. Three")},
			[]string{"s · as of 2020-01-02 · One. Two. B, D: Three. C: Four"},
		},
		{"nothing in common", []toolkit.NamedOrigin{of("A", "s", "", "One"), of("B", "s", "", "")}, []string{"s · A: One"}},
		{"no names", []toolkit.NamedOrigin{of("", "s", "", "One"), of("", "s", "", "Two")}, []string{"s · One. Two"}},
		{
			"several moments", []toolkit.NamedOrigin{of("A", "s", "2020-01-03", ""), of("B", "s", "2020-01-02", ""), of("C", "s", "", "")},
			[]string{"s · as of 2020-01-02 to 2020-01-03", "s"},
		},
		{
			"other flags and sources", []toolkit.NamedOrigin{of("A", "s", "", "", market.FlagSample), of("B", "s", "", ""), of("C", "z", "", "")},
			[]string{"**SAMPLE** s", "s", "z"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, toolkit.OriginFooters(tc.all)); diff != "" {
				t.Errorf("Footers (-want +got):\n%s", diff)
			}
		})
	}
}

// What a model reads of an origin does not change by its having a name.
func TestNamedOrigin_IsItsOriginAsJSON(t *testing.T) {
	o := toolkit.Origin{Source: "s", AsOf: "2020-01-02", Note: "One", Flags: []market.Flag{market.FlagSample}}
	plain, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	named, err := json.Marshal(toolkit.NamedOrigin{Name: "A", Origin: o})
	if err != nil || string(named) != string(plain) {
		t.Errorf("Marshal = %s, %v; want %s", named, err, plain)
	}
}
