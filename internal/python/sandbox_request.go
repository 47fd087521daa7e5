package python

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// SandboxReady is the byte that the child writes to its standard output before
// anything of the script's: the interpreter is compiled, the script begins.
// The caller's clock starts there, because compiling, at the first run, takes
// longer than most scripts.
const SandboxReady = 0x06

// maxRequestBytes bounds the line that a request is.
const maxRequestBytes = 1 << 20

// SandboxRequest is one run. It goes to the child as one line of JSON, ahead of the
// script's own input.
type SandboxRequest struct {
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
func (r SandboxRequest) Write(w io.Writer) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("writing the request to the sandbox: %w", err)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing the request to the sandbox: %w", err)
	}
	return nil
}

func readSandboxRequest(in *bufio.Reader) (SandboxRequest, error) {
	var line []byte
	for len(line) <= maxRequestBytes {
		piece, err := in.ReadSlice('\n')
		line = append(line, piece...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return SandboxRequest{}, fmt.Errorf("reading the request: %w", err)
		}
		var r SandboxRequest
		if err := json.Unmarshal(line, &r); err != nil {
			return SandboxRequest{}, fmt.Errorf("reading the request: %w", err)
		}
		return r, nil
	}
	return SandboxRequest{}, errors.New("reading the request: longer than a megabyte")
}

// SandboxReport is how a run ended. It goes through a file: exit codes are one byte
// on some systems, and the script owns the streams.
type SandboxReport struct {
	Exit    int    `json:"exit"`
	Trap    string `json:"trap,omitempty"`    // the machine code stopped instead of exiting
	Problem string `json:"problem,omitempty"` // the sandbox could not start the script
	Damaged bool   `json:"damaged,omitempty"` // because its file is not the pinned one
}

func (r SandboxReport) write(name string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// ReadSandboxReport reads what a child left. There is none from a child that was killed.
func ReadSandboxReport(name string) (SandboxReport, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return SandboxReport{}, fmt.Errorf("reading the sandbox's report: %w", err)
	}
	var r SandboxReport
	if err := json.Unmarshal(text, &r); err != nil {
		return SandboxReport{}, fmt.Errorf("reading the sandbox's report: %w", err)
	}
	return r, nil
}
