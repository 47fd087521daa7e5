package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill/workflow"
)

// ActivationMessage is the message by which a user hands a skill to the model: who
// asked and with which words, and the skill's content as Render gives it, marked
// off as data.
//
// Content that itself holds the closing mark, and so could pretend to be
// something the user said after it, is closed by a boundary that occurs nowhere
// in it.
func ActivationMessage(c Content, a workflow.Arguments) string {
	suffix, attribute, end := "", "", ""
	if a.Text != "" {
		suffix = " with: " + a.Text
	}
	content := Render(c, a)
	if strings.Contains(strings.ToLower(content), "</skill") {
		b := boundary(content)
		attribute, end = fmt.Sprintf(" boundary=%q", b), b+"\n"
	}
	return fmt.Sprintf("The user activated the skill %q%s\n\n<skill name=%q source=%q%s>\n%s\n%s</skill>",
		c.Skill.Name, suffix, c.Skill.Name, c.Skill.Source, attribute, content, end)
}

// boundary is a word that content does not hold. It is derived, not random, so
// that one conversation sent twice is the same text to a prompt cache.
func boundary(content string) string {
	for salt := 0; ; salt++ {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s", salt, content))
		if b := "end-of-skill-" + hex.EncodeToString(sum[:8]); !strings.Contains(content, b) {
			return b
		}
	}
}

// Render is a skill's content as the model gets it with these arguments: the
// front matter as it is in the file, then the body with them put in.
func Render(c Content, a workflow.Arguments) string {
	head := strings.TrimSuffix(c.Text, c.Body)
	body := workflow.Substitute(c.Body, c.Skill.Parameters, a)
	// A front matter that ends the file without a line end must not run into
	// the arguments.
	if c.Body == "" && body != "" && !strings.HasSuffix(head, "\n") {
		head += "\n"
	}
	return head + body
}
