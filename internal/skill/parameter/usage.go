package parameter

import "strings"

// Hint is what to type after a skill's name in the chat: <needed> [optional], in
// the declared order. It is empty without parameters.
func Hint(declared []Parameter) string {
	return inOrder(declared, func(p Parameter) string {
		if p.Needed() {
			return "<" + p.Name + ">"
		}
		return "[" + p.Name + "]"
	})
}

// Usage is what to type after a skill's name on a command line, where each value
// is named: symbol=<symbol> [range=<string>].
func Usage(declared []Parameter) string {
	return inOrder(declared, func(p Parameter) string {
		if p.Needed() {
			return p.Name + "=<" + p.Type + ">"
		}
		return "[" + p.Name + "=<" + p.Type + ">]"
	})
}

func inOrder(declared []Parameter, write func(Parameter) string) string {
	words := make([]string, len(declared))
	for i, p := range declared {
		words[i] = write(p)
	}
	return strings.Join(words, " ")
}

// Needed tells a parameter that must be given a value: it is required and has no
// default to stand in.
func (p Parameter) Needed() bool { return p.Required && p.Fallback() == "" }

// Fallback is the default as a person would write it; "" for none.
func (p Parameter) Fallback() string {
	text, _ := plainText(p.Default)
	return text
}
