package files

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// purpose is the intended use of a path.
type purpose int

const (
	purposeRead purpose = iota
	purposeWrite
	purposeMeasure // only sizes are reported
)

// checkName refuses names that are never opened, in any folder.
func checkName(name string) error {
	switch {
	case strings.HasPrefix(name, "."):
		return ErrHiddenFile
	case isSecretName(name):
		return ErrSecretFile
	case runtime.GOOS == "windows" && shortName().MatchString(name):
		return ErrHiddenFile // SSH~1 is the short name of .ssh
	}
	return nil
}

var shortName = lazyregexp.New(`~[0-9]`)

// isSecretName recognizes common names of files with keys and passwords. It is only a safety net:
// it cannot find a key in notes.txt.
func isSecretName(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, ". ")) // as Windows treats names
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
		"_netrc", "netrc", "kubeconfig", "wallet", "authorized_keys", "token", "tokens", "keystore", "apikey", "apikeys", "api_key", "api_keys", "auth",
		"pgpass", "npmrc", "pypirc", "keyfile",
	}
	secretName = lazyregexp.New(`mnemonic|seed|credential|^wallet|^id_|private[-_]?key|recovery[-_ ]?(phrase|words|code)|^(client_secret|service[-_]account)`)
)

// checkHomeAccess restricts access to nfa's data folder, because the settings may hold a key and
// the database holds every session.
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

// isSystemPath recognizes Unix directories with special files, such as the environment of every
// process, including keys.
func isSystemPath(abs string) bool {
	for _, tree := range []string{"/proc", "/sys", "/dev"} {
		if abs == tree || strings.HasPrefix(abs, tree+"/") {
			return true
		}
	}
	return false
}
