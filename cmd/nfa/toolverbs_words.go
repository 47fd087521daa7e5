package main

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/toolbox/present"
)

// verbWords puts what tools say to a model into the words of the command line:
// arguments as flags, tools as verbs.
type verbWords struct {
	arguments []wording
	tools     *regexp.Regexp
	verbs     map[string]string
	actions   map[string]string // verbs of the same tool, by what they fix
}

type wording struct {
	said *regexp.Regexp
	as   string
}

func wordsOf(v toolVerb) verbWords {
	w := verbWords{verbs: verbNames(), actions: map[string]string{}}
	for _, f := range v.flags {
		w.arguments = append(w.arguments, f.wording())
	}
	for _, other := range toolVerbs() {
		if action, ok := other.fixed["action"].(string); ok && other.tool == v.tool {
			w.actions[action] = other.path
		}
	}
	var names []string
	for name, verb := range w.verbs {
		// Some messages name the verb already.
		names = append(names, regexp.QuoteMeta(name)+`\b(?: \(`+regexp.QuoteMeta(verb)+`[^)]*\))?`)
	}
	slices.Sort(names)
	w.tools = regexp.MustCompile(`\b(?:` + strings.Join(names, "|") + `)| with \{`)
	return w
}

// wording finds the argument where it is meant: a key of one word is a word of
// English as well.
func (f toolFlag) wording() wording {
	switch {
	case strings.Contains(f.key, "_"):
		return wording{regexp.MustCompile(`\b` + f.key + `( true)?\b`), "--" + f.name()}
	case f.kind == flagWhether:
		return wording{regexp.MustCompile(`\b` + f.key + ` true\b`), "--" + f.name()}
	}
	return wording{regexp.MustCompile(`\b(call again with|name one with|give) ` + f.key + `\b`), "${1} --" + f.name()}
}

// told is a text for the person who typed the verb.
func (w verbWords) told(text string) string {
	// What warns a model of text from outside is no news to a person.
	text = strings.NewReplacer(" ("+present.Outside+")", "", " (the "+present.Outside+")", "").Replace(text)
	for _, a := range w.arguments {
		text = a.said.ReplaceAllString(text, a.as)
	}
	var b strings.Builder
	for {
		at := w.tools.FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String()
		}
		said := text[at[0]:at[1]]
		b.WriteString(text[:at[0]])
		text = text[at[1]:]
		if strings.HasPrefix(said, " with") {
			b.WriteString(" with ")
			text = w.action(&b, "{"+text)
			continue
		}
		name, _, _ := strings.Cut(said, " ")
		if arguments, rest, ok := leadingJSON(strings.TrimPrefix(text, " ")); ok {
			b.WriteString("nfa tools call " + name + " --args " + quoted(arguments))
			text = rest
		} else {
			b.WriteString(w.verbs[name])
		}
	}
}

// action writes the verb of the arguments that a text begins with, and gives the
// rest of it.
func (w verbWords) action(b *strings.Builder, text string) string {
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

// quoted is one word for a shell.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// verbNames are the verbs of tools, by the tool's name where that is no word of
// English: the one that writes where there are several.
func verbNames() map[string]string {
	names := map[string]string{}
	for _, d := range doors() {
		names[d.tool] = "nfa " + d.name
	}
	wrote := map[string]bool{}
	for _, v := range toolVerbs() {
		if _, known := names[v.tool]; !known || v.writes && !wrote[v.tool] {
			names[v.tool], wrote[v.tool] = v.path, v.writes
		}
	}
	for name := range names {
		if !strings.Contains(name, "_") {
			delete(names, name)
		}
	}
	return names
}

// pathedVerb is a verb with all of its name.
type pathedVerb struct {
	toolVerb
	path string
}

// toolVerbs are all verbs that are tools.
func toolVerbs() []pathedVerb {
	var all []pathedVerb
	add := func(under string, verbs ...toolVerb) {
		for _, v := range verbs {
			name, _, _ := strings.Cut(v.use, " ")
			all = append(all, pathedVerb{v, under + " " + name})
		}
	}
	add("nfa", positionsVerb(), profileVerb(), watchVerb(), journalVerb(), reviewVerb())
	add("nfa portfolio", portfolioVerbs()...)
	add("nfa portfolio", settingsVerbs()...)
	add("nfa profile", profileVerbs()...)
	add("nfa watch", watchVerbs()...)
	add("nfa journal", journalVerbs()...)
	return all
}
