package main

import (
	"strings"

	"github.com/nfa-cli/nfa/internal/misuse"
	"github.com/nfa-cli/nfa/internal/skill"
)

// fromInput is the word that stands for standard input.
const fromInput = "-"

// takeInput gives the words that a skill is run with, and what standard input
// holds for it. That is read for a trailing "-", and where no word was given to a
// skill that can take some. Else it is left alone: in a shell's `while read` loop
// it is the loop's.
func (g *globals) takeInput(s skill.Skill, words []string) (given []string, piped string, err error) {
	asked := len(words) > 0 && words[len(words)-1] == fromInput
	if asked {
		words = words[:len(words)-1]
	}
	takes := len(s.Parameters) > 0 || len(s.Steps) == 0
	if !asked && (len(words) > 0 || !takes) {
		return words, "", nil
	}
	piped, err = readPipe(g.in)
	piped = strings.TrimSpace(piped)
	if err == nil && asked && piped == "" {
		err = misuse.Errorf("- stands for standard input, and nothing is piped in")
	}
	return words, piped, err
}

// withPiped is a line of the chat with what was piped in below it.
func withPiped(line, piped string) string {
	if piped == "" {
		return line
	}
	return strings.TrimSpace(line + "\n\n" + piped)
}
