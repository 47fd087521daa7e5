// Package tool defines tools and runs their calls, whether a model, a person or a script makes them.
//
// A Tool is a Go function with typed arguments, a JSON schema derived from them and an Effect: reads,
// writes or executes. New makes one. Every call goes through a Router, which validates the arguments,
// asks an Approver before anything is written or executed, limits time and output, and recovers
// panics. A Result has a form for the program, one for the model and one for people, and the Figures
// that answers may quote.
//
// An approval holds once, for the session, or always. What is always allowed is saved as a
// permission, a tool and a pattern, in one file in the data folder; the user can list and revoke it.
package tool
