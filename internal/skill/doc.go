// Package skill finds, reads, validates and repairs skills: folders with a SKILL.md that has YAML
// front matter followed by Markdown instructions for a model.
//
// Registry scans the roots (built-in, shared, user, store, project) and loads skills; a Skill is
// the front matter, a Content also has the text. A broken skill never stops the others: it becomes
// a Diagnostic that says how to fix it. Validate checks a SKILL.md against the open format, Repair
// fixes what can be fixed without inventing anything. Catalog lists the skills for the system
// prompt, NewExcerpt returns a text, a section or an outline that fits into one tool result, and
// Cache remembers what a session has loaded. State stores the user's decisions (disabled, trusted,
// reviewed) and when skills were used in skills.json. Registry, Cache and State are safe for
// concurrent use. A skill is text: this package never runs anything.
package skill
