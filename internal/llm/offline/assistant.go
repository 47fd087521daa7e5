package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/nfa-cli/nfa/internal/llm"
)

// Options are the dependencies of an Assistant.
type Options struct {
	// Now returns the time from which "last year" is counted; nil means time.Now.
	Now func() time.Time
	// Catalog returns the tools and skills. It is called for each question, so that new ones are included.
	// The index is rebuilt only if the names of tools or skills changed.
	Catalog func() Catalog
	// Instruments finds the securities, indices and coins that questions name.
	Instruments Directory
	// Commands rewrites command lines in a text as the user types them on this screen; nil keeps them.
	Commands func(text string) string
}

// Assistant answers questions by rules. It is safe for concurrent use.
type Assistant struct {
	options Options
	names   *instruments

	mu    sync.Mutex
	made  string // names of the tools and skills in ready
	ready *catalog
}

// New returns an assistant. It builds its index at the first question.
func New(o Options) *Assistant {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Commands == nil {
		o.Commands = func(text string) string { return text }
	}
	return &Assistant{options: o, names: newInstruments(o.Instruments)}
}

func (a *Assistant) catalog() *catalog {
	var from Catalog
	if a.options.Catalog != nil {
		from = a.options.Catalog()
	}
	var made strings.Builder
	for _, t := range from.Tools {
		made.WriteString(t.Name + " ")
	}
	for _, s := range from.Skills {
		made.WriteString(s.Name + "\x00")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ready == nil || a.made != made.String() {
		a.ready = newCatalog(from)
		a.ready.names = a.names
		a.made = made.String()
	}
	return a.ready
}

// Stream answers a request: text word by word, then the calls. Usage is zero, since there are no
// tokens to count. The only error is that of ctx.
func (a *Assistant) Stream(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		reply := a.reply(req)
		reply.text = a.options.Commands(reply.text)
		for chunk := range reply.chunks() {
			if err := ctx.Err(); err != nil {
				yield(llm.Chunk{}, err)
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// reply is one message of the assistant: text, or calls.
type reply struct {
	text    string
	shown   []shownPart // after text
	calls   []llm.ToolCall
	outcome llm.Outcome
}

// shownPart is a part of a reply that repeats the result of a call, or reports that a call failed.
type shownPart struct {
	call string // "" if the text repeats no result
	text string
}

// maxTurns is the maximum number of user messages that are read again for unanswered questions.
const maxTurns = 8

func (a *Assistant) reply(req llm.Request) reply {
	c := a.catalog()
	var asked []int // indices of the user's messages
	for i, m := range req.Messages {
		if m.Role == llm.RoleUser {
			asked = append(asked, i)
		}
	}
	if len(asked) == 0 {
		return reply{text: overview(false), outcome: llm.Outcome{Kind: llm.OutcomeAnswered}}
	}
	now := a.options.Now()
	var before frame
	var d decision
	recent := asked[max(0, len(asked)-maxTurns):]
	for i, at := range recent {
		d = dialog{c, lastAnswer(req.Messages[:at]), lastRecorded(req.Messages[:at])}.decide(req.Messages[at].Content, before, now)
		if d.forget {
			before = frame{symbols: before.symbols, time: before.time}
			continue
		}
		if d.frame.tool == "" && len(d.frame.symbols) == 0 {
			before.missing = nil
			continue // the next question cannot follow up on this one
		}
		d.frame.earlier = before.symbols
		before = d.frame
		if i+1 < len(recent) && lacksAccount(resultsOf(req.Messages[at+1:recent[i+1]])) {
			before.missing = &needAccount
		}
	}
	rest := req.Messages[asked[len(asked)-1]+1:]
	if results := resultsOf(rest); len(results) > 0 {
		return c.report(d, results)
	}
	if len(d.calls) == 0 {
		return reply{text: withNotes(d.notes, d.text), outcome: d.outcome}
	}
	r := reply{outcome: d.outcome}
	for n, call := range d.calls {
		args, err := json.Marshal(inJSON(call.args))
		if err != nil { // not reached: the arguments are texts, numbers and lists of them
			args = []byte("{}")
		}
		r.calls = append(r.calls, llm.ToolCall{ID: fmt.Sprintf("offline_%d_%d", len(req.Messages), n), Name: call.tool, Arguments: string(args)})
	}
	return r
}

// inJSON converts amounts to JSON numbers with all their digits.
func inJSON(v any) any {
	switch v := v.(type) {
	case amount:
		return json.Number(v.String())
	case map[string]any:
		out := map[string]any{}
		for name, one := range v {
			out[name] = inJSON(one)
		}
		return out
	case []amount:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = inJSON(one)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = inJSON(one)
		}
		return out
	default:
		return v
	}
}

// lastAnswer returns the newest text of the assistant.
func lastAnswer(messages []llm.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if m := messages[i]; m.Role == llm.RoleAssistant && m.Content != "" && len(m.ToolCalls) == 0 {
			return m.Content
		}
	}
	return ""
}

func (r reply) chunks() iter.Seq[llm.Chunk] {
	return func(yield func(llm.Chunk) bool) {
		gap := ""
		for _, part := range append([]shownPart{{text: r.text}}, r.shown...) {
			if part.text == "" {
				continue
			}
			for piece := range pieces(gap + part.text) {
				if !yield(llm.Chunk{Text: piece, Result: part.call}) {
					return
				}
			}
			gap = "\n\n"
		}
		finish := llm.FinishStop
		for _, call := range r.calls {
			finish = llm.FinishToolCalls
			if !yield(llm.Chunk{ToolCall: &call}) {
				return
			}
		}
		outcome := r.outcome
		yield(llm.Chunk{Finish: finish, Usage: &llm.Usage{}, Outcome: &outcome})
	}
}

// maxPieceBytes limits a piece of text without spaces, such as Chinese.
const maxPieceBytes = 48

// pieces splits text after each word. The pieces add up to the text, byte for byte.
func pieces(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, spaced := 0, false
		for i, r := range text {
			space := unicode.IsSpace(r)
			if i > start && (spaced && !space || i-start+utf8.RuneLen(r) > maxPieceBytes) {
				if !yield(text[start:i]) {
					return
				}
				start = i
			}
			spaced = space
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}
