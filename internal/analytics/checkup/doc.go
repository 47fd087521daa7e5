// Package checkup holds a book against rules of thumb: how much hangs on one
// holding, on one currency, on one region; what funds cost; whether cash fits the
// needs; how far weights are from their targets. Everything comes in; nothing is
// asked.
//
// A rule states what it measured, what it held that against, and why. It passes
// only where all that it needs is known, fails as soon as what is known is enough
// for it, and is not judged otherwise. Standard thresholds are conventions, and say
// so: the ones of the user come before them.
package checkup
