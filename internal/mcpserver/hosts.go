package mcpserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/nfa-cli/nfa/internal/atomicfile"
)

// Host is a program that can start the server.
type Host struct {
	Name    string // as in the command
	Title   string
	File    string // its settings
	Section string // the object in the file that lists servers
	entry   func(command string, args []string) any
}

// Hosts lists the known programs, with the files of this user. home and config are the user's
// folders for files and for settings.
func Hosts(home, config string) []Host {
	stdio := func(command string, args []string) any {
		return struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		}{command, args}
	}
	zed := filepath.Join(home, ".config", "zed", "settings.json")
	if runtime.GOOS == "windows" {
		zed = filepath.Join(config, "Zed", "settings.json")
	}
	return []Host{
		{"claude", "Claude Desktop", filepath.Join(config, "Claude", "claude_desktop_config.json"), "mcpServers", stdio},
		{"cursor", "Cursor", filepath.Join(home, ".cursor", "mcp.json"), "mcpServers", stdio},
		{"zed", "Zed", zed, "context_servers", func(command string, args []string) any {
			return struct {
				Source  string            `json:"source"`
				Command string            `json:"command"`
				Args    []string          `json:"args"`
				Env     map[string]string `json:"env"`
			}{"custom", command, args, map[string]string{}}
		}},
		{"vscode", "VS Code (this folder)", filepath.Join(".vscode", "mcp.json"), "servers", func(command string, args []string) any {
			return struct {
				Type    string   `json:"type"`
				Command string   `json:"command"`
				Args    []string `json:"args"`
			}{"stdio", command, args}
		}},
	}
}

// Snippet returns the settings that start command with args as the server nfa.
func (h Host) Snippet(command string, args []string) string {
	text, _ := json.MarshalIndent(map[string]any{h.Section: map[string]any{"nfa": h.entry(command, args)}}, "", "  ") // texts only
	return string(text)
}

// Install adds the server nfa to the file and keeps everything else. It fails if the file is not plain
// JSON, for example because it has comments.
func (h Host) Install(command string, args []string) error {
	text, perm, err := atomicfile.Read(h.File, 4<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		text, perm = []byte("{}"), 0o600
		if err := os.MkdirAll(filepath.Dir(h.File), 0o700); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	entry, err := json.Marshal(h.entry(command, args))
	if err != nil {
		return err
	}
	file, err := parseObject(text)
	if err != nil {
		return fmt.Errorf("%s is not plain JSON; add the lines yourself", h.File)
	}
	section, err := parseObject(file.get(h.Section))
	if err != nil {
		return fmt.Errorf("%s: %s is not an object; add the lines yourself", h.File, h.Section)
	}
	section = section.set("nfa", entry)
	file = file.set(h.Section, section.json())
	var out bytes.Buffer
	if err := json.Indent(&out, file.json(), "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	return atomicfile.Replace(h.File, out.Bytes(), perm)
}

// object is a JSON object that keeps the order of its members.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

// parseObject reads an object. Empty text and null count as an empty object.
func parseObject(text []byte) (object, error) {
	if len(bytes.TrimSpace(text)) == 0 || string(bytes.TrimSpace(text)) == "null" {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	var o object
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		o = append(o, member{name.(string), value}) // the name of a member is a string
	}
	_, err := d.Token()
	return o, err
}

func (o object) get(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func (o object) set(name string, value json.RawMessage) object {
	for i, m := range o {
		if m.name == name {
			o[i].value = value
			return o
		}
	}
	return append(o, member{name, value})
}

func (o object) json() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name) // a string
		b.Write(name)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
