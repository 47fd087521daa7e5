// Package usage reports mistakes in how nfa was called: an unknown name, an invalid flag, settings
// that contradict each other.
//
// Errorf returns an *Error, and the program exits with the code for wrong usage if one is in the
// chain. DidYouMean adds the closest known word to such a message.
package usage
