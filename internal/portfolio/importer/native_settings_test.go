package importer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/portfolio"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
)

// An account written only with its name has the defaults.
func TestJSON_SettingsOfALedgerAreRead(t *testing.T) {
	s := readNative(t, `{"format":"nfa ledger","version":1,"accounts":[{"name":"a"},
 {"name":"b","cost_basis":"lifo","cash":"margin","untaxed":true,"owner":"spouse"}],
 "transactions":[], "aliases":{"US9229087690":"VTI"}, "securities":[{"symbol":"VTI","class":"equity","fee":"0.0003"}],
 "targets":[{"symbol":"VTI","weight":"0.6"}]}`)
	want := &portfolio.Ledger{
		Accounts: []portfolio.Account{
			portfolio.NewAccount("a"), {Name: "b", Method: portfolio.MethodLIFO, Cash: portfolio.CashMargin, Untaxed: true, Owner: "spouse"},
		},
		Aliases:    map[market.Symbol]market.Symbol{"US9229087690": "VTI"},
		Securities: []portfolio.Security{{Symbol: "VTI", Class: portfolio.ClassEquity, Fee: nativeNullDec("0.0003")}},
		Targets:    []portfolio.Target{{Symbol: "VTI", Weight: nativeDec("0.6")}},
	}
	if diff := cmp.Diff(want, s.Settings); diff != "" || len(s.Problems)+len(s.Ignored) > 0 {
		t.Errorf("settings (-want +got):\n%s\nproblems %v, ignored %v", diff, s.Problems, s.Ignored)
	}
}

func TestJSON_ASettingThatCannotBeIsAProblemOfItsLine(t *testing.T) {
	for _, c := range []struct{ name, setting, reason string }{
		{"an account without a name", `"accounts":[{}]`, "must not be empty"},
		{"an unheard cost basis", `"accounts":[{"name":"a","cost_basis":"best"}]`, "best"},
		{"a field that there is not", `"accounts":[{"name":"a","cost_bassi":"lifo"}]`, "cost_bassi"},
		{"two accounts of a name", `"accounts":[{"name":"a"},{"name":"a"}]`, "duplicate"},
		{"an account that is a number", `"accounts":[5]`, "account must be an object"},
		{"a fee of the wrong size", `"securities":[{"symbol":"A","fee":"7"}]`, "enter a fraction"},
		{"two of a security", `"securities":[{"symbol":"A","class":"bond"},{"symbol":"A","class":"cash"}]`, "duplicate"},
		{"a target of nothing", `"targets":[{"symbol":"A","weight":"0"}]`, "above zero"},
		{"a target of more than all", `"targets":[{"symbol":"A","weight":"1.01"}]`, "at most 1"},
		{"a name of itself", `"aliases":{"A":"A"}`, "points to itself"},
		{"a name of nothing", `"aliases":{"A":""}`, "empty"},
		{"a name that is a number", `"aliases":{"A":5}`, "is not text"},
		{"a name twice", `"aliases":{"A":"B","A":"C"}`, "duplicate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := readNative(t, `{"format":"nfa ledger","version":1,`+"\n"+c.setting+`,"transactions":[]}`)
			if len(s.Problems) != 1 || s.Problems[0].Line != 2 || !strings.Contains(s.Problems[0].Reason, c.reason) {
				t.Errorf("problems of %s = %+v; want one of line 2 that says %q", c.setting, s.Problems, c.reason)
			}
		})
	}
}

func TestJSON_SettingsOfAnotherShapeAreNoLedger(t *testing.T) {
	var many strings.Builder
	for i := range 20_001 {
		fmt.Fprintf(&many, `,"A%d":"B"`, i)
	}
	for name, text := range map[string]string{
		"accounts that are no list": `"accounts":{}`, "aliases that are no object": `"aliases":[]`, "a list that is cut": `"targets":[{`,
		"endless accounts": `"accounts":[` + strings.Repeat("0,", 20_000) + `0]`, "endless aliases": `"aliases":{` + many.String()[1:] + `}`,
	} {
		f := importer.File{Name: "x", Text: `{"format":"nfa ledger","version":1,` + text + `,"transactions":[]}`}
		s, err := importer.Native().Read(f, importer.Options{})
		if !errors.Is(err, importer.ErrFormat) || s.Settings != nil {
			t.Errorf("%s: Read = %v, want ErrFormat", name, err)
		}
	}
}
