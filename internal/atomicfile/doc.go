// Package atomicfile reads and replaces the small files that nfa keeps for the user: settings, keys,
// permissions.
//
// Read refuses pipes and files over a limit. Replace and Create write a whole file in one step:
// readers see the old content or the new one, also after a crash. Create returns ErrExists if the
// file is there and may not be replaced.
package atomicfile
