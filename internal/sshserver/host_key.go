//go:build linux

package sshserver

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	gossh "golang.org/x/crypto/ssh"
)

// HostKey returns the server's own key. It is created on the first start and never replaced.
func HostKey(path string) (gossh.Signer, error) {
	text, err := readPrivate(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err = makeHostKey(path); err == nil {
			text, err = readPrivate(path)
		}
	}
	if err != nil {
		return nil, err
	}
	signer, err := gossh.ParsePrivateKey(text)
	if err != nil {
		return nil, fmt.Errorf("read the host key %s: %w", path, err)
	}
	return signer, nil
}

// makeHostKey writes a new key. It does not replace an existing one.
func makeHostKey(path string) error {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	block, err := gossh.MarshalPrivateKey(key, "nfa")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := pem.Encode(f, block); err != nil {
		_ = f.Close()
		return err
	}
	return f.Close()
}
