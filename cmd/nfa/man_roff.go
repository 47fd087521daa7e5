package main

import "strings"

// roff builds a manual page with the macros of man(7).
type roff struct{ b strings.Builder }

func (p *roff) String() string { return p.b.String() }

// request writes a macro with its arguments, which are escaped.
func (p *roff) request(macro string, args ...string) {
	p.b.WriteString("." + macro)
	for _, w := range args {
		p.b.WriteString(` "` + strings.ReplaceAll(escapeRoff(w), `"`, `\(dq`) + `"`)
	}
	p.b.WriteByte('\n')
}

// line writes a line of roff. It protects a leading period or quote from being read as a macro.
func (p *roff) line(text string) {
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	p.b.WriteString(text + "\n")
}

// text writes paragraphs of plain text. Indented lines are written unchanged, because they are
// lists and commands.
func (p *roff) text(text string) {
	verbatim := false
	setVerbatim := func(on bool) {
		if on != verbatim {
			verbatim = on
			p.request(map[bool]string{true: "nf", false: "fi"}[on])
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \n")
		if line == "" {
			setVerbatim(false)
			p.request("PP")
			continue
		}
		setVerbatim(strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t"))
		p.line(escapeRoff(line))
	}
	setVerbatim(false)
}

// verbatim writes plain text line by line.
func (p *roff) verbatim(text string) {
	p.request("nf")
	for line := range strings.Lines(text) {
		p.line(escapeRoff(strings.TrimRight(line, " \n")))
	}
	p.request("fi")
}

// item writes a term and its indented description; both are already roff.
func (p *roff) item(name, meaning string) {
	p.request("TP")
	p.line(name)
	for line := range strings.Lines(meaning) {
		p.line(strings.TrimRight(line, "\n"))
	}
}

// escapeRoff escapes text for roff. Hyphens and quotes remain ASCII, so that they can be pasted
// into a shell.
func escapeRoff(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
}

func bold(text string) string   { return `\fB` + escapeRoff(text) + `\fR` }
func italic(text string) string { return `\fI` + escapeRoff(text) + `\fR` }
