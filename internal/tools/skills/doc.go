// Package skills holds the tools Skill and read_skill_file, which load a skill and read its files,
// and turns each skill with steps into a tool that runs them.
//
// Tools returns the first two. Workflows makes the others: the preview shows the plan, asks for
// approval when the skill has not been reviewed in its current form, and what was shown is what
// runs.
package skills
