package markdown

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// NewParser returns a parser. It is not safe for concurrent use. It costs some microseconds and is
// not shared, so that importing the package creates none. spaceless reports whether a rune belongs to a
// script without spaces.
func NewParser(spaceless func(rune) bool) parser.Parser {
	block := parser.DefaultBlockParsers()
	for i := range block {
		switch wrapped := block[i].Value.(parser.BlockParser); block[i].Priority {
		case setextPriority:
			block[i].Value = setextHeadings{wrapped}
		case listPriority, quotePriority:
			block[i].Value = boundedContainer{wrapped}
		}
	}
	inline := parser.DefaultInlineParsers()
	for i := range inline {
		switch wrapped := inline[i].Value.(parser.InlineParser); inline[i].Priority {
		case linkPriority:
			inline[i].Value = &boundedLinks{InlineParser: wrapped}
		case emphasisPriority:
			inline[i].Value = spacelessEmphasis{wrapped, spaceless}
		}
	}
	inline = append(inline,
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	)
	paragraph := append(parser.DefaultParagraphTransformers(),
		util.Prioritized(boundedTables{extension.NewTableParagraphTransformer()}, 200),
	)
	return parser.NewParser(
		parser.WithBlockParsers(block...),
		parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(paragraph...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// Priorities of the wrapped parsers in the default list of goldmark.
const (
	setextPriority   = 100
	linkPriority     = 200
	listPriority     = 300
	emphasisPriority = 500
	quotePriority    = 800
)

// maxNesting is the maximum nesting of quotes and lists. Without it, a line of a thousand marks would take
// the parser a thousand steps for each line below it.
const maxNesting = 24

// boundedContainer parses quotes and lists. Beyond maxNesting, they are text.
type boundedContainer struct{ parser.BlockParser }

func (c boundedContainer) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		switch n.(type) {
		case *ast.List, *ast.Blockquote:
			depth++
		}
	}
	if depth >= maxNesting {
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

// setextHeadings parses underlined headings, except below a table, where the parser would move the lines
// before the table after it.
type setextHeadings struct{ parser.BlockParser }

func (u setextHeadings) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if last, ok := pc.LastOpenedBlock().Node.(*ast.Paragraph); ok {
		for i := 1; i < last.Lines().Len(); i++ {
			seg := last.Lines().At(i)
			if isDelimiterRow(seg.Value(reader.Source())) {
				return nil, parser.NoChildren
			}
		}
	}
	return u.BlockParser.Open(parent, reader, pc)
}

// maxTableColumns is the maximum number of columns of a table. Every row has all columns, so a header with a
// thousand columns would turn a page of short lines into millions of cells.
const maxTableColumns = 64

// boundedTables parses tables. A table with more than maxTableColumns is text.
type boundedTables struct{ parser.ParagraphTransformer }

func (t boundedTables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	for i := 1; i < node.Lines().Len(); i++ {
		seg := node.Lines().At(i)
		line := seg.Value(reader.Source())
		if between := bytes.Count(bytes.Trim(line, "| \n"), []byte{'|'}); between >= maxTableColumns && isDelimiterRow(line) {
			return
		}
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// isDelimiterRow reports whether a line can separate the header from the rows of a table.
func isDelimiterRow(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && bytes.ContainsAny(line, "|:") && len(bytes.Trim(line, "-|: \t")) == 0
}

// maxLinkBytes is the maximum number of bytes that are read in a block for link targets that turn out to be
// none. Without it, each of a thousand unclosed targets would be read up to the end of the block.
const maxLinkBytes = 4 << 20

// boundedLinks parses links and images. After maxLinkBytes, it reads no more targets in the block.
type boundedLinks struct {
	parser.InlineParser
	triedBytes int
}

func (l *boundedLinks) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("](")) {
		return l.InlineParser.Parse(parent, block, pc)
	}
	if l.triedBytes > maxLinkBytes {
		return nil
	}
	node := l.InlineParser.Parse(parent, block, pc)
	if node == nil {
		l.triedBytes += len(line)
	}
	return node
}

// CloseBlock resets the count at the end of the block.
func (l *boundedLinks) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	l.triedBytes = 0
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// spacelessEmphasis parses emphasis. CommonMark requires a space between a mark after punctuation and the
// next word; footnotes ("**53.3%**⁴"), Chinese and Japanese have none, and need none here.
type spacelessEmphasis struct {
	parser.InlineParser
	spaceless func(rune) bool
}

func (s spacelessEmphasis) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, _ := block.PeekLine()
	node := s.InlineParser.Parse(parent, block, pc)
	run, ok := node.(*parser.Delimiter)
	if !ok || run.Char != '*' {
		return node
	}
	after, _ := utf8.DecodeRune(line[run.OriginalLength:])
	run.CanClose = run.CanClose || util.IsPunctRune(before) && s.isSpaceless(after)
	run.CanOpen = run.CanOpen || util.IsPunctRune(after) && s.isSpaceless(before)
	return node
}

func (s spacelessEmphasis) isSpaceless(r rune) bool {
	return strings.ContainsRune("¹²³⁰⁴⁵⁶⁷⁸⁹", r) || s.spaceless(r)
}
