package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/util"
)

// references are the link definitions that are final, by their label as the
// parser compares labels.
type references map[string]parser.Reference

// define adds a definition. The first one of a label counts.
func (s *Stream) define(d *ast.LinkReferenceDefinition) {
	label := util.ToLinkReference(d.Label)
	if _, ok := s.refs[label]; ok {
		return
	}
	if s.refs == nil {
		s.refs = references{}
	}
	s.refs[label] = parser.NewReference(bytes.Clone(d.Label), bytes.Clone(d.Destination), bytes.Clone(d.Title))
}

// parseContext lets a parse find the definitions above its text without copying all of them each
// time.
type parseContext struct {
	parser.Context
	above references
}

func (c parseContext) Reference(label string) (parser.Reference, bool) {
	if ref, ok := c.above[label]; ok {
		return ref, true
	}
	return c.Context.Reference(label)
}
