package fetch

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

// disk keeps answers as files: a line of JSON that says what it is, and the body.
// It is an aid: what cannot be read is not there, and what cannot be written is
// said once in the log.
type disk struct {
	dir  string
	most int64 // bytes in all
	log  zerolog.Logger

	said sync.Once

	mu       sync.Mutex
	unswept  int64 // bytes that were written since the last sweep
	hasSwept bool
}

// newPrefix is how a file is named while it is written.
const newPrefix = ".new-"

// longestCover is more than the line before a body takes.
const longestCover = 64 << 10

// load returns the answer that is kept to r, nil where there is none.
func (d *disk) load(p Policy, r Request, target *url.URL) *entry {
	if d == nil {
		return nil
	}
	want := coverFor(p, r, target)
	path := filepath.Join(d.dir, want.name())
	// Before it is opened: opening a pipe would wait for its other end.
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > p.MaxBytes+longestCover {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	whole, err := io.ReadAll(io.LimitReader(f, p.MaxBytes+longestCover))
	if err != nil {
		return nil
	}
	e := parseEntry(whole)
	if e == nil || !e.same(want) {
		return nil
	}
	return e
}

// parseEntry reads a kept file, nil for what is damaged or of another kind.
func parseEntry(whole []byte) *entry {
	line, body, ok := bytes.Cut(whole, []byte("\n"))
	if !ok || len(line) > longestCover {
		return nil
	}
	e := &entry{body: body}
	if json.Unmarshal(line, &e.cover) != nil || e.Version != 1 || e.Size != len(body) || e.Sum != sum(body) {
		return nil
	}
	return e
}

func sum(body []byte) uint32 { return crc32.ChecksumIEEE(body) }

// keep writes an answer under its question.
func (d *disk) keep(p Policy, r Request, target *url.URL, answer Response) {
	if d == nil {
		return
	}
	c := coverOf(coverFor(p, r, target), answer)
	c.Size, c.Sum = len(answer.Body), sum(answer.Body)
	line, err := json.Marshal(c)
	if err != nil || len(line) > longestCover {
		return // an address of that length is not worth a file
	}
	if err := d.write(c.name(), append(line, '\n'), answer.Body); err != nil {
		d.said.Do(func() {
			d.log.Warn().Err(err).Str("dir", d.dir).Msg("answers of data sources are not kept")
		})
		return
	}
	if d.due(int64(len(line) + len(answer.Body))) {
		d.sweep()
	}
}

// due reports whether the folder is to be looked at: at the first write of a
// process, and whenever it has written a tenth of what there is room for.
func (d *disk) due(written int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unswept += written
	if d.hasSwept && d.unswept < d.most/10 {
		return false
	}
	d.hasSwept, d.unswept = true, 0
	return true
}

// write puts a file in its place whole, or leaves what was there.
func (d *disk) write(name string, parts ...[]byte) (err error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(d.dir, newPrefix+"*") // for the user alone
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

// ours reports whether a file is one that was written here. The folder may be a
// link to another of the user's, whose files are not for us to delete.
func ours(name string) bool {
	if strings.HasPrefix(name, newPrefix) {
		return true
	}
	raw, err := hex.DecodeString(name)
	return err == nil && len(raw) == nameBytes
}

// sweep deletes the oldest files until the folder has its size.
func (d *disk) sweep() {
	found, err := os.ReadDir(d.dir)
	if err != nil {
		return
	}
	var files []fs.FileInfo
	var size int64
	for _, one := range found {
		if info, err := one.Info(); err == nil && info.Mode().IsRegular() && ours(one.Name()) {
			files = append(files, info)
			size += info.Size()
		}
	}
	if size <= d.most {
		return
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	// Down to nine tenths, so that the next write does not pass it again at once.
	for _, f := range files {
		if size <= d.most-d.most/10 {
			return
		}
		if os.Remove(filepath.Join(d.dir, f.Name())) == nil {
			size -= f.Size()
		}
	}
}
