package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/llm"
	"github.com/nfa-cli/nfa/internal/tool"
)

// openTools sets the tools that the model of this turn may call. The built-in assistant sees every tool.
func (t *turn) openTools() {
	t.router = t.setup.Router.ForModel()
	if !t.defers() {
		return
	}
	finder := t.setup.Finder
	finder.Limit = t.setup.Request.FoundTools
	t.router = t.router.WithFinder(finder)
	if n := t.setup.Request.ResultBytes; n > 0 {
		t.router = t.router.WithModelBytes(n)
	}
	t.core = CoreTools(t.setup.Request, t.setup.Core, t.router)
}

// defers reports whether tools are sent only on demand.
func (t *turn) defers() bool { return t.setup.Request.Name != "" && !t.setup.RuleBased }

func (t *turn) mostTools() int {
	if !t.defers() {
		return requestProfiles[0].MaxTools
	}
	return t.setup.Request.MaxTools
}

// specs returns the tools of the next request.
func (t *turn) specs() []llm.ToolSpec {
	if !t.defers() {
		return t.without(t.router.Specs())
	}
	return t.without(modelSpecs(t.router, t.toolset.names(t.core, t.router, t.mostTools())))
}

// without omits the tools that repeated a call too often.
func (t *turn) without(specs []llm.ToolSpec) []llm.ToolSpec {
	return slices.DeleteFunc(specs, func(s llm.ToolSpec) bool { return t.refused[s.Name] })
}

// activated returns the tools that a result loads: those it found, and the called tool itself, which may
// not have been in the request.
func (t *turn) activated(o tool.Outcome) []string {
	if !t.defers() || tool.StepName(o.Call.ID) != "" {
		return nil
	}
	var names []string
	for _, name := range append([]string{o.Call.Name}, o.Result.Activates...) {
		if _, ok := t.router.Lookup(name); ok && !slices.Contains(t.core, name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (t *turn) activate(o tool.Outcome) { t.toolset.load(t.activated(o), t.core, t.mostTools()) }

// prompt returns the system prompt of the session.
func (t *turn) prompt() string {
	if t.setup.PromptOn == nil {
		return t.setup.Prompt
	}
	return t.setup.PromptOn(t.began)
}

// newDay returns a note for the model if the date has changed since it was last told, or "". The built-in
// assistant needs none: it has a clock.
func (t *turn) newDay(now time.Time) string {
	day := now.Format(time.DateOnly)
	if t.setup.RuleBased || t.setup.PromptOn == nil || day == t.reportedDay.In(now.Location()).Format(time.DateOnly) {
		return ""
	}
	t.reportedDay = now
	return "[Today is " + day + ".]\n\n"
}

// A request to a small window takes at most smallFillPercent of it, at 3.5 bytes a token.
const (
	smallFillPercent = 75
	bytesPer2Tokens  = 7
)

// requestBytes returns the size of the next request.
func (t *turn) requestBytes() int {
	total := messageBytes(llm.Message{Content: t.prompt()})
	for _, m := range t.outgoingMessages() {
		total += messageBytes(m)
	}
	for _, spec := range t.specs() {
		total += specBytes(spec)
	}
	return total
}

// messageBytes returns the approximate size of a message in the body of a request.
func messageBytes(m llm.Message) int {
	const envelope, callEnvelope = 60, 80
	total := envelope + quotedBytes(m.Content)
	for _, call := range m.ToolCalls {
		total += callEnvelope + len(call.Name) + quotedBytes(call.Arguments)
	}
	return total
}

// quotedBytes returns the length of s as a JSON string.
func quotedBytes(s string) int {
	return len(s) + 2 + strings.Count(s, `"`) + strings.Count(s, "\n") + strings.Count(s, `\`)
}

func specBytes(s llm.ToolSpec) int {
	raw, err := json.Marshal(s)
	if err != nil {
		return len(s.Name) + len(s.Description) + len(s.Parameters)
	}
	return len(raw)
}

// fitSmallWindow omits the oldest tool results until the request fills at most smallFillPercent of the
// window. It reports whether that was enough.
func (t *turn) fitSmallWindow(ctx context.Context) (bool, error) {
	most := t.window() * smallFillPercent / 100 * bytesPer2Tokens / 2
	lastUser := 0
	for i, m := range t.messages {
		if m.Role == llm.RoleUser {
			lastUser = i
		}
	}
	for t.requestBytes() > most && t.folded < len(t.messages)-1 {
		t.folded++
		t.counted = 0
	}
	if t.requestBytes() <= most {
		return true, nil
	}
	if lastUser == 0 {
		return false, &llm.Error{Kind: llm.KindContextLength, Message: fmt.Sprintf(
			"%s has a context window of %d tokens, too small for this task; choose a model with a larger window", t.setup.ModelName, t.window())}
	}
	_, err := t.compact(ctx, true)
	return t.requestBytes() <= most, err
}

// FirstTools returns the tools in the first request of a session with this setup.
func FirstTools(setup Setup) []llm.ToolSpec {
	t := &turn{Conversation: &Conversation{}, setup: setup}
	t.openTools()
	return t.specs()
}

// RequestPart is one part of the next request with its size.
type RequestPart struct {
	Name  string   `json:"name"` // "rules", "skills", "tools", "conversation"
	Bytes int      `json:"bytes"`
	Items []string `json:"items,omitempty"` // the tools, in their order
}

// RequestSize is the size of the next request of a conversation by part.
type RequestSize struct {
	Profile string        `json:"profile"`
	BuiltIn bool          `json:"built_in,omitempty"` // the built-in assistant answers; nothing is sent
	Window  int           `json:"window"`             // tokens
	Origin  string        `json:"window_from,omitempty"`
	Parts   []RequestPart `json:"parts"`
	Bytes   int           `json:"bytes"` // of the whole request
}

// RequestSize returns the size of the next request by part. It sends nothing.
func (c *Conversation) RequestSize() (RequestSize, error) {
	setup, err := c.agent.cfg.Setup()
	if err != nil {
		return RequestSize{}, fmt.Errorf("set up the request: %w", err)
	}
	t := &turn{Conversation: c, cfg: c.agent.cfg, setup: setup}
	t.openTools()
	prompt := len(t.prompt())
	out := RequestSize{Profile: setup.Request.Name, BuiltIn: setup.RuleBased, Window: t.window(), Origin: setup.WindowOrigin}
	tools, conversation := RequestPart{Name: "tools"}, RequestPart{Name: "conversation"}
	for _, s := range t.specs() {
		tools.Bytes += specBytes(s)
		tools.Items = append(tools.Items, s.Name)
	}
	for _, m := range t.outgoingMessages() {
		conversation.Bytes += messageBytes(m)
	}
	catalogue := min(len(setup.Catalogue), prompt)
	out.Parts = []RequestPart{{Name: "prompt", Bytes: prompt - catalogue}, {Name: "skills", Bytes: catalogue}, tools, conversation}
	for _, p := range out.Parts {
		out.Bytes += p.Bytes
	}
	return out, nil
}
