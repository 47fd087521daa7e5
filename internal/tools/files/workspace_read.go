package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// ChunkSize is the maximum number of bytes read at once.
const ChunkSize = 16 << 10

// TextChunk is a piece of a text file.
type TextChunk struct {
	Path     string // may be shown to anyone
	Text     string
	Offset   int64 // of the first byte of Text
	Next     int64 // offset of the next chunk; zero at the end
	Size     int64 // of the whole file, in bytes
	Modified time.Time
}

// Read reads up to limit bytes of a text file from offset, never splitting a character. A limit of
// zero or above ChunkSize means ChunkSize. Only the chunk itself is read.
func (w *Workspace) Read(path string, offset int64, limit int) (TextChunk, error) {
	p, err := w.locate(path)
	if err != nil {
		return TextChunk{}, err
	}
	root, p, name, err := w.openParent(p, purposeRead)
	if err != nil {
		return TextChunk{}, err
	}
	defer func() { _ = root.Close() }()
	text, err := readTextChunk(root, name, max(offset, 0), limit)
	if err != nil {
		return TextChunk{}, fmt.Errorf("%s: %w", p, err)
	}
	text.Path = p.String()
	return text, nil
}

func readTextChunk(root *os.Root, name string, offset int64, limit int) (TextChunk, error) {
	f, info, err := openRegularFile(root, name)
	if err != nil {
		return TextChunk{}, err
	}
	defer func() { _ = f.Close() }()
	if err := checkIsText(f); err != nil {
		return TextChunk{}, err
	}
	if limit <= utf8.UTFMax || limit > ChunkSize {
		limit = ChunkSize
	}
	piece := make([]byte, limit)
	n, err := f.ReadAt(piece, min(offset, info.Size()))
	if err != nil && !errors.Is(err, io.EOF) {
		return TextChunk{}, stripPath(err)
	}
	return newTextChunk(piece[:n], min(offset, info.Size()), info)
}

// newTextChunk returns the complete characters of a piece that was read at offset.
func newTextChunk(piece []byte, offset int64, info fs.FileInfo) (TextChunk, error) {
	begin := 0
	for offset > 0 && begin < min(len(piece), utf8.UTFMax-1) && !utf8.RuneStart(piece[begin]) {
		begin++
	}
	piece, offset = piece[begin:], offset+int64(begin)
	if offset+int64(len(piece)) < info.Size() {
		piece = piece[:lastWholeRune(piece)]
	}
	if !utf8.Valid(piece) || slices.Contains(piece, 0) {
		return TextChunk{}, fmt.Errorf("%w at or after byte %d", ErrNotText, offset)
	}
	text := TextChunk{Text: string(piece), Offset: offset, Size: info.Size(), Modified: info.ModTime()}
	if end := offset + int64(len(piece)); end < info.Size() && len(piece) > 0 {
		text.Next = end
	}
	return text, nil
}

// lastWholeRune returns the end of the last complete character.
func lastWholeRune(b []byte) int {
	for i := len(b) - 1; i >= 0 && i >= len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) && !utf8.FullRune(b[i:]) {
			return i
		}
	}
	return len(b)
}

// checkIsText returns an error if the start of the file is not text, and names its type.
func checkIsText(f io.ReaderAt) error {
	head := make([]byte, 512)
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return stripPath(err)
	}
	kind := http.DetectContentType(head[:n])
	switch {
	case strings.Contains(kind, "utf-16"):
		return fmt.Errorf("%w: it is UTF-16; save it as UTF-8", ErrNotText)
	case !strings.HasPrefix(kind, "text/"):
		return fmt.Errorf("%w: it is %s; save the relevant part as text, or paste it", ErrNotText, kind)
	}
	// Up to three bytes at the end may belong to an incomplete character.
	if whole := head[:lastWholeRune(head[:n])]; !utf8.Valid(whole) {
		return fmt.Errorf("%w: it has another encoding; save it as UTF-8", ErrNotText)
	}
	return nil
}

// ErrFileTooLarge means that a file is larger than the caller's limit.
var ErrFileTooLarge = errors.New("too large")

// ReadBytes reads a whole file unchanged, up to maxBytes. name is the file's name without its
// folder.
func (w *Workspace) ReadBytes(path string, maxBytes int64) (name string, raw []byte, err error) {
	p, err := w.locate(path)
	if err != nil {
		return "", nil, err
	}
	root, p, name, err := w.openParent(p, purposeRead)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = root.Close() }()
	f, info, err := openRegularFile(root, name)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", p, err)
	}
	defer func() { _ = f.Close() }()
	if info.Size() > maxBytes {
		return "", nil, fmt.Errorf("%s: %w: %d bytes, the limit is %d", p, ErrFileTooLarge, info.Size(), maxBytes)
	}
	// The file may grow in the meantime.
	raw, err = io.ReadAll(io.LimitReader(f, maxBytes+1))
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s: %w", p, stripPath(err))
	case int64(len(raw)) > maxBytes:
		return "", nil, fmt.Errorf("%s: %w: more than %d bytes", p, ErrFileTooLarge, maxBytes)
	}
	return name, raw, nil
}
