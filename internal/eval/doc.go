// Package eval runs the tests of a skill, which are in the evals.yaml next to its SKILL.md.
//
// A Suite has prompts that should or should not select the skill, and Cases: conversations in which
// the model's side is scripted and everything else is real, the agent loop, the router and the tools.
// A case fails when the skill, a tool or a figure no longer does what its author expected. Prompts
// need a real model (Runner.Live) and are otherwise reported as not run.
//
// A Runner yields one Result per case and prompt; a Reporter prints them as text or JSON.
package eval
