package humanize

import (
	"encoding/json"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// callPattern is the name of a tool where more follows, its arguments or a verb.
var callPattern = lazyregexp.New(`\b[a-z]+(?:_[a-z]+)+ [{(]`)

// maxVerbLength is more bytes than any verb has with its flags. A bracket that is never
// closed is not looked for in the whole text behind it.
const maxVerbLength = 200

// ForPeople is a text of the program as people read it. What names a call for a model
// and, in brackets behind it, the verb that does the same, `tool_name {"a":1} (nfa
// verb)`, has the verb alone.
func ForPeople(text string) string {
	var b strings.Builder
	for {
		at := callPattern().FindStringIndex(text)
		if at == nil {
			b.WriteString(text)
			return b.String()
		}
		verb, rest, ok := parseVerb(text[at[1]-1:])
		if !ok {
			b.WriteString(text[:at[1]])
			text = text[at[1]:]
			continue
		}
		b.WriteString(text[:at[0]] + verb)
		text = rest
	}
}

// parseVerb is the verb in brackets that a text begins with, after arguments or none.
func parseVerb(text string) (verb, rest string, ok bool) {
	if strings.HasPrefix(text, "{") {
		d := json.NewDecoder(strings.NewReader(text))
		var arguments json.RawMessage
		if d.Decode(&arguments) != nil {
			return "", "", false
		}
		text = strings.TrimPrefix(text[d.InputOffset():], " ")
	}
	inside, found := strings.CutPrefix(text, "(nfa ")
	if !found {
		return "", "", false
	}
	end := strings.IndexByte(inside[:min(len(inside), maxVerbLength)], ')')
	if end < 0 {
		return "", "", false
	}
	return "nfa " + inside[:end], inside[end+1:], true
}
