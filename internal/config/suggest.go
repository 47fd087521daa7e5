package config

import "github.com/nfa-cli/nfa/internal/usage"

// suggest names the most similar key, or all keys if none is similar.
func (l *loader) suggest(key string) string {
	keys := make([]string, 0, len(l.settings)+1)
	for _, s := range l.settings {
		keys = append(keys, s.Key)
	}
	return usage.DidYouMean(key, append(keys, providersKey))
}
