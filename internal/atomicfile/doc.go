// Package atomicfile reads and replaces the small files that nfa keeps for the user: settings, keys,
// permissions.
//
// Read refuses pipes and files over a limit. Replace and Create write a file in one step: readers see
// the old or the new content, even after a crash. Create returns ErrExists if the file exists and may
// not be replaced.
package atomicfile
