package tool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/nfa-cli/nfa/internal/tool"
)

type specInput struct {
	Symbol  string  `json:"symbol" jsonschema:"a ticker"`
	Account string  `json:"account,omitempty" arg:"explain" jsonschema:"the one to read"`
	Rate    exact   `json:"rate,omitempty" arg:"rare" jsonschema:"a fraction"`
	Note    *string `json:"note,omitempty" arg:"rare" jsonschema:"any text"`
	Peers   []peer  `json:"peers,omitempty" arg:"brief" jsonschema:"each has a name"`
	Old     string  `json:"old,omitempty" arg:"unsent" jsonschema:"an older form"`
}

type peer struct {
	Name string `json:"name"`
}

// exact keeps a number as written.
type exact float64

var written string

func (e *exact) UnmarshalJSON(raw []byte) error {
	written = string(raw)
	return nil
}

func specTool(got *specInput) tool.Tool {
	return tool.New("spec", "A tool.", tool.Reads, func(_ context.Context, in specInput) (tool.Result, error) {
		*got = in
		return tool.Result{Value: "done"}, nil
	})
}

func TestModelSpec_HasOnlyWhatAModelNeeds(t *testing.T) {
	var got specInput
	raw := string(specTool(&got).ModelSpec().Parameters)
	for _, part := range []string{"a ticker", "an older form", "additionalProperties", "null", `"rate":`, `"note":`, `"old"`, `"name"`} {
		if strings.Contains(raw, part) {
			t.Errorf("%s is sent: %s", part, raw)
		}
	}
	for _, part := range []string{`"symbol"`, "the one to read", `"details"`, "rare: rate, note", `"peers":{"type":"array","items":{"type":"object"},"description":"each has a name"}`, `"required":["symbol"]`} {
		if !strings.Contains(raw, part) {
			t.Errorf("%s is missing: %s", part, raw)
		}
	}
}

func TestDetails_MayHoldRareArgumentsInEveryForm(t *testing.T) {
	for _, args := range []string{
		`{"symbol":"A","details":{"rate":0.123456789012345678,"note":"x"}}`,
		`{"symbol":"A","details":"{\"rate\":0.123456789012345678,\"note\":\"x\"}"}`,
		`{"symbol":"A","rate":0.123456789012345678,"note":"x","old":"y"}`,
	} {
		var got specInput
		res := call(t, newRouter(t, tool.Options{}, specTool(&got)), "spec", args)
		if res.IsError || written != "0.123456789012345678" || got.Note == nil || *got.Note != "x" {
			t.Errorf("%s: got %+v, %s", args, got, res.ErrorText())
		}
	}
}

func TestDetails_AWrongKeyNamesTheRightOnes(t *testing.T) {
	for args, want := range map[string]string{
		`{"symbol":"A","details":{"rat":1}}`:             `unknown key "rat"; allowed keys: rate, note`,
		`{"symbol":"A","details":7}`:                     "must be an object with any of rate, note",
		`{"symbol":"A","rate":1,"details":{"rate":1}}`:   "rate appears twice",
		`{"symbol":"A","details":{"note":{"a":"deep"}}}`: "note",
	} {
		var got specInput
		res := call(t, newRouter(t, tool.Options{}, specTool(&got)), "spec", args)
		if !res.IsError || !strings.Contains(res.ErrorText(), want) {
			t.Errorf("%s: %q, want %q", args, res.ErrorText(), want)
		}
	}
}
