// Package agent runs conversations with a language model that may use tools.
//
// An Agent starts and resumes Conversations; Conversation.Run answers one user message. A turn
// consists of steps; a step is one model response and the tool calls in it. Everything that happens
// is an Event, and it is recorded in the session store before it is yielded. A turn stops at the
// Limits of its Config. When the context window is nearly full, older results are left out of the
// request and older turns are summarized; the stored transcript is not changed.
//
// Each answer is checked against the figures of all tool results so far (FiguresReport); Why
// explains one of them. A Profile is an agent defined by a Markdown file: instructions, tools and
// model. LoadProfiles reads the built-in profiles and those of the user.
package agent
