package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// ActivationMessage returns the message that gives a skill to the model when the user activates it:
// notes about it, then the skill's content, marked as data. A DataMark replaces each call in its body.
//
// If the content contains the closing tag, and could therefore pretend to be from the user, a
// boundary that does not occur in the content is added to the tags.
func ActivationMessage(c Content, a workflow.Arguments, notes []string) string {
	suffix, attribute, end := "", "", ""
	if a.Text != "" {
		suffix = " with: " + a.Text
	}
	content := RenderData(c, a).withMarks()
	if strings.Contains(strings.ToLower(content), "</skill") {
		b := boundary(content)
		attribute, end = fmt.Sprintf(" boundary=%q", b), b+"\n"
	}
	for _, note := range notes {
		suffix += "\nNote: " + note
	}
	return fmt.Sprintf("The user activated the skill %q%s\n\n<skill name=%q source=%q%s>\n%s\n%s</skill>",
		c.Skill.Name, suffix, c.Skill.Name, c.Skill.Source, attribute, content, end)
}

// boundary returns a word that content does not contain. It is derived from the content, not
// random, so that prompt caches work.
func boundary(content string) string {
	for salt := 0; ; salt++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", salt, content))
		if b := "end-of-skill-" + hex.EncodeToString(sum[:8]); !strings.Contains(content, b) {
			return b
		}
	}
}

// Render returns a skill's content for the model: the unchanged front matter, and the body with the
// arguments filled in.
func Render(c Content, a workflow.Arguments) string {
	head := strings.TrimSuffix(c.Text, c.Body)
	body := workflow.Substitute(c.Body, c.Skill.Parameters, a)
	// Front matter without a final newline must not run into the arguments.
	if c.Body == "" && body != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return head + body
}
