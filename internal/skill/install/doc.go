// Package install creates, edits, clones, imports, exports and deletes skills in the user's folder.
//
// An Installer makes each change completely or not at all, even if the program is killed: files are
// staged in the folder first, and an unfinished change is undone by the next one. While the folder
// cannot be written, new skills go to the Store; Move puts them in the folder later. It is safe for
// concurrent use, also by several processes. Archives are read with limits on size, number and paths
// of files. Errors that callers handle: *ConflictError, *InvalidError, ErrBuiltin, ErrNotWritable
// and ErrBusy.
package install
