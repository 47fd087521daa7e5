package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/llm/llmtest"
)

// scaledLedger returns a ledger in nfa's own format with each amount and quantity multiplied by
// size.
func scaledLedger(size int64) string {
	times := func(text string) string {
		return decimal.RequireFromString(text).Mul(decimal.NewFromInt(size)).String()
	}
	var b strings.Builder
	b.WriteString("date,kind,account,symbol,quantity,currency,amount,fee,note,cost_unknown,to_account,source_id,id\n")
	for i, line := range [][]string{
		{"2020-01-02", "deposit", "main", "", "", "USD", "4000000", "", ""},
		{"2020-01-03", "buy", "main", "AAPL", "7123.5", "USD", "534262.50", "9.5", "the 4000000 that came of the house"},
		{"2020-02-03", "buy", "main", "MSFT", "3321.25", "USD", "597825", "9.5", ""},
		{"2021-03-01", "sell", "main", "AAPL", "1123.5", "USD", "134820", "9.5", ""},
		{"2021-06-01", "dividend", "main", "MSFT", "", "USD", "1860.5", "", ""},
		{"2021-07-01", "fee", "main", "", "", "USD", "433.5", "", ""},
	} {
		quantity, amount, fee := line[4], line[6], line[7]
		for _, n := range []*string{&quantity, &amount, &fee} {
			if *n != "" {
				*n = times(*n)
			}
		}
		note := strings.ReplaceAll(line[8], "4000000", times("4000000"))
		fmt.Fprintln(&b, strings.Join([]string{line[0], line[1], line[2], line[3], quantity, line[5], amount, fee, note, "", "", "", fmt.Sprint("t", i)}, ","))
	}
	return b.String()
}

// portfolioTurns returns calls of every tool that reads the portfolio, and of tools whose refusal
// mentions it.
func portfolioTurns() (turns []llmtest.Turn) {
	type in = map[string]any
	n := 0
	call := func(name string, args in) llm.ToolCall {
		n++
		return toolCallOf(fmt.Sprintf("c%d", n), name, args)
	}
	huge := in{"kind": "sell", "symbol": "AAPL", "quantity": 900000000, "amount": 1, "currency": "USD", "date": "2021-08-01", "account": "main"}
	return []llmtest.Turn{
		llmtest.Call(
			call("portfolio_positions", in{}), call("portfolio_positions", in{"at": "2020-12-31"}), call("portfolio_positions", in{"currency": "EUR"}),
			call("tax_lots", in{}), call("tax_lots", in{"kind": "closed"}), call("tax_lots", in{"kind": "harvest"}), call("tax_lots", in{"kind": "wash"}),
			call("tax_lots", in{"symbol": "AAPL"}), call("tax_lots", in{"kind": "closed", "year": 2021, "jurisdiction": "us"}),
		),
		llmtest.Call(
			call("portfolio_transactions", in{}), call("portfolio_transactions", in{"text": "house"}), call("portfolio_transactions", in{"symbol": "AAPL"}), call("portfolio_transactions", in{"text": "4000000"}),
			call("portfolio_performance", in{}), call("portfolio_performance", in{"benchmark": "MSFT"}), call("portfolio_performance", in{"method": "modified_dietz"}),
			call("portfolio_performance", in{"from": "2021-01-04", "to": "2021-12-31"}), call("portfolio_performance", in{"without": []string{"MSFT"}}),
		),
		llmtest.Call(
			call("portfolio_allocation", in{}), call("portfolio_checkup", in{}), call("portfolio_checkup", in{"max_holding": 0.1}),
			call("rebalance_plan", in{"targets": in{"AAPL": 0.5, "MSFT": 0.4}, "whole_shares": false}),
			call("rebalance_plan", in{"targets": in{"AAPL": 0.5, "MSFT": 0.4}, "whole_shares": false, "tax_short": 0.3, "tax_long": 0.15, "band": 0.01}),
			call("portfolio_settings", in{}), call("investor_profile", in{}), call("investor_profile", in{"action": "questions"}), call("decision_journal", in{}), call("decision_journal", in{"action": "review"}), call("watchlist", in{}),
		),
		llmtest.Call(
			call("add_transaction", huge), call("add_transaction", in{"kind": "withdrawal", "amount": 90000000000, "currency": "USD", "date": "2021-08-01", "account": "main"}),
			call("import_transactions", in{"path": "late.csv", "account": "main", "skip_problems": false}), call("import_transactions", in{"path": "late.csv", "account": "main", "opening": false}), call("import_transactions", in{"path": "alien.csv"}), call("import_transactions", in{"path": "book.csv"}),
			call("remove_transaction", in{"id": "t1"}), call("read_file", in{"path": "nfa:book.db"}), call("list_files", in{"path": "nfa:"}),
		),
		llmtest.Call(
			call("add_transaction", in{"kind": "deposit", "amount": 5, "currency": "USD", "date": "2022-08-01", "account": "main"}),
			call("add_transaction", in{"kind": "sell", "symbol": "MSFT", "quantity": 1, "amount": 5, "currency": "USD", "date": "2022-08-02", "account": "main"}),
			call("import_transactions", in{"path": "late.csv", "account": "main"}),
			call("remove_transaction", in{"id": "t5"}), call("investor_profile", in{}),
			call("portfolio_settings", in{"account": in{"name": "main", "cash": "margin"}}),
		),
		// Calls that only read may run before calls that write, so these are in a separate message.
		llmtest.Call(
			call("portfolio_settings", in{}),
			call("write_report", in{"path": "r.md", "content": "# You\n\nAAPL is worth 824,640.00 USD and MSFT 852,730.94 USD; you hold 6,000 and 3,321.25 shares, cost 450,000 USD; cash 3,005,000 USD; income 123,123 USD; the whole is 4,682,345 USD. AAPL weighs 17.61 %, and cash 64.18 %; the gain is 59.99 %.\n"}),
		),
		llmtest.Call(
			call("read_file", in{"path": "r.md"}), call("read_file", in{"path": "r.md.provenance.json"}), call("Skill", in{"name": "portfolio-checkup"}), call("Skill", in{"name": "rebalance"}),
		),
		llmtest.Say("I do not know."),
	}
}

