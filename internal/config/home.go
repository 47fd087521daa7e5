package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Home returns the absolute path of the data folder: the --home flag, else NFA_HOME, else .nfa in the
// user's home folder. It does not create the folder.
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
			return "", fmt.Errorf("resolve data folder %s: %w", path, err)
		}
		return abs, nil
	}
	user, err := userHome()
	if err != nil {
		return "", fmt.Errorf("find your home folder: %w; set --home or NFA_HOME", err)
	}
	return filepath.Join(user, ".nfa"), nil
}
