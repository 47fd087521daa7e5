package offline_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// userDataTools read what the user keeps.
var userDataTools = []string{
	"portfolio_positions", "portfolio_allocation", "portfolio_performance", "portfolio_checkup", "rebalance_plan", "tax_lots", "watchlist", "decision_journal", "investor_profile",
}

func newUserDataChat(t *testing.T) *chat {
	t.Helper()
	return newChat(t, slices.Concat(everyTool, userDataTools)...)
}

func TestOwn_PhrasesBecomeTheirCalls(t *testing.T) {
	const positions, allocation, performance, checkup, rebalance, lots = `portfolio_positions{}`, `portfolio_allocation{}`, `portfolio_performance{}`, `portfolio_checkup{}`, `rebalance_plan{}`, `tax_lots{}`
	for _, tt := range []struct{ question, want string }{
		{"show my portfolio", positions},
		{"Show me my positions", positions},
		{"what are my holdings", positions},
		{"What am I worth?", positions},
		{"what is my portfolio worth?", positions},
		{"positions", positions},
		{"how much cash do I have", positions},
		{"how many AAPL do I own", positions},
		{"how has my position in AAPL done", positions},
		{"what is my portfolio worth in euros?", `portfolio_positions{"currency":"EUR"}`},
		{"what was my portfolio worth at the end of 2020", `portfolio_positions{"at":"2020-12-31"}`},
		{"Zeige meine Positionen", positions},
		{"Was ist mein Depot wert?", positions},
		{"que vaut mon portefeuille ?", positions},
		{"¿Cuánto vale mi cartera?", positions},
		{"我的持仓", positions},

		{"How has my portfolio done?", performance},
		{"my performance", performance},
		{"what is my return", performance},
		{"how did my portfolio do since 2015", `portfolio_performance{"from":"2015-01-01"}`},
		{"show my portfolio since 2015", `portfolio_performance{"from":"2015-01-01"}`},
		{"how has my portfolio performed against the S&P 500 over 3 years", `portfolio_performance{"range":"3y","benchmark":"^GSPC"}`},
		{"did I beat VTI this year", `portfolio_performance{"range":"ytd","benchmark":"VTI"}`},
		{"Wie hat sich mein Portfolio seit 2020 gegen VTI entwickelt?", `portfolio_performance{"from":"2020-01-01","benchmark":"VTI"}`},
		{"comment a évolué mon portefeuille", performance},
		{"cómo ha ido mi cartera", performance},
		{"我的投资组合表现怎么样", performance},

		{"my allocation", allocation},
		{"how is my portfolio divided by currency", allocation},
		{"check my portfolio", checkup},
		{"how does my portfolio look?", checkup},
		{"is my portfolio all right?", checkup},
		{"am I diversified?", checkup},
		{"prüfe mein Depot", checkup},
		{"revisa mi cartera", checkup},
		{"rebalance", rebalance},
		{"Rebalance my portfolio", rebalance},
		{"rééquilibre mon portefeuille", rebalance},

		{"show my lots", lots},
		{"my lots of AAPL", `tax_lots{"symbol":"AAPL"}`},
		{"which lots are at a loss", `tax_lots{"kind":"harvest"}`},
		{"tax loss harvesting", `tax_lots{"kind":"harvest"}`},
		{"my capital gains in 2024", `tax_lots{"kind":"closed","year":2024}`},
		{"my losses in 2024", `tax_lots{"kind":"closed","year":2024}`},
		{"my losses", `tax_lots{"kind":"harvest"}`},
		{"what is my portfolio worth in INR", `portfolio_positions{"currency":"INR"}`},
		{"my capital gains this year", `tax_lots{"kind":"closed","year":2026}`},
		{"my wash sales", `tax_lots{"kind":"wash"}`},
		{"my watchlist", `watchlist{"action":"show"}`},
		{"is AAPL on my watchlist", `watchlist{"action":"show","symbol":"AAPL"}`},
		{"review my decisions", `decision_journal{"action":"review"}`},
		{"review", `decision_journal{"action":"review"}`},
		{"who am I as an investor", `investor_profile{"action":"show"}`},
		{"mein Profil", `investor_profile{"action":"show"}`},
	} {
		t.Run(tt.question, func(t *testing.T) {
			m := newUserDataChat(t).ask(tt.question)
			if diff := cmp.Diff([]string{tt.want}, shown(m.ToolCalls)); diff != "" {
				t.Errorf("calls for %q (-want +got):\n%s\n%s", tt.question, diff, m.Content)
			}
		})
	}
}

func TestOwn_WithoutTheToolItIsNoRule(t *testing.T) {
	for question, about := range map[string]string{
		"show my portfolio": "a portfolio", "how did my portfolio do since 2015": "a portfolio", "my watchlist": "your watchlist", "review my decisions": "your decisions",
		"my profile": "your profile as an investor", "show my lots": "tax lots",
	} {
		m := newChat(t, everyTool...).ask(question)
		wantEvery(t, m.Content, "I understood that you ask about "+about+".", "I have no rule for that, and will not guess.", "OPENAI_API_KEY")
		if len(m.ToolCalls) > 0 {
			t.Errorf("%q leads to %v", question, shown(m.ToolCalls))
		}
	}
}

