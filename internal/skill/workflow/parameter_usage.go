package workflow

import "strings"

// ArgumentHint is what to type after a skill's name in the chat: <needed> [optional], in
// the declared order. It is empty without parameters.
func ArgumentHint(declared []Parameter) string {
	return formatParameters(declared, func(p Parameter) string {
		if p.NeedsValue() {
			return "<" + p.Name + ">"
		}
		return "[" + p.Name + "]"
	})
}

// ArgumentUsage is what to type after a skill's name on a command line, where each value
// is named: symbol=<symbol> [range=<string>].
func ArgumentUsage(declared []Parameter) string {
	return formatParameters(declared, func(p Parameter) string {
		if p.NeedsValue() {
			return p.Name + "=<" + p.Type + ">"
		}
		return "[" + p.Name + "=<" + p.Type + ">]"
	})
}

func formatParameters(declared []Parameter, write func(Parameter) string) string {
	tokens := make([]string, len(declared))
	for i, p := range declared {
		tokens[i] = write(p)
	}
	return strings.Join(tokens, " ")
}

// NeedsValue tells a parameter that must be given a value: it is required and has no
// default to stand in.
func (p Parameter) NeedsValue() bool { return p.Required && p.DefaultText() == "" }

// DefaultText is the default as a person would write it; "" for none.
func (p Parameter) DefaultText() string {
	text, _ := plainText(p.Default)
	return text
}
