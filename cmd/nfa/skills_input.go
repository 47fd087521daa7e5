package main

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/usage"
)

// stdinArg is the word that stands for standard input.
const stdinArg = "-"

// readSkillInput gives the words that a skill is run with, and what standard input
// holds for it. That is read for a trailing "-", and where no word was given to a
// skill that can take some. Else it is left alone: in a shell's `while read` loop
// it is the loop's.
func (g *globals) readSkillInput(s skill.Skill, args []string) (values []string, piped string, err error) {
	explicit := len(args) > 0 && args[len(args)-1] == stdinArg
	if explicit {
		args = args[:len(args)-1]
	}
	takes := len(s.Parameters) > 0 || len(s.Steps) == 0
	if !explicit && (len(args) > 0 || !takes) {
		return args, "", nil
	}
	piped, err = readPipe(g.in)
	piped = strings.TrimSpace(piped)
	if err == nil && explicit && piped == "" {
		err = usage.Errorf("- stands for standard input, and nothing is piped in")
	}
	return args, piped, err
}

// appendPiped is a line of the chat with what was piped in below it.
func appendPiped(line, piped string) string {
	if piped == "" {
		return line
	}
	return strings.TrimSpace(line + "\n\n" + piped)
}
