package screens

import (
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/golden"
	"github.com/nfa-cli/nfa/internal/markdown"
	"github.com/nfa-cli/nfa/internal/tui"
	"github.com/nfa-cli/nfa/internal/tui/widget"
)

var update = flag.Bool("update", false, "rewrite the golden frames")

// The results of the tools, as `nfa tools call NAME --json` prints them.
const (
	pricedPositions = `{"currency":"USD","accounts":["ibkr","roth ira"],"total":"21698.20","oldest_price":"2026-11-20","gain_base":"1180.20","gain_base_pct":"8.6","day_change_base":"-363.70","day_change_pct":"-1.65",
		"positions":[
			{"symbol":"AAPL","name":"Apple Inc.","quantity":"40","price":"137.44","value_base":"5497.60","weight_pct":"25.34","cost":"5200.80","cost_currency":"USD","gain_base":"296.80","gain_base_pct":"5.71","day_change_pct":"-2.98"},
			{"symbol":"MSFT","quantity":"20","price":"256.48","value_base":"5129.60","weight_pct":"23.64","cost":"4601.00","cost_currency":"USD","gain_base":"528.60","gain_base_pct":"11.49","day_change_pct":"-3.17"},
			{"symbol":"IBM","quantity":"30","price":"141.86","value_base":"4255.80","weight_pct":"19.61","cost":"3901.00","cost_currency":"USD","gain_base":"354.80","gain_base_pct":"9.10","day_change_pct":"-0.62"}],
		"cash":[{"currency":"USD","value_base":"6815.20","weight_pct":"31.41"}]}`
	unpricedPositions = `{"currency":"USD","accounts":["ibkr"],
		"positions":[{"symbol":"AAPL","quantity":"40","cost":"5200.80","cost_currency":"USD"},{"symbol":"MSFT","quantity":"20","cost":"4601.00","cost_currency":"USD"}],
		"unvalued":[{"what":"AAPL, MSFT","reason":"cannot reach the internet"}]}`
	pastPerformance = `{"windows":[{"name":"1 year","returns":[{"method":"time_weighted","pct":"4.2"}]},
		{"name":"since inception","from":"2021-01-04","to":"2026-11-20","returns":[{"method":"time_weighted","pct":"8.9"}],"benchmark":{"symbol":"VTI","returns":[{"method":"time_weighted","pct":"12.1"}]}}]}`
)

