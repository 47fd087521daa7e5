// Package crash turns panics into errors that do not contain the panic value.
//
// The value may quote a key, an amount or a message of the user, so it is never printed. A Site holds
// the type of the value and the stack. Group and WaitGroup pass a panic of their goroutines on to
// Wait, because the runtime would print an uncaught panic with its value.
package crash
