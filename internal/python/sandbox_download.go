package python

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
	// maxDownloadBytes limits a download. The current build has 26 MB.
	maxDownloadBytes = 128 << 20
	// defaultStallTimeout is the time after which a silent download is canceled.
	defaultStallTimeout = 30 * time.Second
)

var errDownloadTooLarge = fmt.Errorf("more than %d MB", maxDownloadBytes>>20)

// fetch downloads to a temporary file next to the target, and renames it if its hash is correct.
// The caller holds the lock.
func (s *SandboxStore) fetch(ctx context.Context, progress func(done, total int64)) (err error) {
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

// removePartials removes files left by a killed installation.
func (s *SandboxStore) removePartials() {
	partials, _ := filepath.Glob(filepath.Join(s.dir, ".python-*.partial"))
	for _, name := range partials {
		_ = os.Remove(name)
	}
}

// download writes the body to w and returns its hash.
func (s *SandboxStore) download(ctx context.Context, w io.Writer, progress func(done, total int64)) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(s.stallTimeout, func() { cancel(fmt.Errorf("nothing received for %s", s.stallTimeout)) })
	defer watch.Stop()
	response, err := s.get(ctx)
	if err != nil {
		return "", preferCause(ctx, err)
	}
	defer response.Body.Close()
	meter := &progressMeter{total: response.ContentLength, progress: progress, received: func() { watch.Reset(s.stallTimeout) }}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(w, sum, meter), io.LimitReader(response.Body, maxDownloadBytes+1))
	switch {
	case err != nil:
		return "", preferCause(ctx, err)
	case n > maxDownloadBytes:
		return "", errDownloadTooLarge
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (s *SandboxStore) get(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.dist.URL, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", "nfa")
	response, err := newDownloadClient().Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		return nil, fmt.Errorf("status %s", response.Status)
	}
	if response.ContentLength > maxDownloadBytes {
		_ = response.Body.Close()
		return nil, errDownloadTooLarge
	}
	return response, nil
}

func newDownloadClient() *http.Client {
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
			return checkDownloadURL(next.URL)
		},
	}
}

// preferCause returns the reason why a transfer was canceled instead of the resulting error.
func preferCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// progressMeter reports the progress of a download.
type progressMeter struct {
	done, total int64
	progress    func(done, total int64)
	received    func()
}

func (m *progressMeter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	m.received()
	if m.progress != nil {
		m.progress(m.done, m.total)
	}
	return len(p), nil
}
