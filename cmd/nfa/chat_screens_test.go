package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/agent"
	"github.com/nfa-cli/nfa/internal/app/screens"
	"github.com/nfa-cli/nfa/internal/investor"
	"github.com/nfa-cli/nfa/internal/market"
	"github.com/nfa-cli/nfa/internal/market/feed"
	"github.com/nfa-cli/nfa/internal/sqlite"
	"github.com/nfa-cli/nfa/internal/tui"
)

// readPane returns the page of an item.
func readPane(t *testing.T, screen *tui.ListScreen, name string) string {
	t.Helper()
	text, err := screen.Read(name)
	if err != nil {
		t.Fatalf("reading %s: %v", name, err)
	}
	return text
}

func TestAgentScreen_ListsTheActiveOneFirstThenTheUsersOwn(t *testing.T) {
	p := programWithAgents(t, map[string]string{
		"devil":  "---\ndescription: argues against\ntools: [quote, crystal_ball]\n---\nArgue.\n",
		"broken": "no front matter",
	})
	screen := screens.Agents{App: p}.Screen()
	items := screen.Items()
	if items[0].Name != agent.DefaultProfile {
		t.Errorf("first is %+v", items[0])
	}
	if first := items[1]; first.Name != "devil" || first.Group != "user" || !slices.Contains(first.Marks, "! 1 warning") {
		t.Errorf("first is %+v", first)
	}
	last := items[len(items)-1]
	if !last.Problem || last.Title != "broken" || offered(screen, "enter", last.Name) {
		t.Errorf("last is %+v", last)
	}
	now, _ := itemOf(screen, agent.DefaultProfile)
	if !slices.Contains(now.Marks, "active") || !slices.Contains(now.Marks, "default") || offered(screen, "enter", agent.DefaultProfile) {
		t.Errorf("who answers: %+v", now)
	}
	page := readPane(t, screen, "devil")
	for _, want := range []string{"argues against", "no tool crystal_ball", "- tools: 3 of ", "`quote`", "- skills: ", "tools missing for ", "devil.md", "Argue."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if page := readPane(t, screen, last.Name); !strings.Contains(page, "broken.md") {
		t.Errorf("the page of a file that is none:\n%s", page)
	}
	if _, err := screen.Read("nobody"); err == nil {
		t.Error("an agent that is not there has a page")
	}
}

func TestAgentScreen_EnterLetsAnotherAnswer(t *testing.T) {
	p := programWithAgents(t, map[string]string{"mute": "---\ndescription: d\nmodel: openai/gpt-4o\n---\nx\n"})
	screen := screens.Agents{App: p}.Screen()
	if o := press(t, screen, "enter", "analyst"); p.Agents.Active().Profile.Name != "analyst" || !strings.Contains(o.Message, "analyst answers from the next turn on") {
		t.Errorf("%s answers, said %q", p.Agents.Active().Profile.Name, o.Message)
	}
	if item, _ := itemOf(screen, "analyst"); !slices.Contains(item.Marks, "active") {
		t.Errorf("the one that answers: %+v", item)
	}
	goOnline(t, p)
	if _, err := screen.Actions[0].Run("mute"); err == nil || !strings.Contains(err.Error(), "/model") || p.Agents.Active().Profile.Name != "analyst" {
		t.Errorf("one that cannot answer = %v, and %s answers", err, p.Agents.Active().Profile.Name)
	}
}

func TestToolScreen_EveryToolHasItsGroupAndItsPage(t *testing.T) {
	p := newSessionProgram(t)
	screen := screens.Tools{App: p}.Screen()
	last := ""
	var groups []string
	for _, i := range screen.Items() {
		if i.Group != last {
			if slices.Contains(groups, i.Group) {
				t.Errorf("the group %s comes twice", i.Group)
			}
			groups, last = append(groups, i.Group), i.Group
		}
		if i.Group == "From skills" && !strings.HasPrefix(i.Name, "skill_") {
			t.Errorf("%s has no heading", i.Name)
		}
		if page := readPane(t, screen, i.Name); !strings.Contains(page, "## Parameters") {
			t.Errorf("the page of %s:\n%s", i.Name, page)
		}
	}
	if item, _ := itemOf(screen, "write_report"); !slices.Contains(item.Marks, "writes") || item.Group != "Files, web and this computer" {
		t.Errorf("write_report is %+v", item)
	}
}

func TestShowTools_OneThatIsNamedIsDescribed(t *testing.T) {
	p := newSessionProgram(t)
	page, err := screens.Tools{App: p}.Command(" position_size ")
	if err != nil || !strings.HasPrefix(page, "**position_size**: reads\n") || !strings.Contains(page, "- `method` (") || !strings.Contains(page, "required") {
		t.Errorf("/tools position_size = %v\n%s", err, page)
	}
	if page, err := (screens.Tools{App: p}).Command("write_report"); err != nil || !strings.Contains(page, "writes; asks first") || !strings.Contains(page, "- `content` (text, required): The whole report") {
		t.Errorf("/tools write_report = %v\n%s", err, page)
	}
	if _, err := (screens.Tools{App: p}).Command("portfolio"); err == nil || !strings.Contains(err.Error(), "portfolio_positions") {
		t.Errorf("/tools portfolio = %v, want those of that word", err)
	}
	if _, err := (screens.Tools{App: p}).Command("crystal_ball"); err == nil {
		t.Error("/tools crystal_ball describes something")
	}
	if all, err := (screens.Tools{App: p}).Command(""); err != nil || !strings.Contains(all, "- **quote** (reads): ") {
		t.Errorf("/tools = %v\n%s", err, all)
	}
}

func TestSymbolScreen_OfTheSampleHasItsPriceAndDay(t *testing.T) {
	screen := screens.Symbols{App: newSessionProgram(t)}.Screen()
	aapl, ok := itemOf(screen, "AAPL")
	if !ok || aapl.Group != "Sample: Shares" || aapl.About == "" {
		t.Errorf("AAPL is %+v", aapl)
	}
	page := readPane(t, screen, "AAPL")
	for _, want := range []string{"- name: Apple", "- currency: USD", "- latest saved price: ", "close of 20", "(SAMPLE)"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	if o := press(t, screen, "enter", "AAPL"); o.Compose != "$AAPL " {
		t.Errorf("Enter writes %q", o.Compose)
	}
	if _, err := screen.Read("NOSUCH"); err == nil {
		t.Error("a symbol that is not listed has a page")
	}
}

func TestSymbolScreen_ThoseOfTheUserComeFirst(t *testing.T) {
	p := newSessionProgram(t)
	for _, symbol := range []market.Symbol{"MSFT", "OWN.XX"} {
		if err := p.Stores.Portfolio.PutWatch(t.Context(), investor.WatchedSymbol{Symbol: symbol, Added: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC), Note: "my note"}); err != nil {
			t.Fatal(err)
		}
	}
	screen := screens.Symbols{App: p}.Screen()
	items := screen.Items()
	if items[0].Group != "On your watchlist" || items[1].Group != "On your watchlist" {
		t.Fatalf("first are %+v, %+v", items[0], items[1])
	}
	seen := map[string]bool{}
	for _, i := range items {
		if seen[i.Name] {
			t.Errorf("%s is listed twice", i.Name)
		}
		seen[i.Name] = true
	}
	if page := readPane(t, screen, "MSFT"); !strings.Contains(page, "- yours: watched") || !strings.Contains(page, "Microsoft") {
		t.Errorf("the page of one that is watched:\n%s", page)
	}
	if page := readPane(t, screen, "OWN.XX"); !strings.Contains(page, "No saved price") || strings.Contains(page, "currency") {
		t.Errorf("the page of one that is not known:\n%s", page)
	}
}

// TestSymbolScreen_OnlineTellsTheNewestCloseThatIsKept checks that the screen shows the newest
// cached close with its date and contacts no server. The program of this test has no servers.
func TestSymbolScreen_OnlineTellsTheNewestCloseThatIsKept(t *testing.T) {
	p := newSessionProgram(t)
	p.Market.Mode.SampleOnly = false
	day := func(d int) market.Date { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	keep := func(source string, last int, price string) {
		store, err := sqlite.OpenBars(t.Context(), filepath.Join(p.Home, "cache", "bars.db"), sqlite.Options{Now: clock})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = store.Close() }()
		var bars []market.Bar
		for d := last - 3; d <= last; d++ {
			bars = append(bars, market.Bar{Date: day(d), Close: decimal.RequireFromString(price).Add(decimal.NewFromInt(int64(d)))})
		}
		series := market.Series{Instrument: market.Instrument{Symbol: "SAP.DE"}, Interval: market.Daily, Bars: bars, Provenance: market.Provenance{Source: source, Currency: "EUR", AsOf: day(last), FetchedAt: day(last), Adjustment: market.AdjustmentSplit}}
		if err := store.Save(t.Context(), market.BarKey{Source: source, Symbol: "SAP.DE"}, market.StoredBars{Series: series, Last: day(last)}, market.Date{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(p.Home, "cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	keep("tiingo", 17, "100.5")
	keep("yahoo", 19, "200.5")
	p.Market.Market = feed.New(feed.Options{Bars: p.Stores.Bars, Now: clock})
	screen := screens.Symbols{App: p}.Screen()
	page := readPane(t, screen, "SAP.DE")
	for _, want := range []string{"- exchange: ", "XETR", "- currency: EUR", "- latest saved price: 219.5 EUR, close of 2026-11-19, from yahoo\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	p.Market.Mode.AsOf = "2026-11-18"
	if page := readPane(t, (screens.Symbols{App: p}).Screen(), "SAP.DE"); !strings.Contains(page, "218.5 EUR, close of 2026-11-18, from yahoo") {
		t.Errorf("with the clock set back:\n%s", page)
	}
	p.Market.Mode.AsOf = "2026-10-01"
	if page := readPane(t, (screens.Symbols{App: p}).Screen(), "SAP.DE"); !strings.Contains(page, "No saved price") {
		t.Errorf("before anything is kept:\n%s", page)
	}
}

func TestSymbolScreen_TheTableOfAllIsGroupedByKind(t *testing.T) {
	p := newSessionProgram(t)
	p.Market.Mode.SampleOnly = false
	items := screens.Symbols{App: p}.Screen().Items()
	if len(items) < 1000 || items[0].Group != "Shares" {
		t.Errorf("%d items, the first %+v", len(items), items[0])
	}
	for i, item := range items[1:] {
		if kindOrder(item.Group) < kindOrder(items[i].Group) {
			t.Fatalf("%s of %s comes after %s", item.Name, item.Group, items[i].Group)
		}
	}
}

func kindOrder(group string) int {
	return slices.Index([]string{"Shares", "Funds", "Indices", "Currencies", "Coins", "Others"}, group)
}
