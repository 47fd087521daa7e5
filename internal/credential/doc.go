// Package credential stores the user's API keys in the keyring of the operating system or, if there
// is none, in a file that only the user can read.
//
// The file lists which keys exist and where each one is, because a keyring cannot be listed and must
// not ask for its password when no key is needed. No error contains a key.
package credential
