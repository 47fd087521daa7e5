package config

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// AlertChannel holds the settings of a channel for alerts.
type AlertChannel struct {
	Name                            string
	Kind, URL, To, From, Host, User string
	Origin                          string // "/path/config.yaml:3"
}

const channelsKey = "channels"

// channels reads the section channels.
func (l *loader) channels(src source, n *yaml.Node) {
	l.sections(src, n, namedSections{channelsKey, providerName(), lowerLetters, "kind and to", l.channel})
}

func (l *loader) channel(src source, name, n *yaml.Node) {
	c := AlertChannel{Name: name.Value, Origin: src.at(name)}
	prefix := channelsKey + "." + c.Name + "."
	fields := map[string]*string{"kind": &c.Kind, "url": &c.URL, "to": &c.To, "from": &c.From, "host": &c.Host, "user": &c.User}
	l.pairs(src, n, prefix, func(field, value *yaml.Node) {
		target := fields[field.Value]
		switch {
		case slices.Contains([]string{"token", "password", "secret", "key"}, field.Value):
			l.problem(src.at(field), "%s%s: secrets are not allowed in settings; run: nfa auth set %s", prefix, field.Value, c.Name)
		case target == nil:
			l.problem(src.at(field), "unknown setting %q; known: kind, url, to, from, host, user", prefix+field.Value)
		case value.Kind != yaml.ScalarNode || value.Value == "":
			l.problem(src.at(value), "%s%s is %s; expected text", prefix, field.Value, describe(value))
		default:
			*target = value.Value
		}
	})
	l.cfg.Channels = append(l.cfg.Channels, c)
}

// channelValues returns the channels as `config show` prints them. An address may contain a secret.
func (c *Config) channelValues() []Value {
	var out []Value
	for _, channel := range c.Channels {
		out = append(out, Value{Key: channelsKey + "." + channel.Name, Value: strings.TrimSpace(channel.Kind + " " + channel.To), Origin: channel.Origin})
	}
	return out
}
