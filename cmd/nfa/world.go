package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/machine"
	"github.com/nfa-cli/nfa/internal/portfolio/broker/sheet"
	"github.com/nfa-cli/nfa/internal/toolbox"
	"github.com/nfa-cli/nfa/internal/web"
	"github.com/nfa-cli/nfa/internal/workspace"
)

// inWorld gives the tools the world around the program: the files of the working
// directory, this computer, and the web unless the user is offline.
func (h *house) inWorld(d toolbox.Deps) toolbox.Deps {
	d.Files = workspace.New(workspace.Options{Dir: ".", Home: h.home})
	d.Machine = func() machine.Facts { return machine.Look(versionText(), os.Getenv, os.Stdout) }
	d.Web = web.New(web.Options{Agent: "nfa/" + versionText() + " (+https://github.com/nfa-cli/nfa)"})
	d.Online = func() bool { return !h.cfg.Offline }
	return d
}

// inTestWorld gives the tools a world that is the same tomorrow: a folder of its
// own, a computer that is made up, and no network.
func (h *house) inTestWorld(d toolbox.Deps) (toolbox.Deps, error) {
	dir, err := os.MkdirTemp("", "nfa-test-")
	if err != nil {
		return d, fmt.Errorf("making a folder for the tests: %w", err)
	}
	h.closers = append(h.closers, func() error { return os.RemoveAll(dir) })
	files, err := eval.Folder()
	if err == nil {
		err = os.CopyFS(dir, files)
	}
	if err != nil {
		return d, fmt.Errorf("filling a folder for the tests: %w", err)
	}
	own := workspace.New(workspace.Options{Dir: dir, Home: filepath.Join(dir, "home")})
	d.Files = own
	d.ReadFile = func(path string) (string, []byte, error) { return own.Bytes(path, sheet.Most) }
	d.Machine = func() machine.Facts {
		return machine.Facts{
			OS: "linux", Arch: "amd64", Go: "go1.26", Program: "0.1.0", CPUs: 4,
			Memory: machine.Memory{Total: 8 << 30, Available: 5 << 30},
		}
	}
	d.Web = web.New(web.Options{})
	d.Online = func() bool { return false }
	return d, nil
}