func TestOwn_WhatOnlySoundsLikeThePortfolioIsNotAnsweredFromIt(t *testing.T) {
	for question, want := range map[string]string{
		"should I rebalance my portfolio":                "whether to buy or sell",
		"should I sell my AAPL?":                         "whether to buy or sell (`AAPL`)",
		"what will my portfolio be worth next year":      "what will happen",
		"how much would my portfolio have lost in 2008":  "a portfolio",
		"how risky is my portfolio":                      "a portfolio",
		"what happens to my portfolio if rates rise":     "a portfolio",
		"what is rebalancing?":                           "a portfolio",
		"what is a portfolio":                            "a portfolio",
		"what is capital gains tax":                      "a portfolio",
		"add AAPL to my watchlist":                       "`nfa watch --help`",
		"I bought 10 AAPL for my portfolio":              "`nfa portfolio --help`",
		"remove the last decision from my journal":       "`nfa journal --help`",
		"what was my portfolio worth on 9/11/2001":       "not which number is its month",
		"how does the allocation of a 60/40 fund change": "a portfolio",
	} {
		m := newUserDataChat(t).ask(question)
		wantEvery(t, m.Content, want)
		if len(m.ToolCalls) > 0 {
			t.Errorf("%q leads to %v", question, shown(m.ToolCalls))
		}
	}
	for question, want := range map[string][]string{
		"what is my portfolio worth: 10 AAPL, 5 MSFT":      {quoteOf("AAPL", "MSFT")},
		"how have my stocks AAPL and MSFT done since 2015": {returns(`"symbol":"AAPL","from":"2015-01-01"`), returns(`"symbol":"MSFT","from":"2015-01-01"`)},
		"use the rebalance skill":                          {`Skill{"name":"rebalance"}`},
	} {
		if diff := cmp.Diff(want, shown(newUserDataChat(t).ask(question).ToolCalls)); diff != "" {
			t.Errorf("calls for %q (-want +got):\n%s", question, diff)
		}
	}
}

func TestOwn_FollowUpsReferToThePortfolio(t *testing.T) {
	const empty = `{"error":"the book is empty; record a purchase","code":"no_data"}`
	for _, tt := range []struct {
		name      string
		questions []string
		want      string
	}{
		{"a benchmark", []string{"how has my portfolio done?", "and against VTI?"}, `portfolio_performance{"benchmark":"VTI"}`},
		{"another time", []string{"how has my portfolio done against VTI?", "and since 2020?"}, `portfolio_performance{"from":"2020-01-01","benchmark":"VTI"}`},
		{"lots of one", []string{"show my portfolio", "and the lots of AAPL?"}, `tax_lots{"symbol":"AAPL"}`},
		{"of another", []string{"my lots of AAPL", "of MSFT?"}, `tax_lots{"symbol":"MSFT"}`},
		{"and another", []string{"my capital gains in 2024", "and MSFT?"}, `tax_lots{"kind":"closed","symbol":"MSFT","year":2024}`},
		{"another currency", []string{"show my portfolio", "and in euros?"}, `portfolio_positions{"currency":"EUR"}`},
		{"another view", []string{"show my portfolio", "and the allocation?"}, `portfolio_allocation{}`},
		{"it", []string{"show my portfolio", "how has it done?"}, `portfolio_performance{}`},
		{"a decision", []string{"review my decisions", "and AAPL?"}, `decision_journal{"action":"review","symbol":"AAPL"}`},
		{"an instrument is one", []string{"show my portfolio", "and the price of AAPL?"}, quoteOf("AAPL")},
		{"a word alone is of the instrument", []string{"AAPL price", "performance"}, returns(`"symbol":"AAPL"`)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newUserDataChat(t)
			c.ask(tt.questions[0])
			c.give(empty)
			if diff := cmp.Diff([]string{tt.want}, shown(c.ask(tt.questions[1]).ToolCalls)); diff != "" {
				t.Errorf("calls for %q after %q (-want +got):\n%s", tt.questions[1], tt.questions[0], diff)
			}
		})
	}
}

func TestOwn_ItsOwnExamplesWork(t *testing.T) {
	help := newChat(t, userDataTools...).ask("help").Content
	tried := 0
	for line := range strings.Lines(help) {
		_, example, ok := strings.Cut(strings.TrimSpace(line), "Try `")
		if !ok {
			continue
		}
		tried++
		tool := strings.Split(line, "`")[1]
		calls := newUserDataChat(t).ask(strings.TrimSuffix(example, "`")).ToolCalls
		if len(calls) != 1 || calls[0].Name != tool {
			t.Errorf("the example %q leads to %v, want %s", example, shown(calls), tool)
		}
	}
	if tried != len(userDataTools) {
		t.Errorf("%d examples, want one of each of %d tools:\n%s", tried, len(userDataTools), help)
	}
}

func TestOwn_ASkillThatRequiresSuchAToolIsFollowed(t *testing.T) {
	c := newUserDataChat(t)
	m := c.ask(activated("look", "", "---\nname: look\ntools_required: [portfolio_positions, tax_lots]\n---\n"))
	if diff := cmp.Diff([]string{`portfolio_positions{}`, `tax_lots{}`}, shown(m.ToolCalls)); diff != "" {
		t.Fatalf("calls (-want +got):\n%s", diff)
	}
	wantEvery(t, c.give(positionsResult, `{"error":"the book is empty","code":"no_data"}`).Content, "Following the skill `look`", "is worth **2,250.50 USD**", "! `tax_lots`: the book is empty.")
}

func TestOwn_WhatOfTheQuestionWasNotUsedIsSaid(t *testing.T) {
	other := changed(t, positionsResult, map[string]any{"positions": []map[string]any{{"symbol": "AAPL", "quantity": "3"}, {"symbol": "MSFT", "quantity": "4"}}})
	got := userDataAnswer(t, "show my portfolio without AAPL", other)
	wantEvery(t, got, "! Nothing was left out of the answer: it is of all that you keep.", "**AAPL**", "**MSFT**")
	wantEvery(t, userDataAnswer(t, "my allocation since 2020", allocationResult), "! The time in your question was not used.")
	wantAbsent(t, userDataAnswer(t, "my allocation", allocationResult), "! The time", "left out of the answer")
}
