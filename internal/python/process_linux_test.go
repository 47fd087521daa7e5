package python_test

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/nfa-cli/nfa/internal/python"
)

const limitsMemory = true

// holder forks a child that holds a lock as long as it lives.
const holder = `import fcntl, json, os, sys, time
lock = open(json.load(sys.stdin), "w")
fcntl.flock(lock, fcntl.LOCK_EX)
if os.fork() == 0:
    if CLOSE:
        os.close(1); os.close(2)
    time.sleep(600)
`

func TestSystem_WhatAScriptForksEndsWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		code  string
		limit time.Duration
		want  error
	}{
		"script ends, child holds its output":  {"CLOSE = False\n" + holder + "print(1)", 0, nil},
		"script ends, child closed its output": {"CLOSE = True\n" + holder + "print(1)", 0, nil},
		"script meets its limit":               {"CLOSE = False\n" + holder + "while True: pass", 400 * time.Millisecond, python.ErrTimeLimit},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := systemRunner(t, python.Limits{Time: c.limit})
			file := filepath.Join(t.TempDir(), "lock")
			in, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := r.Run(t.Context(), newInline(t, c.code), python.Input{JSON: in}); !errors.Is(err, c.want) {
				t.Fatalf("Run = %s, %v, want %v\n%s", got.Output, err, c.want, got.Stderr)
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := flock.New(file).TryLockContext(ctx, 5*time.Millisecond); err != nil {
				t.Errorf("the child still holds its lock: %v", err)
			}
		})
	}
}

func TestSystem_CancellationIsImmediate(t *testing.T) {
	r := systemRunner(t, python.Limits{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	in, err := json.Marshal(listener.Addr().(*net.TCPAddr).Port)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if conn, err := listener.Accept(); err == nil {
			defer conn.Close()
		}
		cancel()
	}()
	code := "import json, socket, sys\ns = socket.create_connection(('127.0.0.1', json.load(sys.stdin)))\nwhile True: pass"
	_, err = r.Run(ctx, newInline(t, code), python.Input{JSON: in})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Run = %v, want context.Canceled", err)
	}
}

func TestSystem_ASignalIsReported(t *testing.T) {
	r := systemRunner(t, python.Limits{})
	_, err := r.Run(t.Context(), newInline(t, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)"), python.Input{})
	var exit *python.ExitError
	if !errors.As(err, &exit) || exit.Code != -1 || exit.Status != "signal: segmentation fault" {
		t.Errorf("Run = %v, want an ExitError of a segmentation fault", err)
	}
}

func TestSystem_ProcessorTimeCountsToo(t *testing.T) {
	r := systemRunner(t, python.Limits{Time: 5 * time.Second})
	code := "import json, resource, signal\nprint(json.dumps(resource.getrlimit(resource.RLIMIT_CPU)))"
	if got, err := r.Run(t.Context(), newInline(t, code), python.Input{}); err != nil || string(got.Output) != "[5, 6]" {
		t.Errorf("limits of the processor = %s, %v, want [5, 6]", got.Output, err)
	}
	_, err := r.Run(t.Context(), newInline(t, "import os, signal\nos.kill(os.getpid(), signal.SIGXCPU)"), python.Input{})
	if !errors.Is(err, python.ErrTimeLimit) {
		t.Errorf("Run ended by SIGXCPU = %v, want ErrTimeLimit", err)
	}
}
