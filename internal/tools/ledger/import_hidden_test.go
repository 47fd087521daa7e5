package ledger_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/ledger"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestHideAmounts_AFileTellsAModelNoAmounts(t *testing.T) {
	w := newFixture(t)
	w.HideFromModel = true
	lines := strings.SplitAfter(schwab, "\n")
	line := func(old, now string, n int) string { return strings.Replace(lines[n], old, now, 1) }
	cash, bought, sold := line("5000", "7777700", 4), lines[0]+line("2300", "77777", 3), line(`"4","$240.00","$0.50","$959.50"`, `"77777","$10.00","","$777770.00"`, 1)
	w.Files["ok.csv"] = []byte(lines[0] + cash)
	w.Files["problem.csv"] = []byte(lines[0] + strings.Replace(cash, "MoneyLink", "Unheard", 1) + line("01/15", "01/16", 2))
	w.Files["missing.csv"] = []byte(lines[0] + cash + sold)
	w.Files["overdrawn.csv"] = []byte(bought + line("5000", "77777", 4)[:0] + strings.Replace(lines[4], "5000", "1", 1))
	w.Files["unknown.csv"] = []byte("Date;Amount\n01/02/2024;77777,50\n")
	w.Files["table.csv"] = []byte(strings.ReplaceAll(strings.ReplaceAll(table, "20.000,00", "77777,00"), "Einzahlung", "Frob"))
	for _, path := range []string{"problem.csv", "missing.csv", "unknown.csv", "table.csv"} {
		if res := w.Call("import_transactions", args{"path": path, "skip_problems": false, "opening": false}); !res.IsError || strings.Contains(toolstest.ModelOutput(res), canary) {
			t.Errorf("%s tells the model\n%s", path, toolstest.ModelOutput(res))
		}
	}
	wantHidden(t, "a file", w.MustCall("import_transactions", args{"path": "ok.csv"}))
	wantHidden(t, "what was held before", w.MustCall("import_transactions", args{"path": "missing.csv"}))
	skipped := w.MustCall("import_transactions", args{"path": "problem.csv"})
	if strings.Contains(toolstest.ModelOutput(skipped), canary) || !strings.Contains(skipped.UserText(), canary) {
		t.Errorf("a line that was left out tells the model\n%s", toolstest.ModelOutput(skipped))
	}
}

// A model that proposes a mapping needs the names of the columns and the kinds of their cells, and no
// amount.
func TestHideAmounts_AModelReadsTheHeaderAndTheKindsOfCells(t *testing.T) {
	w := newFixture(t)
	w.HideFromModel = true
	w.Files["unknown.csv"] = []byte("Account of;77777 EUR in all\nDay;What;Units;ISIN;Price;Fee 77777;Note\n" +
		"31.12.2024;bought 77777;77.777,00;US0378331005;$77,777;;77777 of them\n3 Jan 2024;sold;-77777;;EUR 77777;(77777);77777/77777\n2024-01-02T10:00:00Z;x;5'000;77.777%;1e5;٣٤;½\n")
	res := w.Call("import_transactions", args{"path": "unknown.csv"})
	for _, want := range []string{
		"Account of", "line 1, cell types: text, text", "line 2: Day, What, Units, ISIN, Price, Fee (hidden) Note", "line 3, cell types: date, text, number, text, number, empty, text",
		"line 4, cell types: date, text, number, empty, number, number, text", "share_amounts",
	} {
		if text := res.ModelText(); strings.Contains(want, "Account") == strings.Contains(text, want) {
			t.Errorf("a model is told %s\nwant %q, and nothing of the first line but its kind", text, want)
		}
	}
	if strings.Contains(res.ModelText(), canary) || !strings.Contains(res.UserText(), "line 3: 31.12.2024, bought 77777, 77.777,00") {
		t.Errorf("a model is told %s\nthe user %s", res.ModelText(), res.UserText())
	}
	// A mapping that cannot be used is answered in the same way, and a proposed one has no amount.
	res = w.Call("import_transactions", args{"path": "unknown.csv", "new_mapping": args{"name": "own", "decimal": "?", "date": "", "columns": args{}}})
	if strings.Contains(res.ModelText(), canary) || !strings.Contains(res.ModelText(), "line 2: Day, What") {
		t.Errorf("a model is told %s", res.ModelText())
	}
	w.Files["table.csv"] = []byte(strings.Replace(strings.Replace(table, "Verkauf", "Frob 77777", 1), "Einzahlung", "Frob", 1))
	res = w.Call("import_transactions", args{"path": "table.csv"})
	if strings.Contains(res.ModelText(), canary) || !strings.Contains(res.ModelText(), `\"Kauf\":`) || !strings.Contains(res.ModelText(), "Datum, Typ, ISIN") {
		t.Errorf("a model is told %s", res.ModelText())
	}
	w.Files["table.csv"] = []byte(strings.ReplaceAll(table, "20.000,00", "77777,00"))
	res = w.MustCall("import_transactions", args{"path": "table.csv"})
	if text := res.ModelText(); strings.Contains(text, "10205") || !strings.Contains(text, "fee=Gebühr") {
		t.Errorf("a model is told %s\nwant the columns without the examples", text)
	}
}

// If amounts are hidden, a refused line keeps no digits except those of dates and percentages.
func FuzzHideAmounts_NoNumberOfAFileReachesAModel(f *testing.F) {
	for _, seed := range []string{"1,234.56", "٣٤", "½", "12 345", "5'000", "1e9", "<5>", "5%"} {
		f.Add(seed)
	}
	kept := regexp.MustCompile(`\b\d{4}-\d\d-\d\d\b|\b\d{1,3}(\.\d{1,4})?%`)
	f.Fuzz(func(t *testing.T, number string) {
		w := newFixture(t)
		w.HideFromModel = true
		w.Files["f.csv"] = []byte(strings.SplitAfter(schwab, "\n")[0] + `"x","Frobnicate","VTI","","` + strings.NewReplacer(`"`, "", "\n", "", "\r", "").Replace(number) + `","","",""` + "\n")
		res := w.Call("import_transactions", args{"path": "f.csv"})
		message, _ := toolstest.Object(t, res.ModelText())["error"].(string)
		_, output, found := strings.Cut(message, "- line 2: ")
		if found && strings.ContainsFunc(kept.ReplaceAllString(output, ""), unicode.IsNumber) {
			t.Errorf("a model is told %q", output)
		}
		if res.Code == tool.CodeCrashed {
			t.Errorf("%q crashed", number)
		}
	})
}

func TestTools_WithoutFilesNothingCanBeImported(t *testing.T) {
	d := newFixture(t).deps()
	d.Read = nil
	if tools := ledger.Tools(d); len(tools) != 4 {
		t.Errorf("%d tools without a way to read files, want four", len(tools))
	}
}
