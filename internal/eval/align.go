package eval

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/nfa-cli/nfa/internal/llm"
)

// alignment pairs as many expected calls as possible with the calls that were made, in order.
type alignment struct {
	expected, made []Call
	partner        []int // index of each expected call among the calls made; -1 for none
}

// align finds the longest common subsequence of both lists.
func align(expected, made []Call) alignment {
	a := alignment{expected, made, make([]int, len(expected))}
	fits := make([][]bool, len(expected))
	longest := make([][]int, len(expected)+1) // of the calls from i and from j on
	longest[len(expected)] = make([]int, len(made)+1)
	for i := len(expected) - 1; i >= 0; i-- {
		fits[i] = make([]bool, len(made))
		longest[i] = make([]int, len(made)+1)
		for j := len(made) - 1; j >= 0; j-- {
			fits[i][j] = made[j].covers(expected[i])
			longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			if fits[i][j] {
				longest[i][j] = max(longest[i][j], 1+longest[i+1][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(expected); {
		switch {
		case j < len(made) && fits[i][j]: // no alignment that starts this way has more matches
			a.partner[i] = j
			i, j = i+1, j+1
		case j < len(made) && longest[i][j] == longest[i][j+1]:
			j++
		default:
			a.partner[i] = -1
			i++
		}
	}
	return a
}

// missing explains what is wrong with each expected call that has no match.
func (a alignment) missing() []string {
	var out []string
	for i, call := range a.expected {
		if a.partner[i] >= 0 {
			continue
		}
		wrong := "was not made"
		switch {
		case slices.ContainsFunc(a.made, func(m Call) bool { return m.covers(call) }):
			wrong = "was not made in this order"
		case slices.ContainsFunc(a.made, func(m Call) bool { return m.Tool == call.Tool }):
			wrong = "was made with other arguments"
		}
		out = append(out, fmt.Sprintf("expected call %d of %d %s: %s", i+1, len(a.expected), wrong, call))
	}
	return out
}

// lines returns both lists merged into one, each pair once.
func (a alignment) lines() []string {
	var out []string
	j := 0
	upTo := func(end int) {
		for ; j < end; j++ {
			out = append(out, "+ "+a.made[j].String())
		}
	}
	for i, call := range a.expected {
		if a.partner[i] < 0 {
			out = append(out, "- "+call.String())
			continue
		}
		upTo(a.partner[i])
		out = append(out, "= "+a.made[j].String())
		j++
	}
	upTo(len(a.made))
	return out
}

// covers reports whether a call has the same tool as least and includes all its arguments.
func (c Call) covers(least Call) bool {
	if c.Tool != least.Tool {
		return false
	}
	return len(least.Arguments) == 0 || containsValue(least.Arguments, c.Arguments)
}

// containsValue reports whether got contains want: all members of an object, or otherwise an equal
// value.
func containsValue(want, got any) bool {
	switch want := want.(type) {
	case map[string]any:
		got, ok := got.(map[string]any)
		for key, value := range want {
			actual, found := got[key]
			ok = ok && found && containsValue(value, actual)
		}
		return ok
	case []any:
		got, ok := got.([]any)
		return ok && slices.EqualFunc(want, got, containsValue)
	case json.Number:
		got, ok := got.(json.Number)
		return ok && sameNumber(want, got)
	}
	return reflect.DeepEqual(want, got)
}

func sameNumber(a, b json.Number) bool {
	x, errA := strconv.ParseFloat(a.String(), 64)
	y, errB := strconv.ParseFloat(b.String(), 64)
	return a == b || errA == nil && errB == nil && x == y
}

// parseCall converts a call as sent to the router.
func parseCall(call llm.ToolCall) Call {
	decoder := json.NewDecoder(strings.NewReader(call.Arguments))
	decoder.UseNumber()
	c := Call{Tool: call.Name}
	// Arguments that are not an object cannot be compared; the router reports that.
	_ = decoder.Decode(&c.Arguments)
	return c
}
