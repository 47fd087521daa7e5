package python

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	experimentalsys "github.com/tetratelabs/wazero/experimental/sys"
	"github.com/tetratelabs/wazero/experimental/sysfs"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

const wasmPageBytes = 64 << 10

// SandboxMain returns the child process of the sandbox. It serves one request and returns its own exit
// code, which is 0 whenever the report describes how the script ended.
func SandboxMain(in io.Reader, out, errOut io.Writer) int {
	stdin := bufio.NewReader(in)
	request, err := readSandboxRequest(stdin)
	if err != nil {
		fmt.Fprintln(errOut, err)
		return 2
	}
	if request.Time > 0 {
		limitProcessorTime(request.Time)
	}
	report := runRequest(context.Background(), request, childStreams{stdin, out, errOut})
	if err := report.write(request.Report); err != nil {
		fmt.Fprintln(errOut, err)
		return 2
	}
	return 0
}

type childStreams struct {
	in       io.Reader
	out, err io.Writer
}

func runRequest(ctx context.Context, request SandboxRequest, std childStreams) SandboxReport {
	wasm, err := os.ReadFile(request.Wasm)
	if err != nil {
		return SandboxReport{Problem: err.Error()}
	}
	// Hash the bytes that will run, not the file, which may change.
	if sum := sha256.Sum256(wasm); hex.EncodeToString(sum[:]) != request.SHA256 {
		return SandboxReport{Problem: fmt.Sprintf("%s does not have the pinned sha256", request.Wasm), Damaged: true}
	}
	machine, module, err := compileSandbox(ctx, wasm, request)
	if err != nil {
		return SandboxReport{Problem: err.Error()}
	}
	defer machine.Close(ctx)
	if len(request.Args) == 0 {
		return SandboxReport{}
	}
	config, cleanup, err := sandboxModuleConfig(request, std)
	if err != nil {
		return SandboxReport{Problem: err.Error()}
	}
	defer cleanup()
	if _, err := std.out.Write([]byte{SandboxReady}); err != nil {
		return SandboxReport{Problem: err.Error()}
	}
	_, err = machine.InstantiateModule(ctx, module, config)
	return exitReport(err)
}

// compileSandbox loads the compiled sandbox from the cache, or compiles it. It deletes a damaged
// cache once.
func compileSandbox(ctx context.Context, wasm []byte, request SandboxRequest) (wazero.Runtime, wazero.CompiledModule, error) {
	machine, module, err := compileCached(ctx, wasm, request)
	if err == nil {
		return machine, module, nil
	}
	if err := os.RemoveAll(request.Compiled); err != nil {
		return nil, nil, err
	}
	return compileCached(ctx, wasm, request)
}

func compileCached(ctx context.Context, wasm []byte, request SandboxRequest) (wazero.Runtime, wazero.CompiledModule, error) {
	cache, err := wazero.NewCompilationCacheWithDir(request.Compiled)
	if err != nil {
		return nil, nil, fmt.Errorf("open the compiled sandbox: %w", err)
	}
	// Omit debug information, because parsing its tables at each start takes five times as long as
	// everything else. Reserve the memory at once, because growing copies it and needs four times
	// the memory for the same limit.
	machine := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().
		WithCompilationCache(cache).
		WithDebugInfoEnabled(false).
		WithMemoryCapacityFromMax(true).
		WithMemoryLimitPages(uint32(max(1, min(request.Memory/wasmPageBytes, 1<<16)))))
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, machine); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("prepare the sandbox: %w", err), machine.Close(ctx))
	}
	module, err := machine.CompileModule(experimental.WithCompilationWorkers(ctx, runtime.NumCPU()), wasm)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("compile the sandbox: %w", err), machine.Close(ctx))
	}
	return machine, module, nil
}

func sandboxModuleConfig(request SandboxRequest, std childStreams) (wazero.ModuleConfig, func(), error) {
	mounts := wazero.NewFSConfig()
	var roots []*os.Root
	cleanup := func() {
		for _, root := range roots {
			_ = root.Close()
		}
	}
	for guest, host := range request.Mounts {
		root, err := os.OpenRoot(host)
		if err != nil {
			cleanup()
			return nil, nil, fmt.Errorf("mount %s: %w", guest, err)
		}
		roots = append(roots, root)
		// wazero's own DirFS would follow links outside the folder.
		mounts = mounts.WithFSMount(root.FS(), guest)
	}
	if request.Work != "" {
		mounts = mounts.(sysfs.FSConfig).WithSysFSMount(workFS{sysfs.DirFS(request.Work)}, WorkFolder)
	}
	config := wazero.NewModuleConfig().
		WithName("").
		WithArgs(append([]string{"python3"}, request.Args...)...).
		WithStdin(std.in).WithStdout(std.out).WithStderr(std.err).
		WithFSConfig(mounts).
		WithRandSource(rand.Reader).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep()
	return config, cleanup, nil
}

// WorkFolder is the folder in the sandbox that a script may write.
const WorkFolder = "/work"

// workFS is a folder without links, which could lead out of it: it is empty at the start, and none
// can be made.
type workFS struct{ experimentalsys.FS }

func (workFS) Symlink(string, string) experimentalsys.Errno { return experimentalsys.EPERM }
func (workFS) Link(string, string) experimentalsys.Errno    { return experimentalsys.EPERM }

// exitReport distinguishes an exit from a trap, because WASI programs exit with an error.
func exitReport(err error) SandboxReport {
	var exit *sys.ExitError
	switch {
	case err == nil:
		return SandboxReport{}
	case errors.As(err, &exit):
		return SandboxReport{Exit: int(exit.ExitCode())}
	}
	return SandboxReport{Exit: 1, Trap: err.Error()}
}
