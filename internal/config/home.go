package config

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Home returns the absolute path of the data folder: the --home flag, else NFA_HOME, else .nfa in the
// user's home folder. It does not create the folder. Only the flag may be relative: with a relative
// environment variable, the folder in which nfa starts would choose its settings and skills.
func Home(flag string, env func(string) string, userHome func() (string, error)) (string, error) {
	user, userErr := userHome()
	if userErr == nil && !filepath.IsAbs(user) {
		return "", fmt.Errorf("your home folder (HOME) is the relative path %q; set it to an absolute path", user)
	}
	fromEnv := env("NFA_HOME")
	if flag == "" && fromEnv != "" && !filepath.IsAbs(fromEnv) {
		return "", fmt.Errorf("NFA_HOME is the relative path %q; set it to an absolute path, or use --home", fromEnv)
	}
	switch path := cmp.Or(flag, fromEnv); {
	case strings.ContainsRune(path, 0):
		return "", errors.New("the path of the data folder contains a zero byte")
	case path != "":
		abs, err := filepath.Abs(path)
		if err != nil {
			return "", fmt.Errorf("resolve data folder %s: %w", path, err)
		}
		return abs, nil
	case userErr != nil:
		return "", fmt.Errorf("find your home folder: %w; set --home or NFA_HOME", userErr)
	}
	return filepath.Join(user, ".nfa"), nil
}
