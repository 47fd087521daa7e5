// Package workflow runs the steps of a skill: tool calls and Python scripts, one after the other.
// Arguments may have templates that refer to parameters and to results of earlier steps.
//
// ReadParameters and ReadSteps read the declarations from the front matter. ParseArguments (a typed
// line) and ReadArguments (JSON, a form) turn input into Arguments; an *ArgumentError lists
// everything that is missing or invalid. Check finds problems that hold for every run, NewPlan
// fills in what is known and collects all problems, and Run executes a Plan with the caller's
// Caller. Substitute puts the arguments into the text of a skill.
//
// The package knows neither tools nor Python. An Environment describes what exists; its nil
// functions check nothing.
package workflow