func newPortfolioView(t *testing.T, positions, performance string) *portfolioView {
	t.Helper()
	v := &portfolioView{period: sinceInception, source: "Yahoo Finance · 2026-11-20 close", history: []float64{100, 104, 109, 101, 96, 103, 110, 108.9}}
	for text, result := range map[string]any{positions: &v.positions, performance: &v.performance} {
		if err := json.Unmarshal([]byte(text), result); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// drawPortfolio draws the screen.
func drawPortfolio(v *portfolioView, items []tui.ListItem, width, height int) string {
	return drawThemed(markdown.PlainTheme(), v, items, width, height)
}

func drawThemed(theme markdown.Theme, v *portfolioView, items []tui.ListItem, width, height int) string {
	b := widget.NewBrowser(widget.NewStyles(theme), widget.DefaultKeyMap(), "Portfolio", "")
	b.SetLetterKeys(true)
	b.SetFrame(v.frame)
	b.SetSize(width, height)
	b.SetItems(items)
	lines := b.View()
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// The four states of the portfolio: prices, no prices, empty, and hidden amounts.
func TestPortfolio_LooksAsDrawn(t *testing.T) {
	for _, size := range [][2]int{{98, 30}, {58, 20}, {38, 15}, {158, 45}} {
		for name, draw := range map[string]func() (*portfolioView, []tui.ListItem){
			"prices": func() (*portfolioView, []tui.ListItem) {
				v := newPortfolioView(t, pricedPositions, pastPerformance)
				return v, v.rows(v.positions)
			},
			"none": func() (*portfolioView, []tui.ListItem) {
				v := newPortfolioView(t, unpricedPositions, `{"windows":[{"name":"since inception","returns":[{"method":"time_weighted","why":"AAPL has no price"}]}]}`)
				return v, v.rows(v.positions)
			},
			"hidden": func() (*portfolioView, []tui.ListItem) {
				v := newPortfolioView(t, pricedPositions, pastPerformance)
				v.hidden = true
				return v, v.rows(v.positions)
			},
			"empty": func() (*portfolioView, []tui.ListItem) {
				v := &portfolioView{empty: true}
				return v, emptyItems()
			},
		} {
			t.Run(fmt.Sprintf("%s %d", name, size[0]), func(t *testing.T) {
				v, items := draw()
				got := drawPortfolio(v, items, size[0], size[1])
				golden.CheckFile(t, filepath.Join("testdata", "frames", fmt.Sprintf("portfolio-%s.%dx%d.txt", name, size[0]+2, size[1])), got, *update)
				if name != "hidden" {
					return
				}
				for _, secret := range []string{"21,698", "5,497", "1,180", "363.70", "6,815", " 40 ", "137.44"} {
					if strings.Contains(got, secret) {
						t.Errorf("the amount %s is shown:\n%s", secret, got)
					}
				}
			})
		}
	}
}

// The frame with prices in color, with ␛ for the escape character, and without color in a terminal.
func TestPortfolio_LooksAsDrawnInEachTheme(t *testing.T) {
	for name, theme := range map[string]markdown.Theme{"dark": markdown.DarkTheme(), "light": markdown.LightTheme(), "no-color": markdown.MonochromeTheme()} {
		v := newPortfolioView(t, pricedPositions, pastPerformance)
		got := strings.ReplaceAll(drawThemed(theme, v, v.rows(v.positions), 98, 30), "\x1b", "␛")
		golden.CheckFile(t, filepath.Join("testdata", "frames", "portfolio-prices.100x30."+name+".txt"), got, *update)
	}
}

// C34: cash does not hide that no position has a price.
func TestPortfolio_WithoutPricesItShowsTheCostNextToTheCash(t *testing.T) {
	v := newPortfolioView(t, `{"currency":"USD","total":"70","positions":[{"symbol":"BND","quantity":"45","cost":"3320.05","cost_currency":"USD"}],
		"cash":[{"currency":"USD","value_base":"70"}],"unvalued":[{"what":"BND","reason":"unknown symbol"}]}`, `{}`)
	got := drawPortfolio(v, v.rows(v.positions), 98, 30)
	for _, want := range []string{"No price for BND: unknown symbol.", "cost basis", "3,320.05 USD", "70.00 USD"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
}

func TestPortfolio_ThePeriodIsChosenByAKey(t *testing.T) {
	v := newPortfolioView(t, pricedPositions, pastPerformance)
	v.setPeriod("1 year")
	if got := drawPortfolio(v, v.rows(v.positions), 98, 30); !strings.Contains(got, "of 1 year  time-weighted +4.2%") {
		t.Errorf("1 year:\n%s", got)
	}
	v.setPeriod("5 years")
	if got := drawPortfolio(v, v.rows(v.positions), 98, 30); !strings.Contains(got, "no history for this period") {
		t.Errorf("5 years:\n%s", got)
	}
}

// In the portfolio of several owners, each position names its owner.
func TestPortfolio_NamesTheOwners(t *testing.T) {
	v := newPortfolioView(t, `{"currency":"USD","total":"30","positions":[
		{"symbol":"VTI","owner":"anna","quantity":"2","price":"10","value_base":"20","weight_pct":"66.7"},
		{"symbol":"VTI","owner":"ben","quantity":"1","price":"10","value_base":"10","weight_pct":"33.3"}]}`, `{}`)
	got := drawPortfolio(v, v.rows(v.positions), 98, 30)
	for _, want := range []string{"VTI anna 67%", "VTI ben 33%", "  VTI ben          1  10.00"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q:\n%s", want, got)
		}
	}
}
