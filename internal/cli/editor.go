package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/nfa-cli/nfa/internal/usage"
)

// EditorCommand returns the command that opens a file in the editor that the user configured, or
// else in a common one. An invalid variable, or no editor at all, is a usage error.
func EditorCommand(env func(string) string, file string) (*exec.Cmd, error) {
	args, err := editorArgs(env)
	if err != nil {
		return nil, err
	}
	return exec.Command(args[0], append(args[1:], file)...), nil
}

// RunEditor runs an editor in the terminal and waits for it.
func RunEditor(cmd *exec.Cmd) error {
	// Ctrl-C must not end nfa while the editor runs.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("run the editor %s: %w", cmd.Args[0], err)
	}
	return nil
}

// editorArgs returns the editor command as arguments.
func editorArgs(env func(string) string) ([]string, error) {
	for _, variable := range []string{"VISUAL", "EDITOR"} {
		command := strings.TrimSpace(env(variable))
		if command == "" {
			continue
		}
		// The path itself may contain spaces.
		if _, err := exec.LookPath(command); err == nil {
			return []string{command}, nil
		}
		args, err := splitCommand(command)
		if err != nil {
			return nil, usage.Errorf("%s=%s: %w", variable, command, err)
		}
		return args, nil
	}
	for _, command := range []string{"editor", "nano", "vi", "notepad"} {
		if path, err := exec.LookPath(command); err == nil {
			return []string{path}, nil
		}
	}
	return nil, usage.Errorf("no editor; set VISUAL or EDITOR")
}

// splitCommand splits a command into a program and its arguments.
func splitCommand(command string) ([]string, error) {
	args, err := SplitWords(command)
	if err == nil && (len(args) == 0 || args[0] == "") {
		err = errors.New("no program")
	}
	return args, err
}

// SplitWords splits a line into arguments like a shell: single quotes keep everything; in double
// quotes, a backslash escapes only a quote or a backslash. Outside quotes a backslash escapes a
// space, a quote or a backslash; before anything else it is literal, as in Windows paths. Nothing is
// expanded.
func SplitWords(command string) ([]string, error) {
	var args []string
	var word strings.Builder
	begun := false // an argument may be empty: ''
	var quote rune
	letters := []rune(command)
	for i := 0; i < len(letters); i++ {
		r := letters[i]
		switch {
		case r == '\\' && quote != '\'' && i+1 < len(letters) && isEscapable(quote, letters[i+1]):
			i++
			word.WriteRune(letters[i])
			begun = true
		case r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, begun = r, true
		case quote == 0 && isBlank(r):
			if begun {
				args = append(args, word.String())
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
		args = append(args, word.String())
	}
	return args, nil
}

// QuoteWord returns a word as SplitWords reads it back.
func QuoteWord(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\") {
		return word
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(word) + `"`
}

// isEscapable reports whether a backslash escapes r inside the given quote, or outside quotes.
func isEscapable(quote, r rune) bool {
	return r == '"' || r == '\\' || quote == 0 && (r == '\'' || isBlank(r))
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }
