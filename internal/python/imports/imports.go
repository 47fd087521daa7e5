// Package imports reads which modules a Python source asks for, without
// running it.
//
// It looks at statements, not at names: strings, comments and continued lines
// are understood, imports that a running program computes (importlib,
// __import__) are not seen. What it says serves a clear refusal before a run
// and the finding of local modules; it is no fence, the runtime is.
package imports

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

// Scan returns the imports of src in the order they stand. Source that Python
// would not parse yields what can still be told.
func Scan(src []byte) []Import {
	s := &scanner{lexer: lexer{src: string(src), line: 1}}
	var found []Import
	for {
		statement, more := s.logicalLine()
		found = append(found, s.importsOf(statement)...)
		if !more {
			return found
		}
	}
}

// scanner follows the blocks of a source by their indentation.
type scanner struct {
	lexer
	optional []int // indents of the open blocks whose imports may be missing
}

// importsOf reads one logical line: an optional compound header ("try:"),
// then statements divided by semicolons.
func (s *scanner) importsOf(line []token) []Import {
	if len(line) == 0 {
		return nil
	}
	for len(s.optional) > 0 && line[0].column <= s.optional[len(s.optional)-1] {
		s.optional = s.optional[:len(s.optional)-1]
	}
	forgiving := forgives(line)
	optional := len(s.optional) > 0 || forgiving
	var found []Import
	for _, statement := range statements(line) {
		for _, i := range parse(statement) {
			i.Optional = optional
			found = append(found, i)
		}
	}
	if forgiving {
		s.optional = append(s.optional, line[0].column)
	}
	return found
}

// forgives reports whether a line opens a block whose imports may be missing.
func forgives(line []token) bool {
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

// statements divides a logical line at the colons and semicolons that stand
// outside brackets.
func statements(line []token) [][]token {
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

func parse(statement []token) []Import {
	if len(statement) < 2 {
		return nil
	}
	switch r := (reader{tokens: statement[1:]}); statement[0].text {
	case "import":
		return r.modules(statement[0].line)
	case "from":
		return r.members(statement[0].line)
	}
	return nil
}

// reader walks the tokens behind "import" and "from".
type reader struct{ tokens []token }

// modules reads "a.b as c, d".
func (r *reader) modules(line int) []Import {
	var found []Import
	for {
		name := r.dotted()
		if name == "" {
			return found
		}
		found = append(found, Import{Module: name, Line: line})
		r.alias()
		if !r.take(",") {
			return found
		}
	}
}

// members reads "..a.b import (x as y, z)".
func (r *reader) members(line int) []Import {
	i := Import{Line: line}
	for r.take(".") {
		i.Level++
	}
	i.Module = r.dotted()
	if !r.take("import") || i.Module == "" && i.Level == 0 {
		return nil
	}
	r.take("(")
	for {
		if r.take("*") {
			i.Names = append(i.Names, "*")
			break
		}
		name := r.word()
		if name == "" {
			break
		}
		i.Names = append(i.Names, name)
		r.alias()
		if !r.take(",") {
			break
		}
	}
	return []Import{i}
}

func (r *reader) dotted() string {
	name := r.word()
	for name != "" && r.take(".") {
		name += "." + r.word()
	}
	return name
}

func (r *reader) alias() {
	if r.take("as") {
		r.word()
	}
}

// word takes a name; the keyword of "from . import x" is none.
func (r *reader) word() string {
	if len(r.tokens) == 0 || !r.tokens[0].name || r.tokens[0].text == "import" {
		return ""
	}
	text := r.tokens[0].text
	r.tokens = r.tokens[1:]
	return text
}

func (r *reader) take(text string) bool {
	if len(r.tokens) == 0 || r.tokens[0].text != text {
		return false
	}
	r.tokens = r.tokens[1:]
	return true
}
