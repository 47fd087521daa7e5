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

// SandboxReady is the byte that the child writes to standard output before the script starts. The
// time limit starts there, because compiling, in the first run, takes longer than most scripts.
const SandboxReady = 0x06

// maxRequestBytes limits the size of a request.
const maxRequestBytes = 1 << 20

// SandboxRequest is one run. The child receives it as one line of JSON before the script's input.
type SandboxRequest struct {
	Wasm     string            `json:"wasm"`   // the file of the distribution
	SHA256   string            `json:"sha256"` // expected hash of the file
	Compiled string            `json:"compiled"`
	Report   string            `json:"report"` // file for the child's report
	Args     []string          `json:"args"`   // arguments of the interpreter, without its name; none means only compile
	Mounts   map[string]string `json:"mounts"` // folder in the sandbox to folder on this machine, read-only
	Work     string            `json:"work"`   // folder on this machine that the script may write, as WorkFolder; "" for none
	Memory   int64             `json:"memory"` // bytes
	Time     time.Duration     `json:"time"`   // limit of processor time if the parent died
}

// Write sends the request. The script's input follows.
func (r SandboxRequest) Write(w io.Writer) error {
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("send request to sandbox: %w", err)
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("send request to sandbox: %w", err)
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
			return SandboxRequest{}, fmt.Errorf("read request: %w", err)
		}
		var r SandboxRequest
		if err := json.Unmarshal(line, &r); err != nil {
			return SandboxRequest{}, fmt.Errorf("read request: %w", err)
		}
		return r, nil
	}
	return SandboxRequest{}, errors.New("read request: longer than a megabyte")
}

// SandboxReport describes how a run ended. It is a file, because exit codes are one byte on some
// systems, and the script uses the streams.
type SandboxReport struct {
	Exit    int    `json:"exit"`
	Trap    string `json:"trap,omitempty"`    // the machine code trapped instead of exiting
	Problem string `json:"problem,omitempty"` // the sandbox could not start the script
	Damaged bool   `json:"damaged,omitempty"` // because the file has the wrong hash
}

func (r SandboxReport) write(name string) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// ReadSandboxReport reads the report of a child. A killed child leaves none.
func ReadSandboxReport(name string) (SandboxReport, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return SandboxReport{}, fmt.Errorf("read sandbox report: %w", err)
	}
	var r SandboxReport
	if err := json.Unmarshal(text, &r); err != nil {
		return SandboxReport{}, fmt.Errorf("read sandbox report: %w", err)
	}
	return r, nil
}
