package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/nfa-cli/nfa/internal/credential"
	"github.com/nfa-cli/nfa/internal/lazyregexp"
)

// MCPServer is an MCP server: a program, or an address.
type MCPServer struct {
	Name    string
	Command string
	Args    []string
	Env     map[string]string // ${NAME} in a value is an environment variable or a saved key
	URL     string
	Headers map[string]string // values as in Env
	Tools   []string          // tools to offer; nil means all
	Read    []string          // tools that run without approval
	Figures []string          // tools whose numbers count as figures
	Timeout time.Duration     // of a call; 0 means the default
	// Project is the folder whose file defines the server, or "" for the user's own settings.
	Project string
	Origin  string // "/path/config.yaml:3"
}

const (
	serversKey  = "mcpServers"
	serversFile = ".mcp.json" // of a project, in the format of other programs
)

var (
	serverName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$`)
	variable   = lazyregexp.New(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	headerName = lazyregexp.New(`^[A-Za-z0-9-]{1,64}$`)
)

// Variables returns the names that the server's settings refer to as ${NAME}.
func (s MCPServer) Variables() []string {
	var names []string
	for _, values := range []map[string]string{s.Env, s.Headers} {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			for _, match := range variable().FindAllStringSubmatch(values[key], -1) {
				if !slices.Contains(names, match[1]) {
					names = append(names, match[1])
				}
			}
		}
	}
	return names
}

// Expand replaces each ${NAME} in text by its value.
func Expand(text string, value func(name string) string) string {
	return variable().ReplaceAllStringFunc(text, func(reference string) string { return value(reference[2 : len(reference)-1]) })
}

// ReadServers reads the servers in a file in the format of .mcp.json. Servers with mistakes are omitted
// and reported. With references, a secret in the file is replaced by a reference to it.
func ReadServers(path string, references bool) (servers []MCPServer, problems []error) {
	servers, _, problems = readServers(path, references)
	return servers, problems
}

// readServers is ReadServers. info is nil if the file cannot be read.
func readServers(path string, references bool) (servers []MCPServer, info fs.FileInfo, problems []error) {
	l := &loader{cfg: &Config{}}
	text, info, err := read(path)
	if err != nil {
		return nil, nil, []error{err}
	}
	// YAML, because JSON is a subset of it and its positions are known.
	root, err := parseDocument(path, text)
	if err != nil {
		return nil, info, []error{err}
	}
	if root != nil {
		if n := valueOf(root, serversKey); n != nil {
			l.servers(source{path: path, project: true, foreign: true, references: references}, n)
		}
	}
	return l.cfg.Servers, info, l.problems
}

// projectServers reads the file .mcp.json of a project. Mistakes in it are warnings, because it is
// written for other programs.
func (l *loader) projectServers() {
	path := absolute(filepath.Join(l.opts.ProjectDir, serversFile))
	servers, info, problems := readServers(path, false)
	if len(problems) == 1 && errors.Is(problems[0], fs.ErrNotExist) || info != nil && !l.isOwn(path, info) {
		return
	}
	for _, problem := range problems {
		l.cfg.Warnings = append(l.cfg.Warnings, problem.Error())
	}
	l.cfg.Servers = append(l.cfg.Servers, servers...)
}

// dropRepeatedServers keeps the first server of each name. The user's own servers come first.
func (l *loader) dropRepeatedServers() {
	seen := map[string]bool{}
	l.cfg.Servers = slices.DeleteFunc(l.cfg.Servers, func(s MCPServer) bool {
		if seen[s.Name] {
			l.cfg.Warnings = append(l.cfg.Warnings, fmt.Sprintf("%s: the MCP server %s is ignored, because another server has this name", s.Origin, s.Name))
			return true
		}
		seen[s.Name] = true
		return false
	})
}

// servers reads the section mcpServers.
func (l *loader) servers(src source, n *yaml.Node) {
	if n.ShortTag() == "!!null" {
		return // RemoveServer leaves an empty section
	}
	l.sections(src, n, namedSections{serversKey, serverName(), "letters, digits, dots and hyphens", "command or url", l.server})
}

func (l *loader) server(src source, name, n *yaml.Node) {
	s := MCPServer{Name: name.Value, Origin: src.at(name)}
	if src.project {
		s.Project = filepath.Dir(src.path)
		if !src.foreign {
			s.Project = filepath.Dir(s.Project)
		}
	}
	prefix, before := serversKey+"."+s.Name+".", len(l.problems)
	text := func(field, value *yaml.Node) string {
		texts, ok := textsOf(Text, value)
		if !ok || !printable(texts[0]) {
			l.problem(src.at(value), "%s%s is invalid (%s); expected text", prefix, field.Value, describe(value))
		}
		return texts[0]
	}
	list := func(field, value *yaml.Node) []string {
		texts, ok := listOf(value)
		if !ok || slices.ContainsFunc(texts, func(t string) bool { return !printable(t) }) {
			l.problem(src.at(value), "%s%s is invalid (%s); expected a list of text values", prefix, field.Value, describe(value))
		}
		return texts
	}
	l.pairs(src, n, prefix, func(field, value *yaml.Node) {
		switch field.Value {
		case "command":
			s.Command = text(field, value)
		case "args":
			s.Args = list(field, value)
		case "env":
			s.Env = l.values(src, prefix+"env", value, variableName(), func(name, text string) string {
				if credential.IsSecretVariable(name, text) {
					return name
				}
				return ""
			})
		case "url":
			if s.URL = text(field, value); !safeURL(s.URL) {
				l.problem(src.at(value), "%surl is invalid; expected https://, or http:// on this computer, without a password", prefix)
			}
		case "headers":
			s.Headers = l.values(src, prefix+"headers", value, headerName(), func(name, _ string) string {
				if isSecretHeader(name) {
					return upperSnake(s.Name + "_" + name)
				}
				return ""
			})
		case "type":
			if kind := text(field, value); !slices.Contains([]string{"stdio", "http", "streamable-http"}, kind) {
				l.problem(src.at(value), "%stype %q is not supported; supported: stdio and http", prefix, kind)
			}
		case "tools":
			s.Tools = list(field, value)
		case "read", "figures":
			switch {
			case src.foreign: // nfa's setting has no meaning there
			case src.project:
				l.problem(src.at(field), "%s%s cannot be set by a project, because a cloned folder must not approve anything; set it in your own settings", prefix, field.Value)
			case field.Value == "read":
				s.Read = list(field, value)
			default:
				s.Figures = list(field, value)
			}
		case "timeout":
			limit, err := time.ParseDuration(value.Value)
			if s.Timeout = limit; !src.foreign && (err != nil || limit <= 0 || limit > maxTimeout) {
				l.problem(src.at(value), "%stimeout is %q; expected a duration up to 1h, such as 10s", prefix, value.Value)
			}
		default:
			if !src.foreign {
				l.problem(src.at(field), "unknown setting %q; known: command, args, env, url, headers, tools, read, figures, timeout", prefix+field.Value)
			}
		}
	})
	if (s.Command == "") == (s.URL == "") && len(l.problems) == before {
		l.problem(src.at(name), "mcpServers.%s needs either a command or a url", s.Name)
	}
	if len(l.problems) == before {
		l.cfg.Servers = append(l.cfg.Servers, s)
	}
}

// values reads texts by name. secret returns the name of the key to save a secret as, or "" for other
// texts.
func (l *loader) values(src source, key string, n *yaml.Node, names *regexp.Regexp, secret func(name, text string) string) map[string]string {
	if n.Kind != yaml.MappingNode {
		l.problem(src.at(n), "%s is %s; expected names and values below it", key, describe(n))
		return nil
	}
	out := map[string]string{}
	l.pairs(src, n, key+".", func(name, value *yaml.Node) {
		text, saved := value.Value, ""
		if !variable().MatchString(text) {
			saved = secret(name.Value, text)
		}
		switch {
		case !names.MatchString(name.Value):
			l.problem(src.at(name), "%s has the name %q; expected letters, digits and underscores or hyphens", key, name.Value)
		case value.Kind != yaml.ScalarNode || !printable(value.Value):
			l.problem(src.at(value), "%s.%s is %s; expected text", key, name.Value, describe(value))
		case saved != "" && !src.references:
			l.problem(src.at(value), "%s.%s: secrets are not allowed in settings; write ${%s} and run: nfa auth set %s", key, name.Value, saved, saved)
		case saved != "":
			out[name.Value] = "${" + saved + "}"
		default:
			out[name.Value] = text
		}
	})
	return out
}

// safeURL reports whether nfa may send data to a URL. Others on the network could read and change data
// sent over http.
func safeURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || !printable(text) {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// upperSnake converts a text to the name of an environment variable.
func upperSnake(text string) string {
	return strings.ToUpper(strings.NewReplacer("-", "_", ".", "_", " ", "_").Replace(text))
}

func isSecretHeader(name string) bool {
	name = upperSnake(name)
	return strings.HasSuffix(name, "AUTHORIZATION") || name == "COOKIE" || credential.IsSecretVariable(name, "x")
}

// serverValues returns the servers as `config show` prints them.
func (c *Config) serverValues() []Value {
	var out []Value
	for _, s := range c.Servers {
		out = append(out, Value{Key: serversKey + "." + s.Name, Value: s.Target(), Origin: s.Origin})
	}
	return out
}

// Target returns the command line or the address of the server.
func (s MCPServer) Target() string {
	if s.URL != "" {
		return s.URL
	}
	return strings.Join(append([]string{s.Command}, s.Args...), " ")
}

// WriteServer adds a server to a settings file, or replaces the one of its name. It keeps all other
// lines byte for byte.
func WriteServer(path string, s MCPServer) error {
	entry := map[string]any{}
	for _, field := range []struct {
		name  string
		value any
		set   bool
	}{
		{"command", s.Command, s.Command != ""}, {"args", s.Args, len(s.Args) > 0}, {"env", s.Env, len(s.Env) > 0}, {"url", s.URL, s.URL != ""}, {"headers", s.Headers, len(s.Headers) > 0},
		{"tools", s.Tools, s.Tools != nil}, {"read", s.Read, len(s.Read) > 0}, {"figures", s.Figures, len(s.Figures) > 0},
	} {
		if field.set {
			entry[field.name] = field.value
		}
	}
	return changeFile(path, func(path string, before []byte) ([]byte, error) { return setServer(path, before, s.Name, entry) })
}

// RemoveServer removes a server from a settings file. It reports whether there was one.
func RemoveServer(path, name string) (found bool, err error) {
	err = changeFile(path, func(path string, before []byte) ([]byte, error) {
		values, err := decodeValues(path, before)
		if err != nil {
			return nil, err
		}
		servers, _ := values[serversKey].(map[string]any)
		if found = servers[name] != nil; !found {
			return before, nil
		}
		return setServer(path, before, name, nil)
	})
	return found, err
}

// setServer returns the text with the entry of a server, or without it if entry is nil.
func setServer(path string, before []byte, name string, entry map[string]any) ([]byte, error) {
	root, err := parseDocument(path, before)
	if err != nil {
		return nil, err
	}
	after := before
	var section *yaml.Node
	if root != nil {
		section = valueOf(root, serversKey)
	}
	if section != nil {
		after = cutEntry(after, section, name)
	}
	var value []byte
	if entry != nil {
		if value, err = yaml.Marshal(entry); err != nil {
			return nil, err
		}
		var block bytes.Buffer
		encoder := yaml.NewEncoder(&block)
		encoder.SetIndent(2)
		if err := encoder.Encode(map[string]any{name: entry}); err != nil {
			return nil, err
		}
		after = addEntry(after, section, block.Bytes())
	}
	if err := checkServers(path, after); err != nil {
		return nil, err
	}
	if !onlyChanged(path, before, after, []string{serversKey, name}, value) {
		return nil, fmt.Errorf("%s: cannot change mcpServers.%s without changing other lines; edit the file", path, name)
	}
	return after, nil
}

// checkServers returns what is wrong with the servers of a settings file.
func checkServers(path string, text []byte) error {
	root, err := parseDocument(path, text)
	if err != nil || root == nil {
		return err
	}
	l := &loader{cfg: &Config{}}
	if n := valueOf(root, serversKey); n != nil {
		l.servers(source{path: path}, n)
	}
	return errors.Join(l.problems...)
}

// cutEntry removes the lines of an entry of a section.
func cutEntry(text []byte, section *yaml.Node, name string) []byte {
	for i := 0; i+1 < len(section.Content); i += 2 {
		if section.Content[i].Value != name {
			continue
		}
		from, to := lineStart(text, section.Content[i].Line), len(text)
		if last := lastLine(section.Content[i+1]); last < bytes.Count(text, []byte("\n")) {
			to = lineStart(text, last+1)
		}
		return slices.Concat(text[:from], text[to:])
	}
	return text
}

func lastLine(n *yaml.Node) int {
	last := n.Line
	for _, child := range n.Content {
		last = max(last, lastLine(child))
	}
	return last
}

// addEntry adds a block below the section's first line, or with the section at the end.
func addEntry(text []byte, section *yaml.Node, block []byte) []byte {
	indented := func(indent string) []byte {
		return append([]byte(indent), bytes.ReplaceAll(bytes.TrimRight(block, "\n"), []byte("\n"), []byte("\n"+indent))...)
	}
	if section != nil && len(section.Content) > 0 && section.Style&yaml.FlowStyle == 0 {
		first := section.Content[0]
		at := lineStart(text, first.Line)
		if at <= len(text) {
			return slices.Concat(text[:at], indented(strings.Repeat(" ", first.Column-1)), []byte("\n"), text[at:])
		}
	}
	if section != nil { // without servers
		at := lineStart(text, section.Line)
		end := at + bytes.IndexByte(append(text[at:len(text):len(text)], '\n'), '\n')
		return slices.Concat(text[:end], []byte("\n"), indented("  "), text[end:])
	}
	out := bytes.Clone(text)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, '\n')
	}
	return slices.Concat(out, []byte(serversKey+":\n"), indented("  "), []byte("\n"))
}
