// Package skills holds the tools Skill and read_skill_file, which load a skill and read its files,
// and turns each skill with steps into a tool that runs them.
//
// Tools returns the first two. Workflows returns the others. The preview of a workflow shows its
// plan and asks for approval if the skill has not been reviewed in its current form. Exactly the
// previewed plan is run.
package skills
