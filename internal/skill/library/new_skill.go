package library

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/install"
	"github.com/nfa-cli/nfa/internal/usage"
)

// skillTemplate is the text of a new skill, with a place for each recommended part.
const skillTemplate = `---
name: new-skill
description: New skill
---

# What it does

Say in one or two sentences what the assistant should do, and when not to use
this skill.

## Steps
1. Which tool to call first, with which input, and what to ask for if input is missing.
2. What to look at in the result, and what to compare it with.
3. What to do if there is no data.

## Answer
The form of the answer. Every figure with its unit or currency, its date and
its source.

## Do not claim
- anything that the tools did not return.
`

// NewSkillOptions are the options for a new skill.
type NewSkillOptions struct {
	Description, Category string
	From                  string // a file to start with: a SKILL.md, or Markdown for its body
}

// NewSkillText returns the SKILL.md of a new skill. It is validated before an installer could
// repair it, so that the skill gets the requested name or none.
func NewSkillText(name string, f NewSkillOptions) ([]byte, error) {
	content := []byte(skillTemplate)
	if f.From != "" {
		var err error
		if content, err = ReadSkillText(f.From); err != nil {
			return nil, err
		}
	} else if f.Description == "" {
		return nil, usage.Errorf("a skill needs a description: --description \"what it does and when to use it\"")
	}
	fields := [][2]string{{"name", name}, {"description", f.Description}, {"category", f.Category}}
	for _, field := range fields {
		if field[1] == "" && field[0] != "name" {
			continue
		}
		updated, err := frontmatter.SetField(content, field[0], field[1])
		if errors.Is(err, frontmatter.ErrMissing) {
			// Plain Markdown gets front matter from the options.
			updated, err = frontmatter.SetField(append([]byte("---\nname: new-skill\n---\n\n"), content...), field[0], field[1])
		}
		if err != nil {
			return nil, fmt.Errorf("set %s: %w", field[0], err)
		}
		content = updated
	}
	problems := slices.DeleteFunc(skill.ValidateContent(content, ""), func(p skill.Problem) bool { return p.Unexpected })
	for i := range problems {
		if f.From == "" {
			problems[i].Line = 0 // the user has not seen this text
		}
	}
	if len(problems) > 0 {
		return nil, usage.Errorf("%w", &install.InvalidError{Name: name, Problems: problems})
	}
	return content, nil
}

// ReadSkillText reads a file that will become a SKILL.md.
func ReadSkillText(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read skill: %w", err)
	}
	defer func() { _ = file.Close() }()
	content, err := io.ReadAll(io.LimitReader(file, skill.MaxSize+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read skill: %w", err)
	case len(content) > skill.MaxSize:
		return nil, fmt.Errorf("read skill: %s: %w", name, skill.ErrTooLarge)
	}
	return content, nil
}
