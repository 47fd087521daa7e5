package client

import (
	"bufio"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// lastResponseFiles is how many of the newest cached responses LastResponse reads.
const lastResponseFiles = 20

// LastResponse returns the source and the time of the newest cached response from one of the sources. dir is
// that of Options.Dir. It reads only the newest files.
func LastResponse(dir string, sources []string) (source string, at time.Time, ok bool) {
	dir = filepath.Join(dir, responseFolder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", time.Time{}, false
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && isCacheFile(e.Name()) {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return b.ModTime().Compare(a.ModTime()) })
	for _, f := range files[:min(len(files), lastResponseFiles)] {
		head, err := readEntryHeader(filepath.Join(dir, f.Name()))
		if err == nil && slices.Contains(sources, head.Source) && head.FetchedAt.After(at) {
			source, at, ok = head.Source, head.FetchedAt, true
		}
	}
	return source, at, ok
}

// readEntryHeader reads the first line of a cached file.
func readEntryHeader(path string) (entryHeader, error) {
	f, err := os.Open(path)
	if err != nil {
		return entryHeader{}, err
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, maxHeaderLine)).ReadBytes('\n')
	if err != nil {
		return entryHeader{}, err
	}
	var head entryHeader
	return head, json.Unmarshal(line, &head)
}
