// Package install creates, edits, clones, imports, exports and deletes skills in the user's folder.
//
// An Installer writes a skill to a temporary directory in the folder and then renames it, so that
// there is never half a skill, even if the program is killed. If a change of several skills fails,
// those before it are undone. While the folder cannot be written, new skills go to the Store; Move
// puts them in the folder later. It is safe for concurrent use, also by several processes. Archives
// are read with limits on size, number and paths of files. Errors that callers handle:
// *ConflictError, *InvalidError, ErrBuiltin, ErrNotWritable and ErrBusy.
package install
