package credential

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// hidden are the variables that HideEnvironment removed from this process.
var hidden struct {
	mu     sync.Mutex
	active bool
	values map[string]string
}

// HideEnvironment removes secrets from the environment of this process, so that neither a program that it
// starts nor one that reads the memory of its parent finds them. Call it once, first in main. Getenv and
// Environ still return them.
func HideEnvironment() {
	hidden.mu.Lock()
	hidden.active, hidden.values = true, map[string]string{}
	hidden.mu.Unlock()
	var names []string
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); IsSecretVariable(name, value) {
			names = append(names, name)
		}
	}
	HideVariables(names...)
	protectProcess()
}

// HideVariables removes more variables, such as those that the settings name for keys. It does nothing
// before HideEnvironment.
func HideVariables(names ...string) {
	hidden.mu.Lock()
	defer hidden.mu.Unlock()
	if !hidden.active {
		return
	}
	var found []string
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok && value != "" {
			hidden.values[name] = value
			_ = os.Unsetenv(name)
			found = append(found, name)
		}
	}
	eraseVariables(found)
}

// Getenv returns an environment variable, also one that is hidden.
func Getenv(name string) string {
	hidden.mu.Lock()
	defer hidden.mu.Unlock()
	if value, ok := hidden.values[name]; ok {
		return value
	}
	return os.Getenv(name)
}

// Environ returns the environment with the hidden variables, as os.Environ does.
func Environ() []string {
	hidden.mu.Lock()
	defer hidden.mu.Unlock()
	all := os.Environ()
	for _, name := range slices.Sorted(maps.Keys(hidden.values)) {
		all = append(all, name+"="+hidden.values[name])
	}
	return all
}

// SecretVariables returns the values of all environment variables that hold secrets.
func SecretVariables() []string {
	var values []string
	for _, variable := range Environ() {
		if name, value, _ := strings.Cut(variable, "="); IsSecretVariable(name, value) {
			values = append(values, value)
		}
	}
	return values
}

var urlWithPassword = lazyregexp.New(`://[^/\s:@]*:[^/\s@]+@`)

// secretWords end a part of the name of a variable that holds a secret: OPENAI_API_KEY,
// AWS_ACCESS_KEY_ID.
var secretWords = []string{"KEY", "KEYS", "TOKEN", "TOKENS", "SECRET", "SECRETS", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "CREDENTIALS", "PAT"}

// IsSecretVariable reports whether an environment variable seems to hold a secret, by its name and its
// value.
func IsSecretVariable(name, value string) bool {
	name = strings.ToUpper(name)
	if value == "" || strings.HasSuffix(name, "_PROXY") || strings.HasPrefix(name, "NFA_") && name != "NFA_API_KEY" {
		return false
	}
	for part := range strings.SplitSeq(name, "_") {
		for _, word := range secretWords {
			if part == word || word != "PAT" && strings.HasSuffix(part, word) {
				return true
			}
		}
	}
	// A URL with a password, such as DATABASE_URL.
	return urlWithPassword().MatchString(value)
}
