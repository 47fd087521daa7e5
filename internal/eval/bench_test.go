package eval_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/tools/planning"
	"github.com/nfa-cli/nfa/internal/trace"
)

// tatQA is a file in the format of TAT-QA, with the notations that its derivations use.
const tatQA = `[{"table": {"uid": "t", "table": [["", "2019", "2018"], ["Revenue", "$1,568.6", "1,202.9"]]}, "paragraphs": [{"order": 1, "text": "In millions."}],
"questions": [
 {"uid": "q1", "question": "Change?", "answer": 30.4, "derivation": "(1,568.6-1,202.9)/1,202.9", "answer_type": "arithmetic", "scale": "percent"},
 {"uid": "q2", "question": "Average?", "answer": "1385.75", "derivation": "[$1,568.6 + 1,202.9]/2 = 1,385.75", "answer_type": "arithmetic", "scale": "million"},
 {"uid": "q3", "question": "Points?", "answer": -12.6, "derivation": "44.1% - 56.7%", "answer_type": "arithmetic", "scale": "percent"},
 {"uid": "q4", "question": "Which years?", "answer": ["2019"], "derivation": "", "answer_type": "span", "scale": ""}]}]`

const finQA = `[{"id": "f1", "pre_text": ["Before."], "post_text": ["After."], "table": [["a", "5829"], ["b", "5735"]],
 "qa": {"question": "Growth?", "program": "subtract(5829, 5735), divide(#0, 5735)", "exe_ans": 0.01639}},
 {"id": "f2", "pre_text": [], "post_text": [], "table": [], "qa": {"question": "More?", "program": "greater(1, 2)", "exe_ans": "no"}},
 {"id": "f3", "pre_text": [], "post_text": [], "table": [], "qa": {"question": "Scaled?", "program": "multiply(12.5%, const_100)", "exe_ans": 12.5}}]`

func evaluate(expression string) (decimal.Decimal, error) {
	n, err := planning.Evaluate(expression)
	return n.Decimal, err
}

func TestScoreTools_EvaluatesTheDerivationsOfPublicSets(t *testing.T) {
	for name, data := range map[string]string{"tat-qa": tatQA, "finqa": finQA} {
		questions, err := eval.ReadBenchmark(name, []byte(data))
		if err != nil {
			t.Fatal(err)
		}
		s := eval.ScoreTools(questions, evaluate)
		if want := map[string]int{"tat-qa": 3, "finqa": 2}[name]; s.Questions != want || s.Right != want {
			t.Errorf("%s: %s, want %d of %d; %s", name, s, want, want, strings.Join(s.Wrong, "; "))
		}
	}
	if _, err := eval.ReadBenchmark("gsm8k", nil); err == nil || !strings.Contains(err.Error(), "tat-qa or finqa") {
		t.Errorf("an unknown set: %v", err)
	}
}

// Two small sets in the formats of the public ones: Apple's figures for fiscal 2023 to 2025, and answers
// computed with Python.
func TestScoreTools_OfOurOwnSets(t *testing.T) {
	for name, want := range map[string]int{"tat-qa": 12, "finqa": 8} {
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		questions, err := eval.ReadBenchmark(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if s := eval.ScoreTools(questions, evaluate); s.Questions != want || s.Right != want {
			t.Errorf("%s: %s, want %d of %d; %s", name, s, want, want, strings.Join(s.Wrong, "; "))
		}
	}
}

func TestScoreModel_CountsRightAnswersTracedFiguresAndFalseAlarms(t *testing.T) {
	questions, err := eval.ReadBenchmark("tat-qa", []byte(tatQA))
	if err != nil {
		t.Fatal(err)
	}
	number := func(text, figure string, status trace.Status) eval.ModelAnswer {
		at := strings.Index(text, figure)
		return eval.ModelAnswer{Text: text, Numbers: []trace.MatchedNumber{{Start: at, End: at + len(figure), Text: figure, Status: status}}}
	}
	answers := []eval.ModelAnswer{
		number("Revenue rose 30.4%.", "30.4%", trace.Traced), number("The average is $1,385.75.", "$1,385.75", trace.Untraced), number("It fell by 9.9 points.", "9.9", trace.Untraced),
	}
	s := eval.ScoreModel(t.Context(), questions, func(context.Context, string) (eval.ModelAnswer, error) {
		if len(answers) == 0 {
			return eval.ModelAnswer{}, errors.New("no more answers")
		}
		a := answers[0]
		answers = answers[1:]
		return a, nil
	})
	if got, want := s.String(), "right 2 of 3 (66.7%), figures traced 1 of 3 (33.3%), false alarms 1"; got != want {
		t.Errorf("score %q, want %q; %v", got, want, s.Wrong)
	}
}
