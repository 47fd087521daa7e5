package client

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"
)

// diskCache stores responses as files: a line of JSON with metadata, then the body. Unreadable
// files count as absent, and a failed write is logged once.
type diskCache struct {
	dir      string
	maxBytes int64 // total bytes
	log      zerolog.Logger

	warnOnce sync.Once

	mu              sync.Mutex
	bytesSinceSweep int64 // bytes that were written since the last sweep
	hasSwept        bool
}

// responseFolder is the folder of the responses below Options.Dir.
const responseFolder = "http"

// tempPrefix starts the name of a file while it is being written.
const tempPrefix = ".new-"

// maxHeaderLine is longer than any header line of a cached file.
const maxHeaderLine = 64 << 10

// load returns the cached response to r, or nil.
func (d *diskCache) load(p Policy, r Request, target *url.URL) *entry {
	if d == nil {
		return nil
	}
	want := newEntryHeader(p, r, target)
	path := filepath.Join(d.dir, want.fileName())
	// Check before opening, because opening a named pipe would block.
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > p.MaxBytes+maxHeaderLine {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, p.MaxBytes+maxHeaderLine))
	if err != nil {
		return nil
	}
	e := parseEntry(raw)
	if e == nil || !e.sameRequest(want) {
		return nil
	}
	return e
}

// parseEntry parses a cached file, or returns nil if it is damaged or of another kind.
func parseEntry(raw []byte) *entry {
	line, body, ok := bytes.Cut(raw, []byte("\n"))
	if !ok || len(line) > maxHeaderLine {
		return nil
	}
	e := &entry{body: body}
	if json.Unmarshal(line, &e.entryHeader) != nil || e.Version != 1 || e.Size != len(body) || e.Sum != checksum(body) {
		return nil
	}
	return e
}

func checksum(body []byte) uint32 { return crc32.ChecksumIEEE(body) }

// store writes the response to r to the cache.
func (d *diskCache) store(p Policy, r Request, target *url.URL, answer Response) {
	if d == nil {
		return
	}
	c := fillEntryHeader(newEntryHeader(p, r, target), answer)
	c.Size, c.Sum = len(answer.Body), checksum(answer.Body)
	line, err := json.Marshal(c)
	if err != nil || len(line) > maxHeaderLine {
		return // URLs of that length are not cached
	}
	if err := d.write(c.fileName(), append(line, '\n'), answer.Body); err != nil {
		d.warnOnce.Do(func() {
			d.log.Warn().Err(err).Str("dir", d.dir).Msg("responses of data sources are not cached")
		})
		return
	}
	if d.sweepDue(int64(len(line) + len(answer.Body))) {
		d.sweep()
	}
}

// sweepDue reports whether to sweep the folder: at the first write of a process, and whenever it has written
// a tenth of the size limit since the last sweep.
func (d *diskCache) sweepDue(written int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.bytesSinceSweep += written
	if d.hasSwept && d.bytesSinceSweep < d.maxBytes/10 {
		return false
	}
	d.hasSwept, d.bytesSinceSweep = true, 0
	return true
}

// write replaces a file atomically.
func (d *diskCache) write(name string, parts ...[]byte) (err error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(d.dir, tempPrefix+"*") // readable only by the user
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	for _, part := range parts {
		if _, err = f.Write(part); err != nil {
			_ = f.Close()
			return err
		}
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), filepath.Join(d.dir, name))
}

// isCacheFile reports whether a file was written by this cache. The folder may be a link to another folder of
// the user, whose files must not be deleted.
func isCacheFile(name string) bool {
	if strings.HasPrefix(name, tempPrefix) {
		return true
	}
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == fileNameBytes
}

// sweep deletes the oldest files until the folder is below its size limit.
func (d *diskCache) sweep() {
	dirEntries, err := os.ReadDir(d.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	var size int64
	for _, dirEntry := range dirEntries {
		if info, err := dirEntry.Info(); err == nil && info.Mode().IsRegular() && isCacheFile(dirEntry.Name()) {
			files = append(files, info)
			size += info.Size()
		}
	}
	if size <= d.maxBytes {
		return
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	// Shrink to 90% of the limit, so that the next write does not exceed it right away.
	for _, f := range files {
		if size <= d.maxBytes-d.maxBytes/10 {
			return
		}
		if os.Remove(filepath.Join(d.dir, f.Name())) == nil {
			size -= f.Size()
		}
	}
}
