package credential

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/zalando/go-keyring"
)

// System returns the keyring of the operating system: Keychain, Credential Manager or the Secret
// Service. Each data folder has its own keys.
func System(home string, env func(string) string) Keyring {
	return systemKeyring{service: "nfa " + home, env: env}
}

type systemKeyring struct {
	service string
	env     func(string) string
}

var errNoBus = errors.New("no session bus, so no keyring")

// reachable checks for a session bus, because without one the library would start its own, with a
// process that outlives nfa.
func (s systemKeyring) reachable() error {
	switch runtime.GOOS {
	case "darwin", "windows":
		return nil
	}
	if s.env("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	folder := s.env("XDG_RUNTIME_DIR")
	if folder == "" {
		folder = filepath.Join("/run/user", strconv.Itoa(os.Getuid()))
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			return nil
		}
	}
	return errNoBus
}

func (s systemKeyring) Get(account string) (string, error) {
	if err := s.reachable(); err != nil {
		return "", err
	}
	secret, err := keyring.Get(s.service, account)
	return secret, translateError(err)
}

func (s systemKeyring) Set(account, secret string) error {
	if err := s.reachable(); err != nil {
		return err
	}
	return translateError(keyring.Set(s.service, account, secret))
}

func (s systemKeyring) Delete(account string) error {
	if err := s.reachable(); err != nil {
		return err
	}
	return translateError(keyring.Delete(s.service, account))
}

func translateError(err error) error {
	if errors.Is(err, keyring.ErrNotFound) {
		return ErrNotFound
	}
	return err
}
