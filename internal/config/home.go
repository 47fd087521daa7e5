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
			return "", errors.New("the path of the data folder contains a zero byte")
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("resolve the data folder %s: %w", path, err)
		}
		return abs, nil
	}
	user, err := userHome()
	if err != nil {
		return "", fmt.Errorf("find your home folder: %w; set the data folder with --home or NFA_HOME", err)
	}
	return filepath.Join(user, ".nfa"), nil
}
