package config

import "go.yaml.in/yaml/v3"

// Key assigns keys to an action of the chat. The chat checks the names of actions and keys.
type Key struct {
	Action string
	Keys   []string // empty removes all keys of the action
	Origin string   // "/path/config.yaml:3"
}

const keysKey = "keys"

// keys reads the section keys: actions with a key or a list of keys.
func (l *loader) keys(src source, n *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		l.problem(src.at(n), "keys is a section; expected an action and its key below it, such as page-up: ctrl+b")
		return
	}
	l.pairs(src, n, keysKey+".", func(name, value *yaml.Node) {
		texts, ok := listOf(value)
		if !ok {
			texts, ok = textsOf(Text, value)
		}
		if !ok {
			l.problem(src.at(value), "keys.%s is %s; expected a key such as ctrl+b, or a list of keys", name.Value, describe(value))
			return
		}
		for _, text := range texts {
			if !printable(text) || !printable(name.Value) {
				l.problem(src.at(value), "keys.%s has nonprintable characters; expected a key such as ctrl+b", name.Value)
				return
			}
		}
		l.cfg.Keys = append(l.cfg.Keys, Key{Action: name.Value, Keys: texts, Origin: src.at(name)})
	})
}
