package humanize

import (
	"encoding/json"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// callPattern matches the name of a tool that is followed by arguments or by a command in parentheses.
var callPattern = lazyregexp.New(`\b[a-z]+(?:_[a-z]+)+ [{(]`)

// maxVerbLength is more bytes than any command with its flags has. It limits the search for the closing
// parenthesis.
const maxVerbLength = 200

// ForPeople rewrites a text for people. Where it names a tool call followed by the equivalent command in
// parentheses, as in `tool_name {"a":1} (nfa verb)`, only the command remains.
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

// parseVerb returns the command in parentheses at the start of a text, after optional arguments.
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
