package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Ready is the byte that the child writes to its standard output before
// anything of the script's: the interpreter is compiled, the script begins.
// The caller's clock starts there, because compiling, at the first run, takes
// longer than most scripts.
const Ready = 0x06

// maxRequest bounds the line that a request is.
const maxRequest = 1 << 20

// Request is one run. It goes to the child as one line of JSON, ahead of the
// script's own input.
type Request struct {
	Wasm     string            `json:"wasm"`   // the file of the distribution
	SHA256   string            `json:"sha256"` // what its bytes must hash to
	Compiled string            `json:"compiled"`
	Report   string            `json:"report"` // the file the child writes its Report to
	Args     []string          `json:"args"`   // the interpreter's, without its name; none compiles and ends
	Mounts   map[string]string `json:"mounts"` // folder in the sandbox to folder on this machine, read-only
	Memory   int64             `json:"memory"` // bytes
	Time     time.Duration     `json:"time"`   // a limit of processor time for a child whose parent died
}

// Write sends the request. The script's input follows it.
func (r Request) Write(w io.Writer) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing the request to the sandbox: %w", err)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing the request to the sandbox: %w", err)
	}
	return nil
}

func readRequest(in *bufio.Reader) (Request, error) {
	var line []byte
	for len(line) <= maxRequest {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return Request{}, fmt.Errorf("reading the request: %w", err)
		}
		var r Request
		if err := json.Unmarshal(line, &r); err != nil {
			return Request{}, fmt.Errorf("reading the request: %w", err)
		}
		return r, nil
	}
	return Request{}, errors.New("reading the request: longer than a megabyte")
}

// Report is how a run ended. It goes through a file: exit codes are one byte
// on some systems, and the script owns the streams.
type Report struct {
	Exit    int    `json:"exit"`
	Trap    string `json:"trap,omitempty"`    // the machine code stopped instead of exiting
	Problem string `json:"problem,omitempty"` // the sandbox could not start the script
	Damaged bool   `json:"damaged,omitempty"` // because its file is not the pinned one
}

func (r Report) write(name string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// ReadReport reads what a child left. There is none from a child that was killed.
func ReadReport(name string) (Report, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return Report{}, fmt.Errorf("reading the sandbox's report: %w", err)
	}
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return Report{}, fmt.Errorf("reading the sandbox's report: %w", err)
	}
	return r, nil
}
