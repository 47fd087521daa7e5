package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/app"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

// textTranslator puts what tools say to a model into the words of the command line:
// arguments as flags, tools as verbs.
type textTranslator struct {
	arguments []replacement
	tools     *regexp.Regexp
	commands  map[string]string
	actions   map[string]string // verbs of the same tool, by what they fix
}

type replacement struct {
	pattern *regexp.Regexp
	text    string
}

func newTextTranslator(row app.Command) textTranslator {
	w := textTranslator{commands: commandNames(), actions: map[string]string{}}
	for _, f := range row.Flags {
		w.arguments = append(w.arguments, replacementOf(f))
	}
	for _, other := range app.Commands() {
		if action, ok := other.Fixed["action"].(string); ok && other.Tool == row.Tool {
			w.actions[action] = "nfa " + other.Name
		}
	}
	var names []string
	for name, command := range w.commands {
		// Some messages name the command already.
		names = append(names, regexp.QuoteMeta(name)+`\b(?: \(`+regexp.QuoteMeta(command)+`[^)]*\))?`)
	}
	slices.Sort(names)
	w.tools = regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)| with \{`)
	return w
}

// replacementOf finds the argument where it is meant: a key of one word is a word of English as well.
func replacementOf(f app.Flag) replacement {
	switch {
	case strings.Contains(f.Key, "_"):
		return replacement{regexp.MustCompile(`\b` + f.Key + `( true)?\b`), "--" + f.Name()}
	case f.Kind == app.FlagBool:
		return replacement{regexp.MustCompile(`\b` + f.Key + ` true\b`), "--" + f.Name()}
	}
	return replacement{regexp.MustCompile(`\b(call again with|name one with|give) ` + f.Key + `\b`), "${1} --" + f.Name()}
}

// terminalText is a text for the person who typed the verb.
func (w textTranslator) terminalText(text string) string {
	// What warns a model of text from outside is no news to a person.
	text = strings.NewReplacer(" ("+toolkit.OutsideTextNote+")", "", " (the "+toolkit.OutsideTextNote+")", "").Replace(text)
	for _, a := range w.arguments {
		text = a.pattern.ReplaceAllString(text, a.text)
	}
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

// writeAction writes the verb of the arguments that a text begins with, and gives the
// rest of it.
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

// leadingJSON is the object that a text begins with.
func leadingJSON(text string) (object, rest string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	var raw json.RawMessage
	if !strings.HasPrefix(text, "{") || d.Decode(&raw) != nil {
		return "", text, false
	}
	return text[:d.InputOffset()], text[d.InputOffset():], true
}

// shellQuote is one word for a shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// commandNames are the commands of tools, by the tool's name where that is no word of English: the
// one that writes where there are several.
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
