package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/minutes"
)

// secretsOf finds in a text what must not leave the program. What is looked for is
// made ready at the first text.
func secretsOf(cfg *config.Config, home string) func() *minutes.Secrets {
	return sync.OnceValue(func() *minutes.Secrets { return minutes.NewSecrets(valuesOf(cfg, home)...) })
}

// valuesOf are the keys of the settings, what the environment calls a secret, and the
// keys that auth.json holds. One in a keyring is known by its shape alone: to ask for
// it may have the user type a password.
func valuesOf(cfg *config.Config, home string) []string {
	secrets := []string{cfg.APIKey}
	var named []string
	for _, p := range cfg.Providers {
		named = append(named, p.KeyVars...)
	}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(named, name) || callsSecret(name) {
			secrets = append(secrets, value)
		}
	}
	return append(secrets, inFile(credential.Open(home, nil, 0, nil))...)
}

// inFile are the keys that are kept in a file.
func inFile(keys *credential.Store) (secrets []string) {
	entries, err := keys.List()
	if err != nil {
		return nil // nfa auth list says why
	}
	for _, e := range entries {
		if e.Place != credential.InFile {
			continue
		}
		if key, err := keys.Get(context.Background(), e.Name); err == nil {
			secrets = append(secrets, key)
		}
	}
	return secrets
}

func callsSecret(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(end string) bool { return strings.HasSuffix(name, end) })
}
