package workflow_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

const growthSteps = `
parameters:
  - {name: amount, type: money}
  - {name: rate, type: percent}
  - {name: shares, type: number}
steps:
  - id: gain
    tool: calculate
    with: {expression: "{{amount}} * {{rate}} - {{shares}}"}
  - id: note
    tool: report
    with: {text: "{{amount}} at {{rate}}", currency: "{{amount.currency}}", amount: "{{amount}}"}
`

// In an expression money is its number and a percentage is a fraction; elsewhere they stay.
func TestPlan_ExpressionsCalculateWithMoneyAndPercent(t *testing.T) {
	steps, declared := parseSkill(t, growthSteps)
	for _, row := range []struct {
		amount, rate      string
		expression, coins string
	}{
		{"$1,000", "5%", "1000 * 0.05 - (-2)", "USD"},
		{"1000 USD", "5", "1000 * 0.05 - (-2)", "USD"},
		{"€250.50", "0.05", "250.50 * 0.0005 - (-2)", "EUR"},
		{"CA$3", "-12.5%", "3 * (-0.125) - (-2)", "CAD"},
		{"-1000 chf", "100%", "(-1000) * 1 - (-2)", "CHF"},
	} {
		arguments, err := workflow.ReadArguments(declared, map[string]any{"amount": row.amount, "rate": row.rate, "shares": json.Number("-2")})
		if err != nil {
			t.Fatal(err)
		}
		plan := workflow.NewPlan(steps, declared, arguments, workflow.Environment{})
		if err := plan.Err(); err != nil {
			t.Fatal(err)
		}
		var with struct{ Expression, Currency string }
		if err := json.Unmarshal(plan.Steps[0].Arguments, &with); err != nil || with.Expression != row.expression {
			t.Errorf("%s, %s: expression %q (%v), want %q", row.amount, row.rate, with.Expression, err, row.expression)
		}
		if err := json.Unmarshal(plan.Steps[1].Arguments, &with); err != nil || with.Currency != row.coins {
			t.Errorf("%s: currency %q (%v), want %q", row.amount, with.Currency, err, row.coins)
		}
	}
	bare, err := workflow.ReadArguments(declared, map[string]any{"amount": "1000", "rate": "5", "shares": "1"})
	if err != nil {
		t.Fatal(err)
	}
	plan := workflow.NewPlan(steps, declared, bare, workflow.Environment{})
	if got := string(plan.Steps[1].Arguments); got != `{"amount":"1000","text":"1000 at 5"}` {
		t.Errorf("arguments %s, want no currency for an amount without one", got)
	}
}

// The plan evaluates steps that only calculate, so that their errors come before the
// confirmation, and shows what later steps receive.
func TestPlan_EvaluatesWhatItCan(t *testing.T) {
	steps, declared := parseSkill(t, `
steps:
  - {id: a, tool: calculate, with: {expression: "2 * 3"}}
  - {id: b, tool: calculate, with: {expression: "{{steps.a.result}} / 0"}}
`)
	var asked []string
	environment := workflow.Environment{Compute: func(tool string, args json.RawMessage) (json.RawMessage, bool, error) {
		asked = append(asked, string(args))
		if strings.Contains(string(args), "/ 0") {
			return nil, false, errors.New("division by zero")
		}
		return json.RawMessage(`{"result": "6"}`), true, nil
	}}
	plan := workflow.NewPlan(steps, declared, workflow.Arguments{}, environment)
	if diff := cmp.Diff([]string{`{"expression":"2 * 3"}`, `{"expression":"6 / 0"}`}, asked); diff != "" {
		t.Errorf("computed (-want +got):\n%s", diff)
	}
	if err := plan.Err(); err == nil || err.Error() != "step b: division by zero" {
		t.Errorf("Err = %v, want the error of step b", err)
	}
}
