package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/trace"
)

// Benchmarks are the names of the question sets that ReadBenchmark reads.
var Benchmarks = []string{"tat-qa", "finqa"}

// Question is a question of a public question set whose answer is a number.
type Question struct {
	ID         string
	Text       string
	Context    string          // the tables and paragraphs that the question is about
	Expression string          // gives the answer
	Answer     decimal.Decimal // as the set rounds it
	Percent    bool            // the answer is in percent, the expression may give a fraction
}

// ReadBenchmark reads the questions of a set that have an arithmetic derivation. tat-qa is the JSON of
// TAT-QA (table, paragraphs, questions with derivation, answer and scale), finqa that of FinQA (table,
// pre_text, post_text, and qa with program and exe_ans).
func ReadBenchmark(name string, data []byte) ([]Question, error) {
	var out []Question
	var err error
	switch name {
	case "tat-qa":
		out, err = readTATQA(data)
	case "finqa":
		out, err = readFinQA(data)
	default:
		return nil, fmt.Errorf("no question set %q; use %s", name, strings.Join(Benchmarks, " or "))
	}
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("the file has no %s question with an arithmetic derivation", name)
	}
	return out, err
}

func readTATQA(data []byte) ([]Question, error) {
	var documents []struct {
		Table struct {
			Rows [][]string `json:"table"`
		} `json:"table"`
		Paragraphs []struct {
			Text string `json:"text"`
		} `json:"paragraphs"`
		Questions []struct {
			ID         string          `json:"uid"`
			Text       string          `json:"question"`
			Type       string          `json:"answer_type"`
			Derivation string          `json:"derivation"`
			Answer     json.RawMessage `json:"answer"`
			Scale      string          `json:"scale"`
		} `json:"questions"`
	}
	if err := json.Unmarshal(data, &documents); err != nil {
		return nil, fmt.Errorf("read TAT-QA: %w", err)
	}
	var out []Question
	for _, d := range documents {
		texts := []string{tableText(d.Table.Rows)}
		for _, p := range d.Paragraphs {
			texts = append(texts, p.Text)
		}
		for _, q := range d.Questions {
			answer, err := decimal.NewFromString(strings.ReplaceAll(strings.Trim(string(q.Answer), `"`), ",", ""))
			if q.Type != "arithmetic" || q.Derivation == "" || err != nil {
				continue
			}
			out = append(out, Question{
				ID: q.ID, Text: q.Text, Context: strings.Join(texts, "\n\n"), Expression: expressionOf(q.Derivation), Answer: answer, Percent: q.Scale == "percent",
			})
		}
	}
	return out, nil
}

func readFinQA(data []byte) ([]Question, error) {
	var documents []struct {
		ID     string     `json:"id"`
		Before []string   `json:"pre_text"`
		After  []string   `json:"post_text"`
		Table  [][]string `json:"table"`
		QA     struct {
			Text    string          `json:"question"`
			Program string          `json:"program"`
			Answer  json.RawMessage `json:"exe_ans"`
		} `json:"qa"`
	}
	if err := json.Unmarshal(data, &documents); err != nil {
		return nil, fmt.Errorf("read FinQA: %w", err)
	}
	var out []Question
	for _, d := range documents {
		expression, ok := programExpression(d.QA.Program)
		answer, err := decimal.NewFromString(strings.Trim(string(d.QA.Answer), `"`))
		if !ok || err != nil { // yes or no, and operations on tables
			continue
		}
		context := strings.Join([]string{strings.Join(d.Before, " "), tableText(d.Table), strings.Join(d.After, " ")}, "\n\n")
		out = append(out, Question{ID: d.ID, Text: d.QA.Text, Context: context, Expression: expression, Answer: answer})
	}
	return out, nil
}

func tableText(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}

var thousands = lazyregexp.New(`(\d),(\d{3})\b`)

// expressionOf rewrites a derivation of TAT-QA as an expression: without separators and currency signs,
// with parentheses for brackets, and without the result after "=".
func expressionOf(derivation string) string {
	text, _, _ := strings.Cut(derivation, "=")
	for thousands().MatchString(text) {
		text = thousands().ReplaceAllString(text, "$1$2")
	}
	return strings.TrimSpace(strings.NewReplacer("[", "(", "]", ")", "$", "", "€", "", "£", "", "¥", "").Replace(text))
}

var programStep = lazyregexp.New(`(add|subtract|multiply|divide|exp)\(([^,()]+),([^,()]+)\)`)

