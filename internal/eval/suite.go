package eval

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/nfa-cli/nfa/internal/skill"
)

// MaxSize is the maximum size of an evals.yaml in bytes.
const MaxSize = 64 << 10

// ErrNoSuite means that a skill has no evals.yaml.
var ErrNoSuite = errors.New("no " + skill.EvalsFile)

// Suite is the content of an evals.yaml.
type Suite struct {
	Select []Prompt // should make the model load the skill
	Avoid  []Prompt // should not
	Cases  []Case
}

// Prompt is a question as a user would type it.
type Prompt struct {
	Text string
	Line int // of the file, as in a Case
}

// Case is a conversation with the skill and scripted model answers.
type Case struct {
	Line      int
	Arguments string // what the user types after the skill's name
	// Portfolio fills the user's portfolio with calls of its own tools before the case. Nil means
	// no portfolio and none of its tools; an empty list is an empty portfolio.
	Portfolio []Call
	Calls     []Call // required calls, in this order; other calls may occur between them
	Turns     []Turn
	Expect    Expect
}

// Turn is one answer of the scripted model: calls, text, or both. A turn without calls ends the conversation.
type Turn struct {
	Calls []Call
	Text  string
}

// Call is a tool call. For an expected call, it has the minimum arguments.
type Call struct {
	Tool      string
	Arguments map[string]any // as JSON; numbers are json.Number
}

// String returns the call on one line.
func (c Call) String() string { return c.Tool + " " + c.json() }

func (c Call) json() string {
	if c.Arguments == nil {
		return "{}"
	}
	b, err := json.Marshal(c.Arguments)
	if err != nil {
		return fmt.Sprint(c.Arguments)
	}
	return string(b)
}

// Expect lists conditions for the end of the session.
type Expect struct {
	Errors   int      // tool results that report a failure
	Untraced int      // numbers and dates in the answer that no tool returned
	Contains []string // in the answer
}

// Read reads the suite of a skill. The error is ErrNoSuite, Problems, or an error of the skill registry or of
// reading the file.
func Read(skills *skill.Registry, name string) (Suite, error) {
	s, fsys, done, err := skills.Files(name)
	if err != nil {
		return Suite{}, err
	}
	defer done()
	data, err := readFile(fsys)
	if err != nil {
		return Suite{}, fmt.Errorf("skill %s: %w", s.Name, err)
	}
	return Parse(data)
}

// readFile checks the file type before it opens the file, because opening a pipe would block.
func readFile(fsys fs.FS) ([]byte, error) {
	info, err := fs.Stat(fsys, skill.EvalsFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNoSuite
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", skill.EvalsFile, err)
	case !info.Mode().IsRegular():
		return nil, Problems{{Message: "not a regular file"}}
	}
	file, err := fsys.Open(skill.EvalsFile)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", skill.EvalsFile, err)
	}
	defer func() { _ = file.Close() }()
	// One byte more than Parse accepts, so that it can tell.
	data, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", skill.EvalsFile, err)
	}
	return data, nil
}

//go:embed folder
var caseFolder embed.FS

// CaseFolder returns the working directory of a case: letter.txt, and home, a data folder with one
// report.
func CaseFolder() (fs.FS, error) { return fs.Sub(caseFolder, "folder") }

// Example is a small evals.yaml to start from, for the skill get-price.
const Example = `prompts:
  select:
    - What does Apple cost?
  avoid:
    - How volatile has Apple been?
cases:
  - arguments: AAPL
    calls: # required calls, in this order
      - {tool: quote, arguments: {symbols: [AAPL]}}
    turns: # scripted answers of the model; the tools are real
      - calls:
          - {tool: quote, arguments: {symbols: [AAPL]}}
      - text: The price of Apple Inc. was 137.44 USD on 2022-06-28 (SAMPLE).
    expect: {errors: 0, contains: ["137.44"]}
`
