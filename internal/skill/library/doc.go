// Package library joins the user's skills with the tools of the current agent and the user's
// settings.
//
// A Library lists skills (Rows, Health, Detail, Catalog, SearchDocuments), validates them
// (Validate, RunProblem), turns typed text into agent input (ParseInput, Activate), adds the tools
// that run workflows to a router (WithWorkflows), and changes the user's own skills (Installer,
// NewSkillText, OpenDraft and FinishDraft, Export, Move, Rescan).
package library
