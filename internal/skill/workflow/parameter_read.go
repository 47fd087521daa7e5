package workflow

import (
	"fmt"

	"github.com/nfa-cli/nfa/internal/frontmatter"
)

// Parameter is a value that a skill asks for.
type Parameter struct {
	Name        string   `json:"name"`
	Type        string   `json:"type"` // default: "string"
	Required    bool     `json:"required"`
	Description string   `json:"description,omitempty"`
	Default     any      `json:"default,omitempty"`
	Enum        []string `json:"enum,omitempty"`
}

// ReadParameters reads the parameters that front matter declares under key.
func ReadParameters(f *frontmatter.Fields, key string) []Parameter {
	value := f.Take(key)
	items, ok := value.([]any)
	if !ok {
		if value != nil {
			f.Warn(key, "a list")
		}
		return nil
	}
	var parameters []Parameter
	for i, item := range items {
		p, warnings := readParameter(item)
		if p.Name == "" {
			f.Warn(fmt.Sprintf("%s[%d]", key, i), "a parameter with a name")
			continue
		}
		for _, warning := range warnings {
			f.Warnings = append(f.Warnings, fmt.Sprintf("parameter %s: %s", p.Name, warning))
		}
		parameters = append(parameters, p)
	}
	return parameters
}

func readParameter(item any) (p Parameter, warnings []string) {
	if name, ok := item.(string); ok {
		return Parameter{Name: name, Type: "string"}, nil
	}
	m, ok := item.(map[string]any)
	if !ok {
		return Parameter{}, nil
	}
	f := frontmatter.Fields{Matter: frontmatter.Matter{Values: m}}
	return Parameter{
		Name:        f.Text("name"),
		Type:        f.TextOr("type", "string"),
		Required:    f.Boolean("required", false),
		Description: f.Text("description"),
		Default:     m["default"],
		Enum:        f.List("enum"),
	}, f.Warnings
}
