package offline

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// skillHeader is what the assistant needs of a skill's front matter.
type skillHeader struct {
	name  string
	tools []string
	steps bool // that the program runs
}

// maxHeaderBytes bounds the lines read as front matter.
const maxHeaderBytes = 400

// frontMatter reads the name and the tools of a SKILL.md. It knows the two
// spellings of a list; whatever else the YAML holds is none of its business.
func frontMatter(content string) skillHeader {
	var h skillHeader
	listing := false
	n := 0
	for line := range strings.Lines(strings.TrimLeft(content, "\ufeff \t\r\n")) {
		line = strings.TrimRight(line, " \t\r\n")
		n++
		switch {
		case n == 1 && line != "---":
			return h
		case n == 1 || line == "" || strings.HasPrefix(strings.TrimSpace(line), "#"):
			continue
		case line == "---" || n > maxHeaderBytes:
			return h
		}
		item, isItem := strings.CutPrefix(strings.TrimSpace(line), "- ")
		key, value, _ := strings.Cut(line, ":")
		switch {
		case isItem && listing:
			h.tools = append(h.tools, scalars(item)...)
		case key == "name":
			h.name, listing = strings.Join(scalars(value), " "), false
		case key == "tools_required":
			h.tools, listing = append(h.tools, scalars(value)...), true
		case !strings.HasPrefix(line, " "):
			h.steps, listing = h.steps || key == "steps", false
		}
	}
	return skillHeader{} // the front matter never ends
}

var comment = lazyregexp.New(`(^|\s)#.*$`)

// scalars reads a plain value or a list in brackets.
func scalars(value string) []string {
	value = strings.Trim(strings.TrimSpace(comment().ReplaceAllString(value, "")), "[]")
	var out []string
	for one := range strings.SplitSeq(value, ",") {
		if one = strings.Trim(strings.TrimSpace(one), `"'`); one != "" {
			out = append(out, one)
		}
	}
	return out
}

// maxRequired bounds the tools taken from a skill.
const maxRequired = 16

// requiredTools are the tools that a skill lists, once each.
func requiredTools(content string) []string {
	var out []string
	for _, name := range frontMatter(content).tools {
		if !slices.Contains(out, name) && len(out) < maxRequired {
			out = append(out, name)
		}
	}
	return out
}
