package reference_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/reference"
	"github.com/nfa-cli/nfa/internal/recordings"
)

func allInstruments(t testing.TB) []market.Instrument {
	t.Helper()
	list, err := reference.NewSymbolTable().Instruments(t.Context())
	if err != nil {
		t.Fatalf("Instruments() = %v", err)
	}
	return list
}

func TestTable_EveryRowIsWellFormed(t *testing.T) {
	seen := map[market.Symbol]bool{}
	cik := regexp.MustCompile(`^\d{10}$`)
	for _, i := range allInstruments(t) {
		if sym, err := market.ParseSymbol(string(i.Symbol)); err != nil || sym != i.Symbol {
			t.Errorf("ParseSymbol(%s) = %s, %v; the table must be spelled as nfa spells", i.Symbol, sym, err)
		}
		if seen[i.Symbol] {
			t.Errorf("%s stands twice in the table", i.Symbol)
		}
		seen[i.Symbol] = true
		if i.Name == "" || strings.TrimSpace(i.Name) != i.Name || strings.Contains(i.Name, "  ") {
			t.Errorf("name of %s is %q", i.Symbol, i.Name)
		}
		if !slices.Contains([]string{"index", "equity", "fund", "crypto"}, i.Kind) {
			t.Errorf("kind of %s is %q", i.Symbol, i.Kind)
		}
		if i.CIK != "" && !cik.MatchString(i.CIK) {
			t.Errorf("CIK of %s is %q, want ten digits", i.Symbol, i.CIK)
		}
		if i.ISIN != "" {
			if isin, err := reference.ParseISIN(i.ISIN); err != nil || string(isin) != i.ISIN {
				t.Errorf("ISIN of %s: %v", i.Symbol, err)
			}
		}
		if slices.Contains(i.Aliases, "") {
			t.Errorf("aliases of %s are %q", i.Symbol, i.Aliases)
		}
	}
	if len(seen) < 1700 {
		t.Errorf("the table has %d rows, want all of them", len(seen))
	}
}

func TestTable_ExchangesAgreeWithSuffixes(t *testing.T) {
	for _, i := range allInstruments(t) {
		if i.MIC == "" {
			if i.Exchange != "" {
				t.Errorf("%s trades on %q without a MIC", i.Symbol, i.Exchange)
			}
			continue
		}
		suffix, known := reference.Suffix(i.MIC)
		if !known || i.Exchange == "" {
			t.Errorf("MIC %q of %s is not known", i.MIC, i.Symbol)
		}
		if !strings.HasSuffix(string(i.Symbol), suffix) {
			t.Errorf("%s does not end in %q of %s", i.Symbol, suffix, i.MIC)
		}
		if mic, ok := reference.MICOf(i.Symbol); ok && mic != i.MIC {
			t.Errorf("MIC(%s) = %s, the table says %s", i.Symbol, mic, i.MIC)
		}
	}
}

// Listings of one security share its ISIN; other securities must not.
func TestTable_OneISINIsOneSecurity(t *testing.T) {
	names := map[string]string{}
	word := func(name string) string { return strings.ToLower(strings.Trim(strings.Fields(name)[0], ",.")) }
	for _, i := range allInstruments(t) {
		if i.ISIN == "" {
			continue
		}
		if before, ok := names[i.ISIN]; ok && before != word(i.Name) {
			t.Errorf("ISIN %s is of %q and of %s (%s)", i.ISIN, before, i.Symbol, i.Name)
		}
		names[i.ISIN] = word(i.Name)
	}
}

func TestTable_GivesCopies(t *testing.T) {
	table := reference.NewSymbolTable()
	first, err := table.Resolve("MSFT")
	if err != nil {
		t.Fatal(err)
	}
	first.Aliases[0] = "changed"
	if again, err := table.Resolve("MSFT"); err != nil || again.Aliases[0] != "Microsoft" {
		t.Errorf("Resolve(MSFT) = %v, %v after its answer was changed", again.Aliases, err)
	}
}

// The SEC's recorded list shows which company has a CIK.
func TestTable_NumbersAreThoseOfTheSEC(t *testing.T) {
	packed, err := os.Open(recordings.Path(t, "market", "sec", "company_tickers.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	plain, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var listed map[string]struct {
		CIK   int    `json:"cik_str"`
		Title string `json:"title"`
	}
	if err := json.NewDecoder(plain).Decode(&listed); err != nil {
		t.Fatal(err)
	}
	titles := map[int]string{}
	for _, row := range listed {
		titles[row.CIK] = row.Title
	}
	checked := 0
	for _, i := range allInstruments(t) {
		if i.CIK == "" {
			continue
		}
		number := 0
		for _, digit := range i.CIK {
			number = 10*number + int(digit-'0')
		}
		if titles[number] == "" {
			t.Errorf("CIK %s of %s is not in the list", i.CIK, i.Symbol)
		}
		checked++
	}
	if checked < 1000 {
		t.Errorf("%d rows have a CIK, want over a thousand", checked)
	}
}
