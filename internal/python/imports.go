package python

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// Import is one imported module.
type Import struct {
	Module string   // dotted; empty in "from . import x"
	Names  []string // names in "from Module import ..."; nil for "import Module", "*" for all
	Level  int      // leading dots of a relative import
	Line   int      // first line of the statement, from 1
	// Optional is true if the program can run without the module: the import is in a try or an
	// except, under suppress(ImportError), or under TYPE_CHECKING.
	Optional bool
}

const (
	namePattern   = `[\pL\pM\pN_]+`
	dottedPattern = namePattern + `(?:\s*\.\s*` + namePattern + `)*`
)

var (
	importStatement = lazyregexp.New(`^\s*import\s(.*)$`)
	fromStatement   = lazyregexp.New(`^\s*from([\s.]+)(` + dottedPattern + `)?\s*import([\s(*].*)$`)
	importedModule  = lazyregexp.New(`^\s*(` + dottedPattern + `)`)
	importedName    = lazyregexp.New(`^[\s(]*(\*|` + namePattern + `)`)
	optionalBlock   = lazyregexp.New(`^\s*(?:(?:try|except)\b|if\s.*\bTYPE_CHECKING\b|with\s.*\b(?:ImportError|ModuleNotFoundError)\b)`)
	// notCode matches strings, comments and escaped line breaks. An unterminated string ends with
	// its line, or with the source if it has three quotes.
	notCode = lazyregexp.New(`(?s)"""(?:\\.|[^\\])*?(?:"""|\z)|'''(?:\\.|[^\\])*?(?:'''|\z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|#[^\n]*|\\\n`)
)

// ScanImports returns the imports of src in order. For invalid source, it returns the imports that
// can still be recognized.
func ScanImports(src []byte) []Import {
	var found []Import
	var optional []int // indents of the open blocks whose imports are optional
	for _, line := range logicalLines(string(src)) {
		header := line.statements[0]
		indent := len(header) - len(strings.TrimLeft(header, " \t\f"))
		for len(optional) > 0 && indent <= optional[len(optional)-1] {
			optional = optional[:len(optional)-1]
		}
		if optionalBlock().MatchString(header) {
			optional = append(optional, indent)
		}
		for _, statement := range line.statements {
			for _, i := range parseImports(statement) {
				i.Line, i.Optional = line.number, len(optional) > 0
				found = append(found, i)
			}
		}
	}
	return found
}

// logicalLine is one line for Python, which may span several lines of text.
type logicalLine struct {
	number     int      // of its first line in the source
	statements []string // split at colons and semicolons outside brackets
}

// logicalLines returns the lines that are not blank, without comments. A string becomes a quotation
// mark, and a line break within a line becomes \r.
func logicalLines(src string) []logicalLine {
	src = strings.NewReplacer("\r\n", "\n", "\r", " ").Replace(src)
	src = notCode().ReplaceAllStringFunc(src, func(text string) string {
		breaks := strings.Repeat("\r", strings.Count(text, "\n"))
		if text[0] == '"' || text[0] == '\'' {
			return `"` + breaks
		}
		return breaks
	})
	var lines []logicalLine
	line := logicalLine{number: 1}
	number, begin, depth := 1, 0, 0
	code := []byte(src + "\n")
	for i, c := range code {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth = max(0, depth-1)
		case '\r':
			number++
		case '\n':
			number++
			if depth > 0 && i < len(code)-1 {
				code[i] = '\r'
				continue
			}
			line.statements = append(line.statements, string(code[begin:i]))
			if len(line.statements) > 1 || strings.TrimSpace(line.statements[0]) != "" {
				lines = append(lines, line)
			}
			line, begin = logicalLine{number: number}, i+1
		case ':', ';':
			if depth == 0 {
				line.statements = append(line.statements, string(code[begin:i]))
				begin = i + 1
			}
		}
	}
	return lines
}

// parseImports parses "import a.b as c, d" and "from ..a.b import (x as y, z)".
func parseImports(statement string) []Import {
	if m := importStatement().FindStringSubmatch(statement); m != nil {
		var found []Import
		for module := range strings.SplitSeq(m[1], ",") {
			name := importedModule().FindStringSubmatch(module)
			if name == nil {
				break
			}
			found = append(found, Import{Module: withoutSpace(name[1])})
		}
		return found
	}
	m := fromStatement().FindStringSubmatch(statement)
	if m == nil {
		return nil
	}
	i := Import{Module: withoutSpace(m[2]), Level: strings.Count(m[1], ".")}
	if i.Module == "" && i.Level == 0 {
		return nil
	}
	for member := range strings.SplitSeq(m[3], ",") {
		name := importedName().FindStringSubmatch(member)
		if name == nil {
			break
		}
		i.Names = append(i.Names, name[1])
	}
	return []Import{i}
}

func withoutSpace(name string) string { return strings.Join(strings.Fields(name), "") }
