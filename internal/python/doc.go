// Package python runs one script: JSON on its standard input, JSON on its standard output.
//
// A Runner uses one of two runtimes. The system interpreter (System) runs with -I in a scratch
// folder, with an empty environment and in a process group that is killed as a whole. It is not a
// sandbox: the script can read the user's files, open connections and start programs. The sandbox
// (WASM) is CPython compiled to WebAssembly in a child process. It sees only the skill's directory,
// read-only, has no network, processes, threads or packages, and runs loops 10 to 20 times slower.
// Memory limits apply in the sandbox and on Linux.
//
// A Script is read once, with the local modules that it imports: the bytes that were hashed and
// shown to the user are the bytes that run. SandboxStore downloads and verifies the pinned build.
// A program that uses the sandbox must call SandboxMain when it is started with SandboxVerb.
package python
