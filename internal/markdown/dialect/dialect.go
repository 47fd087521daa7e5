// Package dialect parses Markdown as models and tools write it: CommonMark with tables,
// strikethrough, bare links and task lists, bounded where a document could make the
// parser work out of all proportion to its length. [New] is all of it.
package dialect

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

// New builds a parser, which is for one goroutine. It costs some microseconds and is
// not shared, so that importing the package builds none. spaceless reports the runes
// of scripts that are written without spaces.
func New(spaceless func(rune) bool) parser.Parser {
	block := parser.DefaultBlockParsers()
	for i := range block {
		switch wrapped := block[i].Value.(parser.BlockParser); block[i].Priority {
		case setextPriority:
			block[i].Value = underline{wrapped}
		case listPriority, quotePriority:
			block[i].Value = container{wrapped}
		}
	}
	inline := parser.DefaultInlineParsers()
	for i := range inline {
		switch wrapped := inline[i].Value.(parser.InlineParser); inline[i].Priority {
		case linkPriority:
			inline[i].Value = &links{InlineParser: wrapped}
		case emphasisPriority:
			inline[i].Value = stars{wrapped, spaceless}
		}
	}
	inline = append(inline,
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999),
	)
	paragraph := append(parser.DefaultParagraphTransformers(),
		util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200),
	)
	return parser.NewParser(
		parser.WithBlockParsers(block...),
		parser.WithInlineParsers(inline...),
		parser.WithParagraphTransformers(paragraph...),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
	)
}

// Priorities by which the parser's own list names what is wrapped here.
const (
	setextPriority   = 100
	linkPriority     = 200
	listPriority     = 300
	emphasisPriority = 500
	quotePriority    = 800
)

// deepest is how far quotes and lists may stand in each other. Nobody writes
// so many; a line of a thousand marks would take the parser a thousand steps
// for each line below it.
const deepest = 24

// container parses quotes and lists. What begins one too deep is text.
type container struct{ parser.BlockParser }

func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		switch n.(type) {
		case *ast.List, *ast.Blockquote:
			depth++
		}
	}
	if depth >= deepest {
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

// underline parses the headings that are underlined. Below a table it must
// not try: the parser would move the lines before the table after it.
type underline struct{ parser.BlockParser }

func (u underline) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
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

// mostColumns is how many a table has. Each of its rows has all of them, be it
// one letter long: a head of a thousand would make a page of millions of cells.
const mostColumns = 64

// tables parses tables. What has more columns than anyone reads is text.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	for i := 1; i < node.Lines().Len(); i++ {
		seg := node.Lines().At(i)
		line := seg.Value(reader.Source())
		if between := bytes.Count(bytes.Trim(line, "| \n"), []byte{'|'}); between >= mostColumns && isDelimiterRow(line) {
			return
		}
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}

// isDelimiterRow reports a line that may stand between the header and the
// rows of a table.
func isDelimiterRow(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && bytes.ContainsAny(line, "|:") && len(bytes.Trim(line, "-|: \t")) == 0
}

// mostTried bounds the bytes that are read in vain in one block for the targets
// of links. A target may be as long as it likes, so that each of a thousand that
// have no end would be read up to the end of the block.
const mostTried = 4 << 20

// links parses links and images. After mostTried bytes no other target is read in
// that block.
type links struct {
	parser.InlineParser
	tried int
}

func (l *links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if !bytes.HasPrefix(line, []byte("](")) {
		return l.InlineParser.Parse(parent, block, pc)
	}
	if l.tried > mostTried {
		return nil
	}
	node := l.InlineParser.Parse(parent, block, pc)
	if node == nil {
		l.tried += len(line)
	}
	return node
}

// CloseBlock ends what is counted, with the block.
func (l *links) CloseBlock(parent ast.Node, block text.Reader, pc parser.Context) {
	l.tried = 0
	l.InlineParser.(parser.CloseBlocker).CloseBlock(parent, block, pc)
}

// stars parses emphasis. CommonMark asks for a space between a mark that
// follows punctuation and the next word, which neither a footnote index
// ("**53.3%**⁴") nor Chinese or Japanese has; here they need none.
type stars struct {
	parser.InlineParser
	spaceless func(rune) bool
}

func (s stars) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, _ := block.PeekLine()
	node := s.InlineParser.Parse(parent, block, pc)
	run, ok := node.(*parser.Delimiter)
	if !ok || run.Char != '*' {
		return node
	}
	after, _ := utf8.DecodeRune(line[run.OriginalLength:])
	run.CanClose = run.CanClose || util.IsPunctRune(before) && s.needsNoSpace(after)
	run.CanOpen = run.CanOpen || util.IsPunctRune(after) && s.needsNoSpace(before)
	return node
}

func (s stars) needsNoSpace(r rune) bool {
	return strings.ContainsRune("¹²³⁰⁴⁵⁶⁷⁸⁹", r) || s.spaceless(r)
}
