package config

import "github.com/nfa-cli/nfa/internal/spelling"

// suggest names the key that was meant, or all of them when none is near.
func (l *loader) suggest(key string) string {
	keys := make([]string, 0, len(l.settings)+1)
	for _, s := range l.settings {
		keys = append(keys, s.Key)
	}
	return spelling.Hint(key, append(keys, providersKey))
}
