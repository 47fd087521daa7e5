package python

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

const (
	maxWrittenBytes = 64 << 20 // of all files that a script writes
	maxOutputFiles  = 20
	maxOutputText   = 16 << 10 // of one file
)

// readOutput returns the files that a script wrote to a folder. It follows no links.
func readOutput(dir string) []OutputFile {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	var files []OutputFile
	_ = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // unreadable, or deleted meanwhile
		case len(files) == maxOutputFiles:
			return fs.SkipAll
		case name != "." && strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case !d.Type().IsRegular() || strings.HasPrefix(d.Name(), "."):
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		file := OutputFile{Path: name, Size: info.Size()}
		if f, err := root.Open(filepath.FromSlash(name)); err == nil {
			text, _ := io.ReadAll(io.LimitReader(f, maxOutputText))
			_ = f.Close()
			// The limit may have split a character.
			if clean := strings.ToValidUTF8(string(text), ""); len(text)-len(clean) < utf8.UTFMax && !strings.Contains(clean, "\x00") {
				file.Text = clean
			}
		}
		files = append(files, file)
		return nil
	})
	return files
}

// folderSize returns the size of the files in a folder.
func folderSize(dir string) int64 {
	var size int64
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // the script may delete files meanwhile
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			size += info.Size()
		}
		return nil
	})
	return size
}
