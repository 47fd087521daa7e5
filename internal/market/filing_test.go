package market_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/market"
)

func TestParseAccession_WithAndWithoutDashes(t *testing.T) {
	const want = "0000320193-24-000123"
	for _, text := range []string{want, "000032019324000123", " " + want + "\n"} {
		if got, err := market.ParseAccession(text); err != nil || got != want {
			t.Errorf("ParseAccession(%q) = %q, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "320193-24-123", "0000320193-24-00012x", "0000320193/24/000123", "00003201932400012", want + "4"} {
		if got, err := market.ParseAccession(text); !errors.Is(err, market.ErrInvalidAccession) {
			t.Errorf("ParseAccession(%q) = %q, %v; want ErrInvalidAccession", text, got, err)
		}
	}
}

func TestParseFilingItem_AsPeopleWriteIt(t *testing.T) {
	for text, want := range map[string]string{
		"1A": "Item 1A", "item 1a.": "Item 1A", "Item 7": "Item 7", "5.02": "Item 5.02", "Item 9.01": "Item 9.01",
		"II-1A": "Part II Item 1A", "Part II, Item 1A": "Part II Item 1A", "part i item 2": "Part I Item 2",
		"I - 2": "Part I Item 2", "Part 2 Item 1": "Part II Item 1", "IV-15": "Part IV Item 15", "16K": "Item 16K", "Part III: 10": "Part III Item 10",
	} {
		if got, err := market.ParseFilingItem(text); err != nil || got.String() != want {
			t.Errorf("ParseFilingItem(%q) = %s, %v; want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "risk factors", "1L", "Item", "II", "V-1", "123", "5.2", "1A 7"} {
		if got, err := market.ParseFilingItem(text); !errors.Is(err, market.ErrInvalidItem) {
			t.Errorf("ParseFilingItem(%q) = %s, %v; want ErrInvalidItem", text, got, err)
		}
	}
}

func FuzzParseFilingItem(f *testing.F) {
	for _, seed := range []string{"1A", "Part II, Item 1A", "I-2", "5.02", "Part 4 Item 15", "item item 1", "1 - 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		item, err := market.ParseFilingItem(text)
		if err != nil {
			return
		}
		if again, err := market.ParseFilingItem(item.String()); err != nil || again != item {
			t.Errorf("ParseFilingItem(%q) = %+v, which is written %q and read as %+v, %v", text, item, item, again, err)
		}
	})
}

func TestPick_AsksBackRatherThanGuessing(t *testing.T) {
	quarter := []market.FilingItem{
		{Part: "I", Item: "1", Title: "Financial Statements"}, {Part: "I", Item: "2"}, {Part: "II", Item: "1"}, {Part: "II", Item: "1A"},
	}
	for _, row := range []struct {
		wanted market.FilingItem
		at     int
		says   []string
	}{
		{market.FilingItem{Item: "1A"}, 3, nil},
		{market.FilingItem{Part: "II", Item: "1"}, 2, nil},
		{market.FilingItem{Item: "1"}, 0, []string{"more than one part", "I-1 (Financial Statements)", "II-1"}},
		{market.FilingItem{Part: "I", Item: "1A"}, 0, []string{"no Part I Item 1A", "II-1A"}},
	} {
		at, err := market.FindFilingItem(quarter, row.wanted)
		if row.says == nil {
			if err != nil || at != row.at {
				t.Errorf("Pick(%s) = %d, %v; want %d", row.wanted, at, err, row.at)
			}
			continue
		}
		for _, part := range row.says {
			if !errors.Is(err, market.ErrNoData) || !strings.Contains(err.Error(), part) {
				t.Errorf("Pick(%s) = %v, want an ErrNoData with %q", row.wanted, err, part)
			}
		}
	}
	if at, err := market.FindFilingItem([]market.FilingItem{{Item: "5.02"}}, market.FilingItem{Part: "I", Item: "5.02"}); err != nil || at != 0 {
		t.Errorf("Pick of a part where a filing has none = %d, %v; want the item", at, err)
	}
}

func TestFilingQuery_AnAmendmentBelongsToItsForm(t *testing.T) {
	filings := []market.Filing{
		{Form: "10-K/A", Filed: on(t, "2024-03-01")}, {Form: "8-K", Filed: on(t, "2024-02-15")},
		{Form: "10-K", Filed: on(t, "2024-02-01")}, {Form: "10-K", Filed: on(t, "2023-02-01")},
	}
	if got := (market.FilingQuery{Forms: []string{"10-k"}}).Filter(filings); len(got) != 3 || !got[0].Amends() || got[1].Amends() {
		t.Errorf("the 10-K = %+v, want the amendment and two reports", got)
	}
	if got := (market.FilingQuery{Forms: []string{"10-K/A"}}).Filter(filings); len(got) != 1 {
		t.Errorf("the 10-K/A = %+v, want it alone", got)
	}
	year := market.Range{From: on(t, "2024-01-01"), To: on(t, "2024-02-15")}
	if got := (market.FilingQuery{Filed: year, Limit: 1}).Filter(filings); len(got) != 1 || got[0].Form != "8-K" {
		t.Errorf("the newest of early 2024 = %+v, want the 8-K", got)
	}
}

func TestRefersElsewhere_OnlyWhereThatIsAllThereIs(t *testing.T) {
	pointer := "The information required by this Item will be included in the 2025 Proxy Statement, and is incorporated herein by reference."
	for text, want := range map[string]bool{
		pointer: true,
		"The information set forth in Note 12 is incorporated by reference.":                         true,
		"The financial statements are included in Item 15 of this report.":                           true,
		"This shall not be deemed incorporated by reference in any filing under the Securities Act.": false,
		"Not applicable.": false,
		pointer + strings.Repeat(" And here is what else there is to say of it.", 20): false,
	} {
		if got := market.IsCrossReference(text); got != want {
			t.Errorf("RefersElsewhere(%.60q) = %v, want %v", text, got, want)
		}
	}
}
