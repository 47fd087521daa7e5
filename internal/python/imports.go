package python

// Import is one module that a source asks for.
type Import struct {
	Module string   // dotted; empty in "from . import x"
	Names  []string // what "from Module import ..." takes; nil for "import Module", "*" for all
	Level  int      // leading dots of a relative import
	Line   int      // where the statement begins, from 1
	// Optional says that the program can do without: the import stands in a try
	// or an except, under suppress(ImportError), or under TYPE_CHECKING.
	Optional bool
}

// ScanImports returns the imports of src in their order. Of source that Python would not parse, it
// returns the imports that can still be recognized.
func ScanImports(src []byte) []Import {
	s := &importScanner{lexer: lexer{src: string(src), line: 1}}
	var found []Import
	for {
		statement, more := s.logicalLine()
		found = append(found, s.importsOf(statement)...)
		if !more {
			return found
		}
	}
}

// importScanner follows the blocks of a source by their indentation.
type importScanner struct {
	lexer
	optional []int // indents of the open blocks whose imports may be missing
}

// importsOf reads one logical line: an optional compound header ("try:"),
// then statements divided by semicolons.
func (s *importScanner) importsOf(line []token) []Import {
	if len(line) == 0 {
		return nil
	}
	for len(s.optional) > 0 && line[0].column <= s.optional[len(s.optional)-1] {
		s.optional = s.optional[:len(s.optional)-1]
	}
	opensBlock := opensOptionalBlock(line)
	optional := len(s.optional) > 0 || opensBlock
	var found []Import
	for _, statement := range splitStatements(line) {
		for _, i := range parseImports(statement) {
			i.Optional = optional
			found = append(found, i)
		}
	}
	if opensBlock {
		s.optional = append(s.optional, line[0].column)
	}
	return found
}

// opensOptionalBlock reports whether a line opens a block whose imports may be missing.
func opensOptionalBlock(line []token) bool {
	switch line[0].text {
	case "try", "except":
		return true
	case "if":
		return mentions(line, "TYPE_CHECKING")
	case "with":
		return mentions(line, "ImportError") || mentions(line, "ModuleNotFoundError")
	}
	return false
}

func mentions(line []token, name string) bool {
	for _, t := range line {
		if t.text == name {
			return true
		}
	}
	return false
}

// splitStatements divides a logical line at the colons and semicolons that stand
// outside brackets.
func splitStatements(line []token) [][]token {
	var out [][]token
	depth, begin := 0, 0
	for i, t := range line {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ":", ";":
			if depth <= 0 {
				out = append(out, line[begin:i])
				begin = i + 1
			}
		}
	}
	return append(out, line[begin:])
}

func parseImports(statement []token) []Import {
	if len(statement) < 2 {
		return nil
	}
	switch r := (importReader{tokens: statement[1:]}); statement[0].text {
	case "import":
		return r.modules(statement[0].line)
	case "from":
		return r.members(statement[0].line)
	}
	return nil
}

// importReader walks the tokens behind "import" and "from".
type importReader struct{ tokens []token }

// modules reads "a.b as c, d".
func (r *importReader) modules(line int) []Import {
	var found []Import
	for {
		name := r.dottedName()
		if name == "" {
			return found
		}
		found = append(found, Import{Module: name, Line: line})
		r.skipAlias()
		if !r.accept(",") {
			return found
		}
	}
}

// members reads "..a.b import (x as y, z)".
func (r *importReader) members(line int) []Import {
	i := Import{Line: line}
	for r.accept(".") {
		i.Level++
	}
	i.Module = r.dottedName()
	if !r.accept("import") || i.Module == "" && i.Level == 0 {
		return nil
	}
	r.accept("(")
	for {
		if r.accept("*") {
			i.Names = append(i.Names, "*")
			break
		}
		name := r.name()
		if name == "" {
			break
		}
		i.Names = append(i.Names, name)
		r.skipAlias()
		if !r.accept(",") {
			break
		}
	}
	return []Import{i}
}

func (r *importReader) dottedName() string {
	name := r.name()
	for name != "" && r.accept(".") {
		name += "." + r.name()
	}
	return name
}

func (r *importReader) skipAlias() {
	if r.accept("as") {
		r.name()
	}
}

// name takes a name; the keyword of "from . import x" is none.
func (r *importReader) name() string {
	if len(r.tokens) == 0 || !r.tokens[0].isName || r.tokens[0].text == "import" {
		return ""
	}
	text := r.tokens[0].text
	r.tokens = r.tokens[1:]
	return text
}

func (r *importReader) accept(text string) bool {
	if len(r.tokens) == 0 || r.tokens[0].text != text {
		return false
	}
	r.tokens = r.tokens[1:]
	return true
}
