package offline

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
	"github.com/nfa-cli/nfa/internal/llm"
)

// recordedEntry is the newest transaction that add_transaction recorded in a conversation.
type recordedEntry struct {
	id   string
	args map[string]any
}

var (
	recordedID     = lazyregexp.New(`"recorded":\{"id":"([0-9a-z]+)"`)
	correctionLead = lazyregexp.New(`^(?:no|nope|wrong|sorry|oops|actually|correction|i meant|make it|it was)\b[,:.! ]*(?:i meant|it was|that was|they were|make it|it should be|should be)?|^(?:不对|不是|错了|更正|应该是)[，,：: ]*(?:应该是|是)?`)
	priceLead      = lazyregexp.New(`^(?:at|@|for|price|每股|价格)`)
	removesLast    = lazyregexp.New(`^(?:no,? ?)?(?:please )?(?:undo|remove|delete|take back|scrap)(?: that| it| this| the last (?:one|transaction|trade|entry))?[.! ]*$|^(?:撤销|删除|删掉|去掉)(?:它|这笔|那笔|刚才那笔|上一笔)?(?:交易)?[。！! ]*$`)
)

// lastRecorded returns the newest recorded transaction, or nil if it was removed again.
func lastRecorded(messages []llm.Message) *recordedEntry {
	args := map[string]string{}
	var last *recordedEntry
	for _, m := range messages {
		for _, call := range m.ToolCalls {
			args[call.ID] = call.Arguments
		}
		if m.Role != llm.RoleTool || m.IsError {
			continue
		}
		switch m.ToolName {
		case "remove_transaction":
			last = nil
		case "add_transaction":
			match := recordedID().FindStringSubmatch(m.Content)
			d := json.NewDecoder(strings.NewReader(args[m.ToolCallID]))
			d.UseNumber()
			entry := recordedEntry{args: map[string]any{}}
			if match != nil && d.Decode(&entry.args) == nil {
				entry.id = match[1]
				last = &entry
			}
		}
	}
	return last
}

// amend handles a correction of the transaction just recorded, such as "no, it was 4 shares", or its removal.
func (c dialog) amend(message string, now time.Time) (decision, bool) {
	q := c.read(message, now)
	called := func(tool string, args map[string]any) decision {
		return decision{
			frame: frame{text: q.text, tool: tool}, calls: []call{{tool, args}}, notes: q.notes, chinese: q.chinese,
			outcome: llm.Outcome{Kind: llm.OutcomeAnswered},
		}
	}
	if removesLast().MatchString(q.low) {
		return called("remove_transaction", map[string]any{"id": c.recorded.id}), true
	}
	lead := correctionLead().FindString(q.low)
	tool := c.tools["add_transaction"]
	if lead == "" || tool == nil {
		return decision{}, false
	}
	rest := strings.TrimSpace(q.text[len(lead):])
	onlyPrice := len(q.of(numberSlot, countSlot)) == 1 && priceLead().MatchString(strings.ToLower(rest))
	kind, _ := c.recorded.args["kind"].(string)
	if verb := map[string]string{"buy": "bought", "sell": "sold"}[kind]; verb != "" {
		rest = verb + " " + rest
	} else {
		rest = strings.ReplaceAll(kind, "_", " ") + " " + rest
	}
	f := c.fill(c.read(rest, now), tool)
	if value, ok := f.args["quantity"]; ok && onlyPrice && !f.has("price") {
		f.set("price", value)
		delete(f.args, "quantity")
	}
	merged := map[string]any{}
	for name, value := range c.recorded.args {
		merged[name] = value
	}
	changed := false
	for name, value := range f.args {
		if name != "kind" && name != "currency" || f.has("price") || f.has("amount") {
			merged[name], changed = value, changed || name != "kind"
		}
	}
	if !changed {
		return decision{}, false
	}
	if f.has("price") || f.has("quantity") && c.recorded.args["price"] != nil {
		if !f.has("amount") {
			delete(merged, "amount")
		}
	}
	merged["replaces"] = c.recorded.id
	return called("add_transaction", merged), true
}
