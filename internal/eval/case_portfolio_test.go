package eval_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

// deposit is a call that records a deposit in the portfolio.
const deposit = "{tool: add_transaction, arguments: {kind: deposit, account: main, date: 2022-01-03, amount: 1234.50, currency: USD}}"

// portfolioCase returns a case that lists the transactions of a portfolio, and then answers with text.
func portfolioCase(transactions, text, expect string) string {
	return "cases:\n  - arguments: AAPL\n    book: " + transactions + "\n    turns:\n      - calls: [{tool: portfolio_transactions}]\n      - text: " + text + "\n    expect: " + expect + "\n"
}

func TestRunner_ACaseHasAPortfolioOfItsOwn(t *testing.T) {
	full := portfolioCase("["+deposit+"]", "Paid in on 2022-01-03 were 1234.50 USD.", `{contains: ["1234.50"]}`)
	empty := strings.TrimPrefix(portfolioCase("[]", "Nothing is recorded.", "{errors: 1}"), "cases:\n")
	results := resultsOf(t, runnerOf(t, full+empty+strings.TrimPrefix(full, "cases:\n")).Test(t.Context(), "pricer"))
	if len(results) != 3 {
		t.Fatalf("results = %+v, want three", results)
	}
	for _, r := range results {
		if r.Verdict != eval.Pass {
			t.Errorf("case %d: %s for %q, want pass", r.Number, r.Verdict, r.Reasons)
		}
	}
}

func TestRunner_AStatementOfTheFolderFillsAPortfolio(t *testing.T) {
	got := only(t, "cases:\n  - arguments: AAPL\n    book: [{tool: import_transactions, arguments: {path: book.csv}}]\n"+
		"    turns:\n      - calls: [{tool: portfolio_positions}]\n      - text: All of it is worth 41114.80 USD.\n    expect: {contains: [\"41114.80\"]}\n")
	if got.Verdict != eval.Pass {
		t.Errorf("%s for %q, want pass", got.Verdict, got.Reasons)
	}
}

func TestRunner_WithoutAPortfolioItsToolsAreNotThere(t *testing.T) {
	got := only(t, "cases:\n  - arguments: AAPL\n    turns: [{calls: [{tool: portfolio_positions}]}, {text: Done.}]\n")
	if got.Verdict != eval.Fail || len(got.Reasons) != 1 || got.Reasons[0] != "turn 1: no tool named portfolio_positions" {
		t.Errorf("%s for %q, want the tool missing", got.Verdict, got.Reasons)
	}
}

func TestRunner_TheCaseItselfRecordsNothing(t *testing.T) {
	got := only(t, "cases:\n  - arguments: AAPL\n    book: []\n    turns:\n      - calls: ["+deposit+"]\n      - calls: [{tool: portfolio_transactions}]\n      - text: Refused, and nothing is recorded.\n    expect: {errors: 2}\n")
	if got.Verdict != eval.Pass {
		t.Errorf("%s for %q, want the call refused and the portfolio still empty", got.Verdict, got.Reasons)
	}
}

func TestRunner_APortfolioThatCannotBeFilledFailsItsCase(t *testing.T) {
	for _, tc := range []struct{ name, book, want string }{
		{"a tool that is not there", "[{tool: add_transactoin}]", "portfolio, call 1: no tool named add_transactoin"},
		{"a tool of something else", "[{tool: write_report, arguments: {path: r.md, content: x}}]", "portfolio, call 1: no tool named write_report"},
		{"arguments that do not fit", "[" + deposit + ", {tool: add_transaction, arguments: {kind: [deposit]}}]", "portfolio, call 2: arguments of add_transaction "},
		{"what the ledger refuses", "[{tool: add_transaction, arguments: {kind: sell, symbol: AAPL, quantity: 5, price: 1, date: 2022-01-03, account: main}}]", "portfolio, call 1: add_transaction: "},
		{"a file that is not there", "[{tool: import_transactions, arguments: {path: no.csv}}]", "portfolio, call 1: import_transactions: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := only(t, portfolioCase(tc.book, "Done.", "{}"))
			if got.Verdict != eval.Fail || len(got.Reasons) != 1 || !strings.HasPrefix(got.Reasons[0], tc.want) {
				t.Errorf("%s for %q, want it to fail alone for %q", got.Verdict, got.Reasons, tc.want)
			}
		})
	}
}

func TestRunner_ASkillThatNeedsThePortfolioIsRunWithOne(t *testing.T) {
	needs := strings.Replace(pricer, "[quote]", "[quote, portfolio_transactions]", 1)
	for evals, want := range map[string]eval.Verdict{
		portfolioCase("["+deposit+"]", "Done.", "{}"):       eval.Pass,
		"cases:\n  - {arguments: A, turns: [{text: D.}]}\n": eval.NotRun,
	} {
		skills, _ := skilltest.OpenRegistry(t, skilltest.UserRoot(skilltest.Files{"pricer/SKILL.md": needs, "pricer/evals.yaml": evals}.Write(t)))
		if got := resultsOf(t, overSample(t, skills).Test(t.Context(), "pricer"))[0]; got.Verdict != want {
			t.Errorf("%s for %q, want %s of\n%s", got.Verdict, got.Reasons, want, evals)
		}
	}
}

func TestRunner_APortfolioThatCannotBeMadeEndsTheTest(t *testing.T) {
	broken := errors.New("no room")
	r := runnerOf(t, portfolioCase("[]", "Done.", "{}"))
	for _, give := range []func() (eval.CasePortfolio, error){nil, func() (eval.CasePortfolio, error) { return eval.CasePortfolio{}, broken }} {
		r.NewPortfolio = give
		count := 0
		for result, err := range r.Test(t.Context(), "pricer") {
			if count++; err == nil || give != nil && !errors.Is(err, broken) {
				t.Errorf("Test() = %+v, %v; want why there is no portfolio", result, err)
			}
		}
		if count != 1 {
			t.Errorf("%d results, want the error alone", count)
		}
	}
}

func TestIDs_CountOn(t *testing.T) {
	ids := eval.SequentialIDs()
	first, _ := ids(2)
	second, err := ids(1)
	if got := strings.Join(append(first, second...), " "); got != "e1 e2 e3" || err != nil {
		t.Errorf("SequentialIDs = %s, %v, want e1 e2 e3", got, err)
	}
}
