package skill

import (
	"fmt"
	"maps"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// MaxDataCalls is the number of calls that a body may make when it is loaded.
const MaxDataCalls = 16

// Rendered is the content of a skill for the model, with the calls that its body makes when it is loaded.
// Each call is a command such as "quote AAPL", written in the body as !{quote AAPL}.
type Rendered struct {
	texts []string // around the calls
	Calls []string
}

// Insert returns the content with each call replaced by its result.
func (r Rendered) Insert(results []string) string {
	var b strings.Builder
	for i, text := range r.texts {
		b.WriteString(text)
		if i < len(r.Calls) {
			b.WriteString(results[i])
		}
	}
	return b.String()
}

// withMarks returns the content with each call replaced by its DataMark, because the model receives the
// results separately.
func (r Rendered) withMarks() string {
	marks := make([]string, len(r.Calls))
	for i, call := range r.Calls {
		marks[i] = DataMark(i, call)
	}
	return r.Insert(marks)
}

// DataMark returns the text that replaces call i.
func DataMark(i int, call string) string { return fmt.Sprintf("[data %d: %s]", i+1, call) }

// These bytes replace the braces of a call while the arguments are filled in, so that no argument can add
// a call. They do not occur in text.
const callBegin, callEnd = "\x00", "\x01"

var callBytes = strings.NewReplacer(callBegin, "", callEnd, "")

// RenderData returns a skill's content with the arguments filled in, also inside the calls of the body.
func RenderData(c Content, a workflow.Arguments) Rendered {
	c, n := markCalls(c)
	if n == 0 {
		return Rendered{texts: []string{Render(c, a)}}
	}
	return splitCalls(Render(c, withoutMarks(a)))
}

// SplitData returns a skill's content as written.
func SplitData(c Content) Rendered {
	c, _ = markCalls(c)
	return splitCalls(c.Text)
}

func splitCalls(marked string) Rendered {
	pieces := strings.Split(marked, callBegin)
	r := Rendered{texts: pieces[:1:1]}
	for _, piece := range pieces[1:] {
		call, text, _ := strings.Cut(piece, callEnd)
		r.Calls, r.texts = append(r.Calls, strings.TrimSpace(call)), append(r.texts, text)
	}
	return r
}

// withoutMarks removes from arguments what could begin or end a call.
func withoutMarks(a workflow.Arguments) workflow.Arguments {
	a.Text, a.Values = callBytes.Replace(a.Text), maps.Clone(a.Values)
	for name, value := range a.Values {
		value.Text = callBytes.Replace(value.Text)
		a.Values[name] = value
	}
	return a
}

// markCalls replaces the braces of the calls in a body, and counts the calls. A call is on one line; in
// `code` it is only an example.
func markCalls(c Content) (marked Content, n int) {
	c.Text, c.Body = callBytes.Replace(c.Text), callBytes.Replace(c.Body)
	head, body := strings.TrimSuffix(c.Text, c.Body), c.Body
	var b strings.Builder
	for n < MaxDataCalls {
		start := strings.Index(body, "!{")
		if start < 0 {
			break
		}
		length := callLength(body[start+2:])
		if length < 1 || start > 0 && body[start-1] == '`' {
			b.WriteString(body[:start+2])
			body = body[start+2:]
			continue
		}
		b.WriteString(body[:start] + callBegin + body[start+2:start+2+length] + callEnd)
		body = body[start+2+length+1:]
		n++
	}
	c.Body = b.String() + body
	c.Text = head + c.Body
	return c, n
}

// callLength returns the length of a call up to its closing brace, or -1 if it is not closed in its line.
func callLength(text string) int {
	depth := 0
	for i, r := range text {
		switch {
		case r == '\n':
			return -1
		case r == '{':
			depth++
		case r == '}' && depth == 0:
			return i
		case r == '}':
			depth--
		}
	}
	return -1
}
