package python

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"time"
)

//go:embed boot.py
var bootstrap string

// program returns the file that the interpreter runs: the bootstrap and a call of it with the
// script as literals. runtimePath returns the runtime's name of a file in the skill's directory. A
// zero time sets no limit; free is nil for a script of a workflow.
func (s *Script) program(runtimePath func(path string) string, limits Limits, free *freeForm) []byte {
	var out strings.Builder
	out.WriteString(bootstrap)
	fmt.Fprintf(&out, "\n\nboot(%s.decode(), %s, {", bytesLiteral(runtimePath(s.main.path)), bytesLiteral(string(s.main.text)))
	for _, m := range s.modules {
		filename := "None"
		if m.source.path != "" {
			filename = bytesLiteral(runtimePath(m.source.path)) + ".decode()"
		}
		isPackage := "False"
		if m.isPackage {
			isPackage = "True"
		}
		fmt.Fprintf(&out, "\n    %s.decode(): (%s, %s, %s),", bytesLiteral(m.name), filename, bytesLiteral(string(m.source.text)), isPackage)
	}
	seconds := int64(math.Ceil(limits.Time.Seconds()))
	fmt.Fprintf(&out, "\n}, %d, %d", seconds, limits.Memory)
	if free != nil {
		out.WriteString(", [")
		for _, arg := range free.args {
			out.WriteString(bytesLiteral(arg) + ".decode(), ")
		}
		fmt.Fprintf(&out, "], %d", maxWrittenBytes)
		if free.folder != "" {
			out.WriteString(", " + bytesLiteral(free.folder) + ".decode()")
		}
	}
	out.WriteString(")\n")
	return []byte(out.String())
}

// bytesLiteral returns text, which may be any bytes, as a Python literal.
func bytesLiteral(text string) string {
	const digits = "0123456789abcdef"
	var out strings.Builder
	out.Grow(len(text) + len(text)/8 + 3)
	out.WriteString(`b"`)
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c >= ' ' && c < 0x7f:
			out.WriteByte(c)
		default:
			out.WriteString(`\x`)
			out.WriteByte(digits[c>>4])
			out.WriteByte(digits[c&15])
		}
	}
	out.WriteByte('"')
	return out.String()
}

// Limits limit a run. A zero field means its default.
type Limits struct {
	Time   time.Duration // wall clock and processor time; 60 s
	Memory int64         // bytes; 512 MB
	Output int64         // bytes of standard output; 8 MB
}

func (l Limits) orDefault() Limits {
	if l.Time <= 0 {
		l.Time = 60 * time.Second
	}
	if l.Memory <= 0 {
		l.Memory = 512 << 20
	}
	if l.Output <= 0 {
		l.Output = 8 << 20
	}
	return l
}
