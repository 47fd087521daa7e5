package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/config"
	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/report"
)

// newSecretFilter finds in a text what must not leave the program. What is looked for is
// made ready at the first text.
func newSecretFilter(cfg *config.Config, home string) func() *report.SecretFilter {
	return sync.OnceValue(func() *report.SecretFilter { return report.NewSecretFilter(secretValues(cfg, home)...) })
}

// secretValues are the keys of the settings, what the environment calls a secret, and the
// keys that auth.json holds. One in a keyring is known by its shape alone: to ask for
// it may have the user type a password.
func secretValues(cfg *config.Config, home string) []string {
	secrets := []string{cfg.APIKey}
	var named []string
	for _, p := range cfg.Providers {
		named = append(named, p.KeyVars...)
	}
	for _, variable := range os.Environ() {
		name, value, _ := strings.Cut(variable, "=")
		if slices.Contains(named, name) || isSecretName(name) {
			secrets = append(secrets, value)
		}
	}
	return append(secrets, fileSecrets(credential.Open(home, nil, 0, nil))...)
}

// fileSecrets are the keys that are kept in a file.
func fileSecrets(keys *credential.Store) (secrets []string) {
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

func isSecretName(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(end string) bool { return strings.HasSuffix(name, end) })
}