// lateTransactions returns further transactions of the same account that cannot be valid: they sell
// more than it holds.
func lateTransactions(size int64) string {
	return fmt.Sprintf("date,kind,account,symbol,quantity,currency,amount,fee,note,cost_unknown,to_account,source_id,id\n2022-01-03,sell,main,AAPL,%d,USD,%d,,my %d,,,,t8\n2022-01-04,nothing,main,AAPL,%d,USD,%d,,,,,,t9\n",
		77123*size, 1000*size, 55123*size, 88*size, 99*size)
}

// sentMessages returns every message that the model's server received in a conversation about a
// portfolio of this size.
func sentMessages(t *testing.T, size int64) (sent []string, home string) {
	t.Helper()
	server := llmtest.StartServer(llmtest.Answers(portfolioTurns()...)...)
	t.Cleanup(server.Close)
	nfa := runnerInFolderOf(t, server, "NFA_SHARE_AMOUNTS", "false")
	write(t, "book.csv", []byte(scaledLedger(size)))
	write(t, "late.csv", []byte(lateTransactions(size)))
	for _, args := range [][]string{
		{"portfolio", "import", "book.csv", "--yes"},
		{"profile", "answer", "income", fmt.Sprintf("%d USD", 123123*size), "--yes"},
		{"profile", "answer", "net_worth", fmt.Sprintf("%d USD", 5432100*size), "--yes"},
		{"profile", "answer", "liquid_assets", fmt.Sprintf("%d USD", 4000000*size), "--yes"},
		{"profile", "answer", "other_investments", fmt.Sprintf("house %d USD", 40000*size), "--yes"},
		{"watchlist", "add", "AAPL", "--note", fmt.Sprintf("sell all %d of them", 6000*size), "--yes"},
		{"journal", "record", "buy", "MSFT", "--thesis", fmt.Sprintf("%d shares are cheap", 3321*size), "--disproof", fmt.Sprintf("a loss of %d", 70123*size), "--benchmark", "none", "--yes"},
	} {
		if code, _, errOut := nfa(args...); code != exitOK {
			t.Fatalf("nfa %v = %d, %s", args, code, errOut)
		}
	}
	write(t, "alien.csv", []byte(fmt.Sprintf("day,what,paper,pieces,sum\n2021-01-04,Kauf,AAPL,%d,%d\n2021-01-05,Verkauf,AAPL,%d,%d\n", 1234*size, 56789*size, 1233*size, 777*size)))
	if code, _, errOut := nfa("ask", "--yes", "--log-level", "debug", "what do I own?"); code != exitOK {
		t.Fatalf("ask = %d, %s", code, errOut)
	}
	requests := server.Requests()
	var last struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
	}
	// Each request contains the previous messages.
	if err := json.Unmarshal(requests[len(requests)-1].Body, &last); err != nil {
		t.Fatal(err)
	}
	// These differ in each run: new IDs and times.
	varying := regexp.MustCompile(`1n[a-z0-9]{13}|\d{4}-\d\d-\d\dT[0-9:.]+Z|\d{8}-\d{6}-[a-z0-9]{6}`)
	for _, m := range last.Messages {
		sent = append(sent, varying.ReplaceAllString(m.Content, "…"))
	}
	_, out, _ := nfa("config", "path")
	return sent, filepath.Dir(strings.TrimSpace(out))
}

// TestPortfolio_AModelCannotTellHowLargeAHiddenBookIs compares two portfolios that differ only in
// size. A message that the model got for one and not for the other would reveal the size.
func TestPortfolio_AModelCannotTellHowLargeAHiddenBookIs(t *testing.T) {
	small, home := sentMessages(t, 1)
	large, _ := sentMessages(t, 7)
	if len(small) != len(large) {
		t.Fatalf("%d messages about one portfolio and %d about the other", len(small), len(large))
	}
	for i, m := range small {
		if diff := cmp.Diff(m, large[i]); diff != "" {
			t.Errorf("message %d tells the sizes of the books apart: -small +large\n%s", i, diff)
		}
	}
	for _, want := range []string{"share_amounts", "64.18", "2 of 11 figures traced", "not held", "depends on it; remove that one first", "opening true", "line 2, cell types: date, text, text, number, number"} {
		if !strings.Contains(strings.Join(small, "\n"), want) {
			t.Errorf("no message to the model contains %q: the calls did not return the expected results", want)
		}
	}
	logged, err := os.ReadFile(filepath.Join(home, "nfa.log"))
	if err != nil || !strings.Contains(string(logged), "portfolio_positions") {
		t.Fatalf("the log of %s: %.200s, %v; want the calls", home, logged, err)
	}
	holdings := regexp.MustCompile(`AAPL|MSFT|6000|3321|534262|4000000|123123|main|house`)
	measured := regexp.MustCompile(`"(took|sent_bytes|events|time)":[^,}]*`)
	if found := holdings.Find(measured.ReplaceAll(logged, nil)); found != nil {
		t.Errorf("the log at debug level holds %q", found)
	}
}