// programExpression rewrites a program of FinQA, such as "subtract(5829, 5735), divide(#0, 5735)". It
// reports false for operations that are not arithmetic.
func programExpression(program string) (string, bool) {
	steps := programStep().FindAllStringSubmatch(program, -1)
	if len(steps) == 0 || strings.Count(program, "(") != len(steps) {
		return "", false
	}
	operators := map[string]string{"add": "+", "subtract": "-", "multiply": "*", "divide": "/", "exp": "^"}
	var results []string
	operand := func(text string) (string, bool) {
		text = expressionOf(strings.TrimSpace(text))
		if number, ok := strings.CutPrefix(text, "#"); ok {
			var i int
			if _, err := fmt.Sscan(number, &i); err != nil || i >= len(results) {
				return "", false
			}
			return results[i], true
		}
		text = strings.Replace(strings.Replace(text, "const_m", "-", 1), "const_", "", 1)
		return "(" + text + ")", text != ""
	}
	for _, s := range steps {
		a, okA := operand(s[2])
		b, okB := operand(s[3])
		if !okA || !okB {
			return "", false
		}
		results = append(results, "("+a+" "+operators[s[1]]+" "+b+")")
	}
	return results[len(results)-1], true
}

// Score is the result of a question set.
type Score struct {
	Questions int `json:"questions"`
	Right     int `json:"right"`
	Failed    int `json:"failed"` // not calculated, or not answered
	// Of the answers of a model: figures, those that are traced, and right answers that were not.
	Figures     int `json:"figures,omitempty"`
	Traced      int `json:"traced,omitempty"`
	FalseAlarms int `json:"false_alarms,omitempty"`
	// Wrong lists the questions that were not answered right.
	Wrong []string `json:"wrong,omitempty"`
}

// ScoreTools evaluates the expression of each question.
func ScoreTools(questions []Question, evaluate func(expression string) (decimal.Decimal, error)) Score {
	s := Score{Questions: len(questions)}
	for _, q := range questions {
		switch v, err := evaluate(q.Expression); {
		case err != nil:
			s.Failed++
			s.Wrong = append(s.Wrong, fmt.Sprintf("%s: %s: %v", q.ID, q.Expression, err))
		case q.isRight(v):
			s.Right++
		default:
			s.Wrong = append(s.Wrong, fmt.Sprintf("%s: %s is %s, not %s", q.ID, q.Expression, v, q.Answer))
		}
	}
	return s
}

// isRight reports whether a value is the answer in the precision of the set.
func (q Question) isRight(v decimal.Decimal) bool {
	half := decimal.New(5, q.Answer.Exponent()-1)
	near := func(v decimal.Decimal) bool { return v.Sub(q.Answer).Abs().LessThanOrEqual(half) }
	return near(v) || q.Percent && near(v.Shift(2))
}

// ModelAnswer is a model's answer with its checked figures.
type ModelAnswer struct {
	Text    string
	Numbers []trace.MatchedNumber
}

// ScoreModel asks each question. An answer is right if one of its numbers is the answer in the
// precision shown.
func ScoreModel(ctx context.Context, questions []Question, ask func(context.Context, string) (ModelAnswer, error)) Score {
	s := Score{Questions: len(questions)}
	for _, q := range questions {
		answer, err := ask(ctx, q.Context+"\n\n"+q.Text+" Calculate with the tool calculate, and answer in one sentence with the number.")
		if err != nil {
			s.Failed++
			s.Wrong = append(s.Wrong, fmt.Sprintf("%s: %v", q.ID, err))
			continue
		}
		s.Figures += len(answer.Numbers)
		traced := map[int]bool{}
		for _, n := range answer.Numbers {
			traced[n.Start] = n.Status == trace.Traced
			if n.Status == trace.Traced {
				s.Traced++
			}
		}
		right, alarm := false, false
		for _, n := range trace.ScanNumbers(answer.Text) {
			if n.Class != trace.ClassFigure || !q.isShown(n) {
				continue
			}
			right = true
			isTraced, checked := traced[n.Start]
			alarm = alarm || checked && !isTraced
		}
		if !right {
			s.Wrong = append(s.Wrong, fmt.Sprintf("%s: %q, not %s", q.ID, answer.Text, q.Answer))
			continue
		}
		s.Right++
		if alarm {
			s.FalseAlarms++
		}
	}
	return s
}

// isShown reports whether an answer contains the right number, rounded as in the answer.
func (q Question) isShown(n trace.Number) bool {
	half := n.Unit.Mul(decimal.New(5, -1))
	for _, value := range []decimal.Decimal{q.Answer, q.Answer.Shift(2)} {
		if n.Value.Sub(value).Abs().LessThanOrEqual(half) && (value.Equal(q.Answer) || n.Kind == trace.UnitPercent) {
			return true
		}
	}
	return false
}

// String formats a score in one line.
func (s Score) String() string {
	share := func(part, of int) string {
		if of == 0 {
			return "n/a"
		}
		return fmt.Sprintf("%d of %d (%.1f%%)", part, of, 100*float64(part)/float64(of))
	}
	text := "right " + share(s.Right, s.Questions)
	if s.Failed > 0 {
		text += fmt.Sprintf(", failed %d", s.Failed)
	}
	if s.Figures > 0 {
		text += ", figures traced " + share(s.Traced, s.Figures) + fmt.Sprintf(", false alarms %d", s.FalseAlarms)
	}
	return text
}
