// Package editor is the program in which the user writes: Command is how it is started on
// a file, as VISUAL or EDITOR name it, and Run lets it have the terminal until it ends. What
// becomes of the file is for whoever opened it.
package editor

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/nfa-cli/nfa/internal/misuse"
)

// Command opens a file in the editor of the user, with its arguments, else in one that
// systems have. A variable that cannot be read as a command, or no editor at all, is a
// mistake of whoever set the machine up.
func Command(env func(string) string, file string) (*exec.Cmd, error) {
	words, err := named(env)
	if err != nil {
		return nil, err
	}
	return exec.Command(words[0], append(words[1:], file)...), nil
}

// Run waits for an editor that has the terminal.
func Run(cmd *exec.Cmd) error {
	// Ctrl-C must not end nfa while the editor runs.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("running the editor %s: %w", cmd.Args[0], err)
	}
	return nil
}

// named are the words of the command.
func named(env func(string) string) ([]string, error) {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		command := strings.TrimSpace(env(variable))
		if command == "" {
			continue
		}
		// A path may hold blanks of its own.
		if _, err := exec.LookPath(command); err == nil {
			return []string{command}, nil
		}
		words, err := splitCommand(command)
		if err != nil {
			return nil, misuse.Errorf("%s=%s: %w", variable, command, err)
		}
		return words, nil
	}
	for _, command := range []string{"editor", "nano", "vi", "notepad"} {
		if path, err := exec.LookPath(command); err == nil {
			return []string{path}, nil
		}
	}
	return nil, misuse.Errorf("no editor; name one in VISUAL or EDITOR")
}

// splitCommand splits a command into its words as a shell would: single quotes
// keep everything, double quotes all but a backslash before a quote or a
// backslash. Outside of quotes a backslash keeps a blank, a quote or a backslash;
// before anything else it is itself, as in a path of Windows. Nothing is expanded.
func splitCommand(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	begun := false // a word may be empty: ''
	var quote rune
	letters := []rune(command)
	for i := 0; i < len(letters); i++ {
		r := letters[i]
		switch {
		case r == '\\' && quote != '\'' && i+1 < len(letters) && keeps(quote, letters[i+1]):
			i++
			word.WriteRune(letters[i])
			begun = true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && isBlank(r):
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("the quote %c is not closed", quote)
	case begun:
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("it names no program")
	}
	return words, nil
}

// keeps reports whether a backslash within such a quote, or none, keeps r from
// its meaning.
func keeps(quote, r rune) bool {
	return r == '"' || r == '\\' || quote == 0 && (r == '\'' || isBlank(r))
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
