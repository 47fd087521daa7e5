package config

import "go.yaml.in/yaml/v3"

// Key is what a settings file says of the keys for an action of the chat. What
// actions there are, and what a key is, the chat knows.
type Key struct {
	Action string
	Keys   []string // none takes the action its keys
	Origin string   // "/path/config.yaml:3"
}

const keysKey = "keys"

// keys reads the section of that name: an action and its key, or a list of keys.
func (l *loader) keys(src source, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		l.problem(src.at(n), "keys is a section; expected the name of an action below it and its key, such as page-up: ctrl+b")
		return
	}
	l.pairs(src, n, keysKey+".", func(name, value *yaml.Node) {
		texts, ok := listOf(value)
		if !ok {
			texts, ok = textsOf(Text, value)
		}
		if !ok {
			l.problem(src.at(value), "keys.%s holds %s; expected a key such as ctrl+b, or a list of them", name.Value, describe(value))
			return
		}
		for _, text := range texts {
			if !printable(text) || !printable(name.Value) {
				l.problem(src.at(value), "keys.%s holds what cannot be printed; expected a key such as ctrl+b", name.Value)
				return
			}
		}
		l.cfg.Keys = append(l.cfg.Keys, Key{Action: name.Value, Keys: texts, Origin: src.at(name)})
	})
}
