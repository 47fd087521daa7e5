package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/nfa-cli/nfa/internal/eval"
	"github.com/nfa-cli/nfa/internal/portfolio/importer"
	"github.com/nfa-cli/nfa/internal/tools"
	"github.com/nfa-cli/nfa/internal/tools/files"
)

// systemDeps gives the tools access outside the program: the files of the working directory,
// information on this computer, and the web unless the user is offline.
func (p *program) systemDeps(d tools.Deps) tools.Deps {
	d.Files = files.NewWorkspace(files.WorkspaceOptions{Dir: ".", Home: p.home})
	d.Machine = func() files.MachineFacts { return files.InspectMachine(versionText(), os.Getenv, os.Stdout) }
	d.Web = files.NewWebClient(files.WebOptions{Agent: "nfa/" + versionText() + " (+https://github.com/nfa-cli/nfa)"})
	d.Online = func() bool { return !p.cfg.Offline }
	return d
}

// testSystemDeps gives the tools an environment that is the same on every run: a temporary folder
// with sample files, an invented computer and no network.
func (p *program) testSystemDeps(d tools.Deps) (tools.Deps, error) {
	dir, err := os.MkdirTemp("", "nfa-test-")
	if err != nil {
		return d, fmt.Errorf("making a folder for the tests: %w", err)
	}
	p.closers = append(p.closers, func() error { return os.RemoveAll(dir) })
	sampleFiles, err := eval.CaseFolder()
	if err == nil {
		err = os.CopyFS(dir, sampleFiles)
	}
	if err != nil {
		return d, fmt.Errorf("filling a folder for the tests: %w", err)
	}
	testFiles := files.NewWorkspace(files.WorkspaceOptions{Dir: dir, Home: filepath.Join(dir, "home")})
	d.Files = testFiles
	d.ReadFile = func(path string) (string, []byte, error) { return testFiles.ReadBytes(path, importer.MaxFileSize) }
	d.Machine = func() files.MachineFacts {
		return files.MachineFacts{
			OS: "linux", Arch: "amd64", Go: "go1.26", Program: "0.1.0", CPUs: 4,
			Memory: files.MachineMemory{Total: 8 << 30, Available: 5 << 30},
		}
	}
	d.Web = files.NewWebClient(files.WebOptions{})
	d.Online = func() bool { return false }
	return d, nil
}
