package ledger_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestHideAmounts_AFileTellsAModelNoAmounts(t *testing.T) {
	w := newFixture(t)
	w.HideAmounts = true
	lines := strings.SplitAfter(schwab, "\n")
	line := func(old, now string, n int) string { return strings.Replace(lines[n], old, now, 1) }
	cash, bought, sold := line("5000", "7777700", 4), lines[0]+line("2300", "77777", 3), line(`"4","$240.00","$0.50","$959.50"`, `"77777","$10.00","","$777770.00"`, 1)
	w.Files["ok.csv"] = []byte(lines[0] + cash)
	w.Files["problem.csv"] = []byte(lines[0] + strings.Replace(cash, "MoneyLink", "Unheard", 1))
	w.Files["missing.csv"] = []byte(lines[0] + cash + sold)
	w.Files["overdrawn.csv"] = []byte(bought + line("5000", "77777", 4)[:0] + strings.Replace(lines[4], "5000", "1", 1))
	w.Files["unknown.csv"] = []byte("Date;Amount\n01/02/2024;77777,50\n")
	w.Files["table.csv"] = []byte(strings.ReplaceAll(table, "20.000,00", "77777,00"))
	for _, path := range []string{"problem.csv", "missing.csv", "unknown.csv", "table.csv"} {
		if res := w.Call("import_transactions", args{"path": path}); !res.IsError || strings.Contains(toolstest.ModelOutput(res), canary) {
			t.Errorf("%s tells the model\n%s", path, toolstest.ModelOutput(res))
		}
	}
	wantHidden(t, "a file", w.MustCall("import_transactions", args{"path": "ok.csv"}))
	wantHidden(t, "what was held before", w.MustCall("import_transactions", args{"path": "missing.csv", "opening": true}))
	skipped := w.MustCall("import_transactions", args{"path": "problem.csv", "skip_problems": true})
	if strings.Contains(toolstest.ModelOutput(skipped), canary) || !strings.Contains(skipped.UserText(), canary) {
		t.Errorf("a line that was left out tells the model\n%s", toolstest.ModelOutput(skipped))
	}
}

// An error of the ledger keeps no digit if amounts are hidden.
func FuzzHideAmounts_NoNumberOfAFileReachesAModel(f *testing.F) {
	for _, seed := range []string{"1,234.56", "٣٤", "½", "12 345", "5'000", "1e9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, number string) {
		w := newFixture(t)
		w.HideAmounts = true
		w.Files["f.csv"] = []byte(strings.SplitAfter(schwab, "\n")[0] + `"x","Frobnicate","VTI","","` + strings.NewReplacer(`"`, "", "\n", "", "\r", "").Replace(number) + `","","",""` + "\n")
		res := w.Call("import_transactions", args{"path": "f.csv"})
		_, output, found := strings.Cut(res.ErrorText(), "- line 2: ")
		if found && strings.ContainsFunc(output, unicode.IsNumber) {
			t.Errorf("a model is told %q", output)
		}
		if res.Code == tool.CodeCrashed {
			t.Errorf("%q crashed", number)
		}
	})
}

func TestImportTools_WithoutFilesNothingCanBeImported(t *testing.T) {
	d := newFixture(t).importDeps()
	d.Read = nil
	if tools := ledger.ImportTools(d); len(tools) != 0 {
		t.Errorf("%d tools without a way to read files", len(tools))
	}
}
