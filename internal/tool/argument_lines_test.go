package tool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

func TestArgumentLines_ShowEveryValueByItsName(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"symbol":"^GSPC","n":3.50,"all":true,"from":null}`:   {"symbol: ^GSPC", "n: 3.50", "all: true", "from: null"},
		`{"to":"a@example.com","to":"b@example.com"}`:          {"to: a@example.com", "to: b@example.com"},
		`{"order":{"legs":[{"symbol":"A","n":1},{}],"x":[]}}`:  {"order.legs 1.symbol: A", "order.legs 1.n: 1", "order.legs 2: empty", "order.x: empty"},
		`{"body":"Dear A,\n\nto: b","empty":"","blank":" x "}`: {"body: 3 lines", "  | Dear A,", "  | ", "  | to: b", `empty: ""`, `blank: " x "`},
		`{"to: me\nand":"x"}`:                                  {"\"to: me\nand\": x"},
		`{}`:                                                   nil,
		`{"a":1} more`:                                         {`arguments: {"a":1} more`},
		`{"a":`:                                                {`arguments: {"a":`},
	} {
		if diff := cmp.Diff(want, tool.ArgumentLines(raw)); diff != "" {
			t.Errorf("ArgumentLines(%s) (-want +got):\n%s", raw, diff)
		}
	}
}

// Every value of an object is in a line, and no line of an approval holds a character that hides or moves
// text.
func FuzzArgumentLines(f *testing.F) {
	f.Add(`{"path":"a.md","path":"b"}`)
	f.Add(`{"a":"\u202e\n\u001b[2J"}`)
	f.Add(`{"a":[1,{"b":null}]} `)
	f.Add("{\x1b")
	f.Fuzz(func(t *testing.T, raw string) {
		lines := tool.Approval{Call: llm.ToolCall{Arguments: raw}}.Lines()
		var members map[string]any
		if json.Unmarshal([]byte(raw), &members) == nil && len(lines) < len(members) {
			t.Fatalf("%q: %d lines of %d arguments", raw, len(lines), len(members))
		}
		for _, line := range lines {
			if quoted := fmt.Sprintf("%+q", line); strings.ContainsAny(line, "\n\r\x1b") || strings.Contains(quoted, `\u202e`) && !strings.Contains(line, `\u202e`) {
				t.Fatalf("%q: line %q", raw, line)
			}
		}
	})
}
