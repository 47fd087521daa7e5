package files

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// purpose is what a path is wanted for.
type purpose int

const (
	purposeRead purpose = iota
	purposeWrite
	purposeMeasure // only sizes are reported
)

// checkName refuses the names that are not opened wherever they are.
func checkName(name string) error {
	switch {
	case strings.HasPrefix(name, "."):
		return ErrHiddenFile
	case isSecretName(name):
		return ErrSecretFile
	case runtime.GOOS == "windows" && shortName().MatchString(name):
		return ErrHiddenFile // SSH~1 is another name of .ssh
	}
	return nil
}

var shortName = lazyregexp.New(`~[0-9]`)

// isSecretName knows the names under which keys and passwords are kept. It is a net
// under the user's own care, not a promise: a key in notes.txt is not found.
func isSecretName(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, ". ")) // as Windows reads it
	switch filepath.Ext(name) {
	case ".pem", ".key", ".p8", ".p12", ".pfx", ".jks", ".keystore", ".kdb", ".kdbx", ".ppk", ".asc", ".gpg", ".age",
		".env", ".keychain", ".keychain-db", ".ovpn", ".tfstate", ".htpasswd", ".wallet":
		return true
	}
	stem, _, _ := strings.Cut(name, ".")
	return slices.Contains(secretStems, stem) || secretName().MatchString(name)
}

var (
	secretStems = []string{
		"env", "credentials", "credential", "secret", "secrets", "password", "passwords", "passwd", "shadow", "htpasswd",
		"_netrc", "netrc", "kubeconfig", "wallet", "authorized_keys", "token", "tokens", "keystore", "apikey", "apikeys", "api_key", "api_keys",
	}
	secretName = lazyregexp.New(`^id_(rsa|dsa|ecdsa|ed25519)|^(client_secret|service[-_]account)|^seed[-_]phrase`)
)

// checkHomeAccess says what of nfa's home may be used. The settings may hold a key,
// the database holds every conversation: neither is for a model to open.
func checkHomeAccess(steps []string, why purpose) error {
	folders := []string{reportsFolder, "skills", "agents"}
	switch {
	case why == purposeMeasure:
		return nil
	case why == purposeWrite && (len(steps) == 0 || steps[0] != reportsFolder):
		return ErrReadOnly
	case len(steps) > 0 && !slices.Contains(folders, steps[0]):
		return ErrOutsideWorkspace
	}
	return nil
}

// isSystemPath knows the trees of Unix in which files are no files: the environment
// of every program is among them, keys included.
func isSystemPath(abs string) bool {
	for _, tree := range []string{"/proc", "/sys", "/dev"} {
		if abs == tree || strings.HasPrefix(abs, tree+"/") {
			return true
		}
	}
	return false
}
