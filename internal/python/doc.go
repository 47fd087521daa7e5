// Package python runs one script: JSON on its standard input, JSON on its
// standard output.
//
// Two runtimes can do it. The system's interpreter ([System]) runs with -I in
// a scratch folder, with an empty environment, in a process group that is
// killed whole. It is not a sandbox: the script can read what the user can
// read, open connections and start programs. The sandbox ([WASM]) is CPython
// compiled to WebAssembly in a child process: it sees the skill's directory
// and the named inputs, read-only, and nothing else.
//
//	                      system                     sandbox
//	other files           readable, as the user      do not exist
//	network, processes    possible                   none
//	threads               possible                   none
//	packages (numpy)      those of the interpreter   none
//	time zones            those of the system        none
//	speed of a loop       1                          about a tenth to a twentieth
//	memory limit          Linux; elsewhere none      everywhere
//	files it may write    its scratch folder         none
//	children at the limit killed with their group    there are none
//
// A process that leaves its group (setsid) outlives the system runtime's
// limits; on Windows the tree is killed as far as the parents still live.
//
// A [Script] is read once: what was hashed and shown to the user is what runs,
// the modules it imports from its skill's directory included. Modules that are
// not among those shown cannot be imported from there at all.
package python
