package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Home is the absolute path of the folder that holds everything nfa keeps: the
// --home flag, else NFA_HOME, else .nfa in the user's own folder. It makes
// nothing.
func Home(flag string, env func(string) string, userHome func() (string, error)) (string, error) {
	for _, path := range []string{flag, env("NFA_HOME")} {
		if path == "" {
			continue
		}
		if strings.ContainsRune(path, 0) {
			return "", errors.New("the home's path holds a zero byte")
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("resolving the home %s: %w", path, err)
		}
		return abs, nil
	}
	user, err := userHome()
	if err != nil {
		return "", fmt.Errorf("finding your home folder: %w; name one with --home or NFA_HOME", err)
	}
	return filepath.Join(user, ".nfa"), nil
}
