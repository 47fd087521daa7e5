package mcpclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nfa-cli/nfa/internal/markdown"
)

const (
	maxDescription = 1024
	maxName        = 128
	maxSchema      = 32 << 10
	maxSchemaNodes = 4000
	maxRefDepth    = 6
)

// newToolSpec returns a tool as nfa uses it. It fails for a tool that cannot be shown or called safely.
func newToolSpec(t *mcp.Tool) (toolSpec, error) {
	if t.Name == "" || len(t.Name) > maxName || markdown.SanitizeLine(t.Name) != t.Name {
		return toolSpec{}, fmt.Errorf("tool name %s", quoted(t.Name))
	}
	line := func(text string) string {
		return shorten(strings.TrimSpace(markdown.SanitizeLine(text)), maxDescription)
	}
	spec := toolSpec{Name: t.Name, Title: line(t.Title), Description: line(t.Description)}
	var err error
	if spec.Input, err = cleanSchema(t.InputSchema); err != nil {
		return toolSpec{}, fmt.Errorf("input schema of %s: %w", t.Name, err)
	}
	if t.OutputSchema != nil {
		if spec.Output, err = cleanSchema(t.OutputSchema); err != nil {
			return toolSpec{}, fmt.Errorf("output schema of %s: %w", t.Name, err)
		}
	}
	return spec, nil
}

// cleanSchema returns a schema with sanitized texts and without references, which could be endless.
func cleanSchema(value any) (json.RawMessage, error) {
	root, ok := value.(map[string]any)
	if !ok {
		return nil, errors.New("not an object")
	}
	c := schemaCleaner{root: root}
	clean := c.clean(root, 0, false)
	if c.err != nil {
		return nil, c.err
	}
	object, ok := clean.(map[string]any)
	if !ok {
		return nil, errors.New("not an object")
	}
	text, err := json.Marshal(object)
	if err == nil && len(text) > maxSchema {
		err = fmt.Errorf("it has %d bytes; at most %d are allowed", len(text), maxSchema)
	}
	var schema jsonschema.Schema
	if err == nil {
		err = json.Unmarshal(text, &schema)
	}
	if err == nil {
		_, err = schema.Resolve(nil)
	}
	return text, err
}

type schemaCleaner struct {
	root  map[string]any
	nodes int
	err   error
}

// droppedKeywords are resolved or not supported.
var droppedKeywords = []string{"$defs", "definitions", "$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef", "$schema"}

// namedSchemas hold schemas by names that the server chose, which are not keywords.
var namedSchemas = []string{"properties", "patternProperties", "dependentSchemas"}

// clean cleans a part of a schema. named is true for an object of schemas by name.
func (c *schemaCleaner) clean(value any, depth int, named bool) any {
	if c.nodes++; c.nodes > maxSchemaNodes && c.err == nil {
		c.err = errors.New("too large")
	}
	if c.err != nil {
		return nil
	}
	switch v := value.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && !named {
			target, ok := c.lookup(ref)
			if !ok || depth == maxRefDepth {
				return map[string]any{} // anything
			}
			return c.clean(target, depth+1, false)
		}
		out := map[string]any{}
		for name, item := range v {
			text, isText := item.(string)
			switch {
			case slices.Contains(droppedKeywords, name) && !named:
			case (name == "description" || name == "title" || name == "$comment") && isText && !named:
				out[name] = shorten(strings.TrimSpace(markdown.SanitizeLine(text)), maxDescription)
			case markdown.SanitizeLine(name) != name:
				c.err = errors.New("a property has control characters in its name")
			default:
				out[name] = c.clean(item, depth, !named && slices.Contains(namedSchemas, name))
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = c.clean(item, depth, false)
		}
		return out
	case string:
		if markdown.Sanitize(v) != v {
			c.err = errors.New("a value has control characters")
		}
	}
	return value
}

// lookup finds the target of a reference within the schema.
func (c *schemaCleaner) lookup(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, false
	}
	var at any = c.root
	for part := range strings.SplitSeq(path, "/") {
		object, isObject := at.(map[string]any)
		if !isObject {
			return nil, false
		}
		if at, ok = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]; !ok {
			return nil, false
		}
	}
	return at, true
}
