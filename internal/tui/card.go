package tui

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/nfa-cli/nfa/internal/markdown"
)

// cardState is how far a call has come.
type cardState int

const (
	cardRunning cardState = iota
	cardDone
	cardFailed
	cardInterrupted
)

// card is a call of a tool: one line, and what the tool made for people once
// opened. Every tool is drawn the same.
type card struct {
	memo
	name      string
	arguments string // as the model wrote them; shown until there is a title
	title     string
	summary   string
	forUser   string
	failure   string
	skill     string // the skill that was loaded, when that is what the call did
	took      time.Duration
	state     cardState
	open      bool
}

func (b *card) compact() bool { return true }
func (b *card) isOpen() bool  { return b.open }

func (b *card) setOpen(open bool) {
	b.open = open
	b.forget()
}

// change alters the card and has it drawn anew.
func (b *card) change(f func(*card)) {
	f(b)
	b.forget()
}

func (b *card) lines(st *styles, width int) []string { return b.get(st, width, b.draw) }

func (b *card) draw(st *styles, width int) []string {
	rows := []string{b.head(st, width)}
	if b.state == cardFailed {
		rows = append(rows, b.excuse(st, width)...)
	}
	if !b.open {
		return rows
	}
	body := b.forUser
	if body == "" {
		body = b.title
	}
	for _, row := range markdown.Render(body, st.options(max(width-4, 1))) {
		rows = append(rows, st.dim.Apply("  │")+" "+row)
	}
	return rows
}

func (b *card) head(st *styles, width int) string {
	name, title := oneLine(b.name), oneLine(b.title)
	if title == "" {
		title = brief(b.arguments)
	}
	if b.skill != "" {
		name, title = "skill loaded", oneLine(b.skill)
	}
	var right []string
	if summary := oneLine(b.summary); summary != "" && b.state != cardFailed {
		right = append(right, fit(summary, width/3))
	}
	if b.state == cardInterrupted {
		right = append(right, "interrupted")
	}
	if b.state != cardRunning && b.took > 0 {
		right = append(right, took(b.took))
	}
	left := b.mark(st) + " " + st.strong.Apply(name)
	if title != "" {
		left += "  " + title
	}
	return spread(left, st.dim.Apply(strings.Join(right, "  ")), width)
}

func (b *card) mark(st *styles) string {
	switch {
	case b.state == cardRunning:
		return st.accent.Apply("●")
	case b.state == cardFailed:
		return st.bad.Apply("✗")
	case b.state == cardInterrupted:
		return st.warn.Apply("!")
	case b.open:
		return st.good.Apply("▾")
	default:
		return st.good.Apply("✓")
	}
}

// excuse shows why a call failed without opening the card, in a few lines.
func (b *card) excuse(st *styles, width int) []string {
	const most = 3
	rows := wrap(oneLine(b.failure), width-2)
	if len(rows) > most {
		rows = append(rows[:most-1], fit(rows[most-1]+"…", width-2))
	}
	for i, row := range rows {
		rows[i] = "  " + st.bad.Apply(row)
	}
	return rows
}

// brief reads a call's arguments in a line: the values of the JSON object in
// the order the model wrote them.
func brief(arguments string) string {
	fields, ok := objectFields(arguments)
	if !ok {
		return oneLine(arguments)
	}
	values := make([]string, 0, len(fields))
	for _, f := range fields {
		values = append(values, oneLine(f.plain()))
	}
	return strings.Join(values, " · ")
}

// field is one member of a JSON object as it was written.
type field struct {
	name  string
	value json.RawMessage
}

// plain is a string without its quotes, anything else as JSON.
func (f field) plain() string {
	var s string
	if json.Unmarshal(f.value, &s) == nil {
		return s
	}
	return string(f.value)
}

// exact shows the value so that nothing in it can hide: control characters,
// line breaks and bidirectional overrides appear as escapes.
func (f field) exact() string {
	var s string
	if json.Unmarshal(f.value, &s) == nil {
		return strconv.Quote(s)
	}
	return visible(string(f.value))
}

// visible escapes what cannot be seen, without adding quotes.
func visible(s string) string {
	quoted := strconv.Quote(s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// objectFields takes a JSON object apart in order, repeated names included: a
// decoder would show the last value of a name and hide the others.
func objectFields(raw string) ([]field, bool) {
	dec := json.NewDecoder(strings.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	var fields []field
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, false
		}
		f := field{name: key.(string)}
		if err := dec.Decode(&f.value); err != nil {
			return nil, false
		}
		fields = append(fields, f)
	}
	if _, err := dec.Token(); err != nil || dec.More() {
		return nil, false
	}
	return fields, true
}
