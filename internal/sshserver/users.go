//go:build linux

package sshserver

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rsa"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
	gossh "golang.org/x/crypto/ssh"

	"github.com/nfa-cli/nfa/internal/atomicfile"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// User is a person who may connect.
type User struct {
	Name string   `yaml:"name"` // for the log
	Keys []string `yaml:"keys"` // public keys, as in ~/.ssh/authorized_keys
	// Home is the person's folder. Nothing else on the machine can be read or written in the chat.
	Home        string            `yaml:"home"`
	MaxSessions int               `yaml:"max_sessions"` // at the same time
	Variables   map[string]string `yaml:"variables"`    // environment variables, such as OPENAI_API_KEY

	keys []gossh.PublicKey
}

const (
	defaultSessions = 2
	maxFileBytes    = 1 << 20
	minRSABits      = 3072
)

var (
	userName     = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)
	variableName = lazyregexp.New(`^[A-Z][A-Z0-9_]*_API_KEY$|^PGPASSWORD$`)
)

// ReadUsers reads a users file. It may hold keys of providers, so only its owner may read it.
func ReadUsers(path string) ([]User, error) {
	text, err := readPrivate(path)
	if err != nil {
		return nil, err
	}
	users, err := parseUsers(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return users, nil
}

func parseUsers(text []byte) ([]User, error) {
	var file struct {
		Users []User `yaml:"users"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(file.Users) == 0 {
		return nil, errors.New("the file lists no users")
	}
	owner := map[string]string{} // name of the user, by key
	for i := range file.Users {
		u := &file.Users[i]
		if err := u.check(); err != nil {
			return nil, fmt.Errorf("user %d, %q: %w", i+1, u.Name, err)
		}
		for _, key := range u.keys {
			if other, taken := owner[string(key.Marshal())]; taken {
				return nil, fmt.Errorf("%s and %s have the same key %s", other, u.Name, gossh.FingerprintSHA256(key))
			}
			owner[string(key.Marshal())] = u.Name
		}
		for _, other := range file.Users[:i] {
			if within(u.Home, other.Home) || within(other.Home, u.Home) {
				return nil, fmt.Errorf("%s and %s must have separate data folders, not %s and %s", other.Name, u.Name, other.Home, u.Home)
			}
		}
	}
	return file.Users, nil
}

// within reports whether a folder is the other one or below it.
func within(folder, other string) bool {
	return folder == other || strings.HasPrefix(folder, other+"/")
}

func (u *User) check() error {
	if !userName().MatchString(u.Name) {
		return errors.New("use only letters, digits, '.', '_' and '-' in the name")
	}
	if !filepath.IsAbs(u.Home) || filepath.Clean(u.Home) == "/" {
		return errors.New("home must be the absolute path of the user's data folder")
	}
	u.Home = filepath.Clean(u.Home)
	if u.MaxSessions == 0 {
		u.MaxSessions = defaultSessions
	}
	if u.MaxSessions < 0 || len(u.Keys) == 0 {
		return errors.New("keys are required, and max_sessions must be at least 1")
	}
	for name := range u.Variables {
		if !variableName().MatchString(name) {
			return fmt.Errorf("variable %s is not allowed: only *_API_KEY and PGPASSWORD are passed on", name)
		}
	}
	for _, line := range u.Keys {
		key, _, options, rest, err := gossh.ParseAuthorizedKey([]byte(line))
		if err != nil || len(options) > 0 || len(bytes.TrimSpace(rest)) > 0 {
			return fmt.Errorf("%.40q is not one public key such as ssh-ed25519 AAAA", line)
		}
		if err := checkStrength(key); err != nil {
			return err
		}
		u.keys = append(u.keys, key)
	}
	return nil
}

func checkStrength(key gossh.PublicKey) error {
	if key.Type() == gossh.KeyAlgoED25519 {
		return nil
	}
	if k, ok := key.(gossh.CryptoPublicKey); ok {
		switch k := k.CryptoPublicKey().(type) {
		case *ecdsa.PublicKey:
			return nil
		case *rsa.PublicKey:
			if k.N.BitLen() >= minRSABits {
				return nil
			}
		}
	}
	return fmt.Errorf("key %s has an unsupported type; use ed25519, ECDSA, or RSA with at least %d bits", gossh.FingerprintSHA256(key), minRSABits)
}

// readPrivate reads a file that only its owner can access.
func readPrivate(path string) ([]byte, error) {
	text, perm, err := atomicfile.Read(path, maxFileBytes)
	if err == nil && perm&0o077 != 0 {
		return nil, fmt.Errorf("%s must be a file that only its owner can access; run: chmod 600 %s", path, path)
	}
	return text, err
}
