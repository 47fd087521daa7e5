package sandbox

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

const (
	// maxBytes bounds a download. The build in use has 26 MB.
	maxBytes = 128 << 20
	// defaultStall is how long a server may send nothing.
	defaultStall = 30 * time.Second
)

var errTooLarge = fmt.Errorf("more than %d MB", maxBytes>>20)

// fetch downloads into a file beside the target and moves it into place when
// its hash is right. The caller holds the lock.
func (s *Store) fetch(ctx context.Context, progress func(done, total int64)) (err error) {
	s.removePartials()
	partial, err := os.CreateTemp(s.dir, ".python-*.partial") // 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = partial.Close()
			_ = os.Remove(partial.Name())
		}
	}()
	sum, err := s.download(ctx, partial, progress)
	if err != nil {
		return err
	}
	if sum != s.dist.SHA256 {
		return fmt.Errorf("%w: got sha256 %s, want %s", ErrChecksum, sum, s.dist.SHA256)
	}
	if err := partial.Sync(); err != nil {
		return err
	}
	if err := partial.Close(); err != nil {
		return err
	}
	return os.Rename(partial.Name(), s.Path())
}

// removePartials sweeps up after an installation that was killed.
func (s *Store) removePartials() {
	left, _ := filepath.Glob(filepath.Join(s.dir, ".python-*.partial"))
	for _, name := range left {
		_ = os.Remove(name)
	}
}

// download writes the body to w and returns its hash.
func (s *Store) download(ctx context.Context, w io.Writer, progress func(done, total int64)) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(s.stall, func() { cancel(fmt.Errorf("nothing received for %s", s.stall)) })
	defer watch.Stop()
	response, err := s.get(ctx)
	if err != nil {
		return "", blame(ctx, err)
	}
	defer response.Body.Close()
	meter := &meter{total: response.ContentLength, progress: progress, moved: func() { watch.Reset(s.stall) }}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum, meter), io.LimitReader(response.Body, maxBytes+1))
	switch {
	case err != nil:
		return "", blame(ctx, err)
	case n > maxBytes:
		return "", errTooLarge
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (s *Store) get(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.dist.URL, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "nfa")
	response, err := client().Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, fmt.Errorf("status %s", response.Status)
	}
	if response.ContentLength > maxBytes {
		_ = response.Body.Close()
		return nil, errTooLarge
	}
	return response, nil
}

func client() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:             http.ProxyFromEnvironment,
			TLSClientConfig:   &tls.Config{MinVersion: tls.VersionTLS12},
			DisableKeepAlives: true,
			ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if len(via) >= 5 {
				return errors.New("more than 5 redirects")
			}
			return safe(next.URL)
		},
	}
}

// blame prefers why a transfer was ended to how that looked from inside.
func blame(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// meter tells how far a download is.
type meter struct {
	done, total int64
	progress    func(done, total int64)
	moved       func()
}

func (m *meter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	m.moved()
	if m.progress != nil {
		m.progress(m.done, m.total)
	}
	return len(p), nil
}
