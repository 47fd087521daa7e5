// Package tool defines tools and runs their calls, whether a model, a person or a script makes them.
//
// A Tool is a Go function with typed arguments, a JSON schema derived from them and an Effect: reads,
// writes or executes. New makes one. Every call goes through a Router, which validates the arguments,
// asks for the approvals that the call needs, limits time and output, and recovers panics. A Result has
// a form for the program, one for the model and one for people, and the Figures that answers may quote.
//
// # Approvals
//
// One policy decides for every call what needs an approval (policy.go): of a model, of a workflow's step,
// and of the tool of another server. It knows
//
//   - what the call does: Tool.Effect, and Preview.Ask for a call that depends on its arguments;
//   - what it sends: web addresses in its arguments, texts if Tool.SendsTo names a receiver, or what
//     Tool.Sends returns; for a plan, Preview.Sends;
//   - what it writes: Preview.Writes; for a step whose arguments are not known yet, Tool.WritesTo;
//   - what the session has read: an Exposure, to which the Router adds each result with its Tool.Data.
//     WithExposure makes calls belong to a session; without it, only effects need approval.
//
// One Approver answers: the dialog of the chat, a prompt, or Policy without a terminal. A tool describes
// itself in its Preview: Question in one sentence, Touch as nfa enforces it, Plan and Changes in full. If
// somebody else wrote what would run, Review is asked first, as a separate question.
//
// An approval holds once, for the session, or always. Once is stored nowhere. Session covers Preview.Key,
// or the exact arguments. Always is saved as a Permission, a tool and a pattern, in one file in the data
// folder; it covers an effect, never an address. The user can list and revoke it.
package tool
