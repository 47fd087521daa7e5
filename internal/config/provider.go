package config

import (
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Provider holds the settings of a model provider: a built-in one or the user's own server.
type Provider struct {
	Name    string
	BaseURL string   // empty if not set
	KeyVars []string // environment variables that may hold the key
	Wire    string   // format of requests: chat or responses; empty if not set
	Models  []Model
	Origin  string // "/path/config.yaml:3"
}

// Model holds the settings of a model. Fields that are not set are nil or zero.
type Model struct {
	Name      string
	Window    int // in tokens
	Prices    *Prices
	Reasoning *bool
	Vision    *bool
}

// Prices are in US dollars per million tokens. Zero means free.
type Prices struct {
	Input, Output decimal.Decimal
	Cached        decimal.NullDecimal
}

const providersKey = "providers"

// lowerLetters describes providerName in errors.
const lowerLetters = "lower-case letters, digits, dots and hyphens"

// reservedProviderNames returns prefixes of model names with a special meaning.
func reservedProviderNames() []string { return []string{"custom", "offline"} }

var (
	providerName = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,39}$`)
	variableName = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// providers reads the section providers.
func (l *loader) providers(src source, n *yaml.Node) {
	l.sections(src, n, namedSections{providersKey, providerName(), lowerLetters, "base_url, key_env, wire or models", l.provider})
}

func (l *loader) provider(src source, name, n *yaml.Node) {
	if slices.Contains(reservedProviderNames(), name.Value) {
		l.problem(src.at(name), "providers.%s: this name is reserved; choose another", name.Value)
		return
	}
	p := Provider{Name: name.Value, Origin: src.at(name)}
	prefix := providersKey + "." + p.Name + "."
	l.pairs(src, n, prefix, func(field, value *yaml.Node) {
		switch field.Value {
		case "base_url":
			s := Setting{Key: prefix + "base_url", Kind: Server}
			if texts, ok := textsOf(Server, value); ok && texts[0] != "" && s.valid(texts[0]) {
				p.BaseURL = texts[0]
			} else {
				l.problem(src.at(value), "%w", s.valueError(""))
			}
		case "key_env":
			p.KeyVars = l.variables(src, prefix, value)
		case "wire":
			if p.Wire = value.Value; p.Wire != "chat" && p.Wire != "responses" {
				l.problem(src.at(value), "%swire is invalid (%s); expected chat or responses", prefix, describe(value))
			}
		case "models":
			p.Models = l.models(src, prefix+"models", value)
		case "api_key", "key":
			l.problem(src.at(field), "%s%s: keys are not allowed in settings; run: nfa auth set %s", prefix, field.Value, p.Name)
		default:
			l.problem(src.at(field), "unknown setting %q; known: base_url, key_env, wire, models", prefix+field.Value)
		}
	})
	l.cfg.Providers = append(l.cfg.Providers, p)
}

// variables returns the names of environment variables: one, or a list.
func (l *loader) variables(src source, prefix string, n *yaml.Node) []string {
	names, ok := listOf(n)
	if texts, one := textsOf(Text, n); one {
		names, ok = texts, true
	}
	if !ok || len(names) == 0 || slices.ContainsFunc(names, func(s string) bool { return !variableName().MatchString(s) }) {
		// The value is not quoted, because it may be a key instead of a variable.
		l.problem(src.at(n), "%skey_env is invalid; expected the name of an environment variable, or a list of names", prefix)
		return nil
	}
	return names
}

func (l *loader) models(src source, key string, n *yaml.Node) []Model {
	if n.Kind != yaml.MappingNode {
		l.problem(src.at(n), "%s is a section; expected the names of models below it", key)
		return nil
	}
	var models []Model
	l.pairs(src, n, key+".", func(name, value *yaml.Node) {
		m := Model{Name: name.Value}
		switch {
		case m.Name == "" || !printable(m.Name) || strings.ContainsAny(m.Name, " \t"):
			l.problem(src.at(name), "%s has the name %q; expected the name that the server lists", key, m.Name)
			return
		case value.Kind == yaml.MappingNode:
			l.model(src, key+"."+m.Name+".", value, &m)
		case value.ShortTag() != "!!null":
			l.problem(src.at(value), "%s.%s is %s; expected nothing, or context_window, prices, reasoning and vision below it", key, m.Name, describe(value))
			return
		}
		models = append(models, m)
	})
	return models
}

func (l *loader) model(src source, prefix string, n *yaml.Node, m *Model) {
	prices := map[string]decimal.Decimal{}
	l.pairs(src, n, prefix, func(field, value *yaml.Node) {
		ok, expected := true, ""
		switch field.Value {
		case "context_window":
			expected = "a whole number from 1000 to 100000000"
			ok = value.ShortTag() == "!!int" && value.Decode(&m.Window) == nil && m.Window >= 1000 && m.Window <= 100_000_000
		case "reasoning":
			expected, ok = string(Switch), value.ShortTag() == "!!bool" && value.Decode(&m.Reasoning) == nil
		case "vision":
			expected, ok = string(Switch), value.ShortTag() == "!!bool" && value.Decode(&m.Vision) == nil
		case "input_price", "cached_price", "output_price":
			expected = "US dollars per million tokens, from 0 to 100000"
			prices[field.Value], ok = dollars(value)
		default:
			l.problem(src.at(field), "unknown setting %q; known: context_window, input_price, cached_price, output_price, reasoning, vision", prefix+field.Value)
			return
		}
		if !ok {
			l.problem(src.at(value), "%s%s is invalid (%s); expected %s", prefix, field.Value, describe(value), expected)
		}
	})
	input, hasInput := prices["input_price"]
	output, hasOutput := prices["output_price"]
	cached, hasCached := prices["cached_price"]
	switch {
	case hasInput != hasOutput || hasCached && !hasInput:
		l.problem(src.at(n), "%s: set both input_price and output_price", strings.TrimSuffix(prefix, "."))
	case hasInput:
		m.Prices = &Prices{Input: input, Output: output, Cached: decimal.NullDecimal{Decimal: cached, Valid: hasCached}}
	}
}

func dollars(n *yaml.Node) (decimal.Decimal, bool) {
	if tag := n.ShortTag(); tag != "!!int" && tag != "!!float" || len(n.Value) > 20 {
		return decimal.Decimal{}, false
	}
	// Comparing 1e-999999999 would take gigabytes.
	const finest = 20
	d, err := decimal.NewFromString(n.Value)
	return d, err == nil && d.Sign() >= 0 && d.Exponent() >= -finest && d.Exponent() <= finest && d.LessThanOrEqual(decimal.NewFromInt(100_000))
}

// providerValues returns the providers as `config show` prints them.
func (c *Config) providerValues() []Value {
	var out []Value
	for _, p := range c.Providers {
		var parts []string
		if p.BaseURL != "" {
			parts = append(parts, p.BaseURL)
		}
		if p.Wire != "" {
			parts = append(parts, "wire "+p.Wire)
		}
		if len(p.KeyVars) > 0 {
			parts = append(parts, "key in "+strings.Join(p.KeyVars, " or "))
		}
		if n := len(p.Models); n > 0 {
			parts = append(parts, fmt.Sprintf("models: %d", n))
		}
		out = append(out, Value{Key: providersKey + "." + p.Name, Value: strings.Join(parts, ", "), Origin: p.Origin})
	}
	return out
}

// exposed reports whether other users may read the file.
func (src source) exposed() bool { return src.mode&0o077 != 0 && runtime.GOOS != "windows" }
