package offline

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// skillActivation is a skill that the program hands over in a user message.
type skillActivation struct{ name, arguments, content string }

// Activation is the skill that the program hands over in a message, and its text; ok
// is false where the message is none of those.
func Activation(message string) (skill, content string, ok bool) {
	act, ok := parseActivation(message)
	return act.name, act.content, ok
}

var activationHead = lazyregexp.New(`^The user activated the skill "([^"\n]{1,200})"(?: with: ?)?`)

func parseActivation(message string) (skillActivation, bool) {
	const open, end = "\n<skill ", "\n</skill>"
	m := activationHead().FindStringSubmatch(message)
	if m == nil {
		return skillActivation{}, false
	}
	rest := message[len(m[0]):]
	arguments, tagged, ok := strings.Cut(rest, open)
	if !ok {
		return skillActivation{}, false
	}
	_, content, ok := strings.Cut(tagged, ">\n")
	// The last one: the skill's own text may speak of the tag.
	at := strings.LastIndex(content, end)
	if !ok || at < 0 {
		return skillActivation{}, false
	}
	return skillActivation{m[1], strings.TrimSpace(strings.TrimPrefix(arguments, ".")), content[:at]}, true
}

// namedSkill finds the skill that a sentence asks for, and the words left for
// its arguments. A name of one word is only taken for a skill where the sentence
// says so.
func namedSkill(s sentence, skills []string) (name, rest string, ok bool) {
	bidden := s.begins("use", "run", "apply", "load", "activate", "follow", "start", "please use", "please run", "do")
	speaks := s.has("skill")
	for _, k := range skills {
		words := k
		if !s.has(words) {
			words = strings.ReplaceAll(k, "-", " ")
		}
		plain := words == k && strings.Contains(k, "-")
		if s.has(words) && (plain || bidden || speaks) {
			return k, s.without(words), true
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
