package offline

import (
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/pattern"
)

// activation is a user message by which the program hands over a skill.
type activation struct{ name, arguments, content string }

var activationHead = pattern.Lazy(`^The user activated the skill "([^"\n]{1,200})"(?: with: ?)?`)

func parseActivation(message string) (activation, bool) {
	const open, end = "\n<skill ", "\n</skill>"
	m := activationHead().FindStringSubmatch(message)
	if m == nil {
		return activation{}, false
	}
	rest := message[len(m[0]):]
	arguments, tagged, ok := strings.Cut(rest, open)
	if !ok {
		return activation{}, false
	}
	_, content, ok := strings.Cut(tagged, ">\n")
	// The last one: the skill's own text may speak of the tag.
	at := strings.LastIndex(content, end)
	if !ok || at < 0 {
		return activation{}, false
	}
	return activation{m[1], strings.TrimSpace(strings.TrimPrefix(arguments, ".")), content[:at]}, true
}

// skillHead is what the assistant needs of a skill's front matter.
type skillHead struct {
	name  string
	tools []string
	steps bool // that the program runs
}

// maxHead bounds the lines read as front matter.
const maxHead = 400

// frontMatter reads the name and the tools of a SKILL.md. It knows the two
// spellings of a list; whatever else the YAML holds is none of its business.
func frontMatter(content string) skillHead {
	var h skillHead
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
		case line == "---" || n > maxHead:
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
	return skillHead{} // the front matter never ends
}

var comment = pattern.Lazy(`(^|\s)#.*$`)

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

// namedSkill finds the skill that a sentence asks for, and the words left for
// its arguments. A name of one word is only taken for a skill where the sentence
// says so.
func namedSkill(s sentence, skills []skillEntry) (name, rest string, ok bool) {
	bidden := s.begins("use", "run", "apply", "load", "activate", "follow", "start", "please use", "please run", "do")
	speaks := s.has("skill")
	for _, k := range skills {
		words := k.name
		if !s.has(words) {
			words = strings.ReplaceAll(k.name, "-", " ")
		}
		plain := words == k.name && strings.Contains(k.name, "-")
		if s.has(words) && (plain || bidden || speaks) {
			return k.name, s.without(words), true
		}
	}
	if !bidden || !speaks {
		return "", "", false
	}
	if name = s.nameBeside("skill"); name == "" {
		return "", "", false
	}
	return name, s.without(name), true
}

// nameBeside is the word before w, or where that is none of its own, after it.
func (s sentence) nameBeside(w string) string {
	for i := range s.words {
		if s.words[i].low != w {
			continue
		}
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(s.words) && !ordinary()[s.words[j].low] && s.words[j].low != "use" {
				return s.words[j].low
			}
		}
	}
	return ""
}

// without is the sentence but for the words of a phrase and those that only
// introduce it.
func (s sentence) without(phrase string) string {
	n := len(strings.Fields(phrase))
	var kept []string
	for i := 0; i < len(s.words); i++ {
		if i+n <= len(s.words) && n > 0 && joinLow(s.words[i:i+n]) == phrase {
			i += n - 1
			continue
		}
		if low := s.words[i].low; low != "skill" && low != "the" {
			kept = append(kept, s.words[i].text)
		}
	}
	return strings.Join(kept, " ")
}

func joinLow(words []word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.low
	}
	return strings.Join(parts, " ")
}
