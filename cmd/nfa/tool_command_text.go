package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// textTranslator rewrites texts for models into the syntax of the command line: arguments become
// flags, tools become commands.
type textTranslator struct {
	row      app.Command
	tools    *regexp.Regexp
	commands map[string]string
	actions  map[string]string // commands of the same tool, by action
}

func newTextTranslator(row app.Command) textTranslator {
	w := textTranslator{row: row, commands: commandNames(), actions: map[string]string{}}
	for _, other := range app.Commands() {
		if action, ok := other.Fixed["action"].(string); ok && other.Tool == row.Tool {
			w.actions[action] = "nfa " + other.Name
		}
	}
	var names []string
	for name, command := range w.commands {
		// Some messages already name the command.
		names = append(names, regexp.QuoteMeta(name)+`\b(?: \(`+regexp.QuoteMeta(command)+`[^)]*\))?`)
	}
	slices.Sort(names)
	w.tools = regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)| with \{`)
	return w
}

// terminalText rewrites a text for the user who typed the command.
func (w textTranslator) terminalText(text string) string {
	// The warning about untrusted text is meant only for models.
	text = strings.NewReplacer(" ("+toolkit.OutsideTextNote+")", "", " (the "+toolkit.OutsideTextNote+")", "").Replace(text)
	text = w.row.WithFlags(text)
	var b strings.Builder
	for {
		span := w.tools.FindStringIndex(text)
		if span == nil {
			b.WriteString(text)
			return b.String()
		}
		match := text[span[0]:span[1]]
		b.WriteString(text[:span[0]])
		text = text[span[1]:]
		if strings.HasPrefix(match, " with") {
			b.WriteString(" with ")
			text = w.writeAction(&b, "{"+text)
			continue
		}
		name, _, _ := strings.Cut(match, " ")
		if arguments, rest, ok := leadingJSON(strings.TrimPrefix(text, " ")); ok {
			b.WriteString("nfa tools call " + name + " --args " + shellQuote(arguments))
			text = rest
		} else {
			b.WriteString(w.commands[name])
		}
	}
}

// writeAction writes the command for the JSON arguments at the start of text, and returns the rest
// of it.
func (w textTranslator) writeAction(b *strings.Builder, text string) string {
	var in struct{ Action string }
	object, rest, ok := leadingJSON(text)
	if ok && json.Unmarshal([]byte(object), &in) == nil && w.actions[in.Action] != "" {
		b.WriteString(w.actions[in.Action])
		return rest
	}
	b.WriteString("{")
	return text[1:]
}

// leadingJSON returns the JSON object at the start of text.
func leadingJSON(text string) (object, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if !strings.HasPrefix(text, "{") || d.Decode(&raw) != nil {
		return "", text, false
	}
	return text[:d.InputOffset()], text[d.InputOffset():], true
}

// shellQuote quotes text as one shell word.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// commandNames maps tool names to commands. It skips tools whose name is an English word. If a tool
// has several commands, the one that writes wins.
func commandNames() map[string]string {
	names, writes := map[string]string{}, map[string]bool{}
	for _, row := range app.Commands() {
		if row.Name == "" || !strings.Contains(row.Tool, "_") {
			continue
		}
		if names[row.Tool] == "" || row.Writes && !writes[row.Tool] {
			names[row.Tool], writes[row.Tool] = "nfa "+row.Name, row.Writes
		}
	}
	return names
}
