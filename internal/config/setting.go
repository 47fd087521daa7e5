package config

import (
	"cmp"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/currency"
)

// Kind is the type of a setting.
type Kind string

// The kinds of setting, in the words that error messages use.
const (
	Text     Kind = "text"
	Server   Kind = "a URL"
	Email    Kind = "an e-mail address"
	Switch   Kind = "true or false"
	Number   Kind = "a whole number"
	Choice   Kind = "one of a few words"
	Paths    Kind = "a list of paths"
	Duration Kind = "a duration"
	Amount   Kind = "an amount"
	Currency Kind = "a currency"
	Symbol   Kind = "a symbol"
)

// Setting is one row of the table of settings.
type Setting struct {
	Key             string // as in the file; a dot is one level down
	Kind            Kind
	Default         string
	Flag            string   // with its dashes, or "" where there is none
	Choices         []string // of a Choice
	Min             int      // of a Number
	Max             int
	MaxDuration     time.Duration // of a Duration; an hour where it is zero
	ZeroIsUnlimited bool          // 0 is no limit, for a Number or a Duration
	// Project allows a project's file to set it. A folder somebody cloned must
	// not redirect questions, bring a key, or approve anything.
	Project bool
	Secret  bool
	Doc     string // one line for people

	field func(*Config) any // pointer to the field it fills
}

// Settings returns all settings. To add one, add a field to Config and a row here.
func Settings() []Setting {
	return []Setting{
		{Key: "model", Kind: Text, Flag: "--model", Project: true, Doc: "model that answers, as provider/name or bare; offline is the embedded assistant", field: func(c *Config) any { return &c.Model }},
		{Key: "base_url", Kind: Server, Doc: "server that speaks the OpenAI chat API", field: func(c *Config) any { return &c.BaseURL }},
		{Key: "api_key", Kind: Text, Secret: true, Doc: "key for that server; better in the environment than in a file", field: func(c *Config) any { return &c.APIKey }},
		{Key: "key_store", Kind: Choice, Default: "auto", Choices: []string{"auto", "file"}, Doc: "where nfa auth keeps keys: the system's keyring where there is one, or always auth.json", field: func(c *Config) any { return &c.KeyStore }},
		{Key: "offline", Kind: Switch, Default: "false", Flag: "--offline", Project: true, Doc: "embedded assistant and sample data, no network", field: func(c *Config) any { return &c.Offline }},
		{Key: "log_level", Kind: Choice, Default: "info", Flag: "--log-level", Choices: []string{"debug", "info", "warn", "error"}, Project: true, Doc: "least serious lines of the log", field: func(c *Config) any { return &c.LogLevel }},
		{Key: "agent", Kind: Text, Default: "advisor", Flag: "--agent", Project: true, Doc: "agent that answers", field: func(c *Config) any { return &c.Agent }},
		{Key: "request_profile", Kind: Choice, Default: "auto", Project: true, Choices: []string{"auto", "large", "small", "tiny"}, Doc: "how much a request to the model may hold; auto follows its context window", field: func(c *Config) any { return &c.RequestProfile }},
		{Key: "max_steps", Kind: Number, Default: "25", Flag: "--max-steps", Min: 1, Max: 200, Project: true, Doc: "most answers of the model in one turn", field: func(c *Config) any { return &c.MaxSteps }},
		{Key: "max_time", Kind: Duration, Default: "1h0m0s", Flag: "--timeout", Project: true, Doc: "longest turn, approvals included", field: func(c *Config) any { return &c.MaxTime }},
		{Key: "max_cost", Kind: Amount, Flag: "--max-cost", Doc: "most US dollars for one turn; needs a model whose price is known; what its server does not count is estimated", field: func(c *Config) any { return &c.MaxCost }},
		{Key: "max_session_steps", Kind: Number, Default: "0", Max: 100_000, ZeroIsUnlimited: true, Doc: "most answers of the model in one session, resumed or not; 0 for no limit", field: func(c *Config) any { return &c.MaxSessionSteps }},
		{Key: "max_session_time", Kind: Duration, Default: "0s", MaxDuration: 1000 * time.Hour, ZeroIsUnlimited: true, Doc: "longest time for the turns of one session together; 0 for no limit", field: func(c *Config) any { return &c.MaxSessionTime }},
		{Key: "max_session_cost", Kind: Amount, Doc: "most US dollars for one session; needs such a price, too", field: func(c *Config) any { return &c.MaxSessionCost }},
		{Key: "color", Kind: Choice, Default: "auto", Flag: "--no-color", Choices: []string{"auto", "always", "never"}, Project: true, Doc: "colours on the screen", field: func(c *Config) any { return &c.Color }},
		{Key: "charts", Kind: Choice, Default: "auto", Choices: []string{"auto", "braille", "block", "ascii"}, Project: true, Doc: "characters of charts: braille is the finest, block is for fonts without it, ascii for terminals without either", field: func(c *Config) any { return &c.Charts }},
		{Key: "plain", Kind: Switch, Default: "false", Flag: "--plain", Project: true, Doc: "the chat in whole lines that are never drawn again, for screen readers and logs; ACCESSIBLE=1 asks for it, too", field: func(c *Config) any { return &c.Plain }},
		{Key: "history", Kind: Choice, Default: "on", Choices: []string{"on", "off"}, Doc: "whether what you write in the chat is kept for later chats to call back; never what looks like a key or begins with a space", field: func(c *Config) any { return &c.History }},
		{Key: "motion", Kind: Choice, Default: "full", Choices: []string{"full", "reduced"}, Project: true, Doc: "whether anything on the screen moves or blinks by itself", field: func(c *Config) any { return &c.Motion }},
		{Key: "notify", Kind: Choice, Default: "off", Choices: []string{"off", "bell", "desktop"}, Project: true, Doc: "how the chat calls you back after a long turn: the terminal's bell, or a notification where the terminal makes one", field: func(c *Config) any { return &c.Notify }},
		{Key: "title", Kind: Switch, Default: "true", Project: true, Doc: "whether the chat names the terminal's window", field: func(c *Config) any { return &c.Title }},
		{Key: "data", Kind: Choice, Default: "live", Choices: []string{"live", "sample"}, Project: true, Doc: "where market data come from: live sources, and the embedded sample where none answers; or the sample alone", field: func(c *Config) any { return &c.Data.Mode }},
		{Key: "sec.contact", Kind: Email, Doc: "your e-mail address, which the SEC wants to see with each request for filings; nobody else gets it", field: func(c *Config) any { return &c.Data.SECContact }},
		{Key: "searxng_url", Kind: Server, Doc: "your SearXNG server, for web_search", field: func(c *Config) any { return &c.Data.SearXNG }},
		{Key: "base_currency", Kind: Currency, Doc: "the currency that the book is valued in; where it is not set, that of the book if it has only one", field: func(c *Config) any { return &c.BaseCurrency }},
		{Key: "benchmark", Kind: Symbol, Doc: "what your book and your decisions are held against where you name nothing, such as VTI", field: func(c *Config) any { return &c.Benchmark }},
		{Key: "share_amounts", Kind: Switch, Default: "true", Doc: "whether a model is told the sums and quantities of your book; false gives it weights and per cents alone", field: func(c *Config) any { return &c.ShareAmounts }},
		{Key: "skills.paths", Kind: Paths, Doc: "more folders of skills, relative to the file that names them", field: func(c *Config) any { return &c.SkillPaths }},
		{Key: "python.runtime", Kind: Choice, Default: "auto", Choices: []string{"auto", "system", "wasm"}, Doc: "where the Python steps of skills run: the system's interpreter, the sandbox, or the first that is there", field: func(c *Config) any { return &c.Python.Runtime }},
		{Key: "python.interpreter", Kind: Text, Doc: "the interpreter, a name or a path; python3 where it is not set", field: func(c *Config) any { return &c.Python.Interpreter }},
		{Key: "python.wasm_url", Kind: Server, Doc: "where the sandbox is fetched from", field: func(c *Config) any { return &c.Python.URL }},
		{Key: "python.wasm_sha256", Kind: Text, Doc: "what the fetched file must be, in hexadecimal", field: func(c *Config) any { return &c.Python.SHA256 }},
		{Key: "python.timeout", Kind: Duration, Default: "1m0s", Doc: "longest run of a script", field: func(c *Config) any { return &c.Python.Timeout }},
		{Key: "python.memory_mb", Kind: Number, Default: "512", Min: 32, Max: 65536, Doc: "most memory of a script, in MB", field: func(c *Config) any { return &c.Python.MemoryMB }},
		{Key: "timeouts.connect", Kind: Duration, Default: "10s", Project: true, Doc: "longest wait for a connection to the model", field: func(c *Config) any { return &c.Timeouts.Connect }},
		{Key: "timeouts.first_byte", Kind: Duration, Default: "1m0s", Project: true, Doc: "longest wait for an answer to begin", field: func(c *Config) any { return &c.Timeouts.FirstByte }},
		{Key: "timeouts.idle", Kind: Duration, Default: "1m30s", Project: true, Doc: "longest silence within an answer", field: func(c *Config) any { return &c.Timeouts.Idle }},
	}
}

const maxTimeout = time.Hour

// Env returns the environment variable of the setting.
func (s Setting) Env() string {
	return "NFA_" + strings.ToUpper(strings.ReplaceAll(s.Key, ".", "_"))
}

func (s Setting) maxDuration() time.Duration { return cmp.Or(s.MaxDuration, maxTimeout) }

func (s Setting) unlimitedNote() string {
	if s.ZeroIsUnlimited {
		return "; 0 is no limit"
	}
	return ""
}

// Expects describes the allowed values, for messages and for the documentation.
func (s Setting) Expects() string {
	switch s.Kind {
	case Choice:
		return "one of " + strings.Join(s.Choices, ", ")
	case Number:
		return fmt.Sprintf("a whole number from %d to %d%s", s.Min, s.Max, s.unlimitedNote())
	case Amount:
		return "an amount of US dollars, such as 0.50"
	case Duration:
		return fmt.Sprintf("a duration up to %.0fh, such as 10s or 1m30s%s", s.maxDuration().Hours(), s.unlimitedNote())
	case Currency:
		return "three letters of ISO 4217, such as EUR"
	case Symbol:
		return "the symbol of an index or a fund, such as VTI or ^GSPC; leave it out for none"
	case Email:
		return "an e-mail address, such as you@example.com"
	case Server:
		return "a URL that begins with http:// or https:// and holds no password"
	default:
		return string(s.Kind)
	}
}

// parse fills the setting's field in c from texts: one, or any number for a
// list. Without any the field becomes empty.
func (s Setting) parse(c *Config, texts []string) error {
	if s.Kind == Paths {
		for _, path := range texts {
			if path == "" || !printable(path) {
				return fmt.Errorf("%s holds an empty or unprintable path", s.Key)
			}
		}
		*s.field(c).(*[]string) = texts
		return nil
	}
	text := ""
	if len(texts) > 0 {
		text = strings.TrimSpace(texts[0])
	}
	if !s.parseText(s.field(c), text) {
		return s.valueError(text)
	}
	return nil
}

func (s Setting) parseText(field any, text string) bool {
	switch p := field.(type) {
	case *bool:
		v, err := strconv.ParseBool(text)
		*p = v
		return err == nil
	case *int:
		v, err := strconv.Atoi(text)
		*p = v
		return err == nil && v >= s.Min && v <= s.Max
	case *time.Duration:
		v, err := time.ParseDuration(text)
		*p = v
		return err == nil && (v > 0 || v == 0 && s.ZeroIsUnlimited) && v <= s.maxDuration()
	case *string:
		*p = text
		return s.valid(text)
	}
	return false
}

func (s Setting) valid(text string) bool {
	switch {
	case s.Kind == Choice:
		for _, c := range s.Choices {
			if c == text {
				return true
			}
		}
		return false
	case s.Kind == Amount && text != "":
		whole, fraction, _ := strings.Cut(text, ".")
		return isDigits(whole, maxAmountDigits) && (fraction == "" || isDigits(fraction, maxAmountDigits))
	case s.Kind == Email && text != "":
		return isAddress(text)
	case s.Kind == Currency && text != "":
		code, err := currency.ParseISO(text)
		return err == nil && code.String() == text
	case s.Kind == Symbol && text != "":
		return isSymbol(text)
	case s.Kind == Server && text != "":
		u, err := url.Parse(text)
		return err == nil && printable(text) && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == ""
	}
	return printable(text)
}

// isAddress catches mistakes, such as a name in place of an address. It does not check whether mail
// would arrive. The address goes into a header of requests.
func isAddress(text string) bool {
	name, host, ok := strings.Cut(text, "@")
	return ok && name != "" && host != "" && !strings.Contains(host, "@") &&
		!strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// isSymbol catches mistakes; the sources of data decide whether a symbol exists. It refuses None,
// because calls use that for no benchmark.
func isSymbol(text string) bool {
	const longest = 24
	alphanumeric := func(r rune) bool { return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' }
	return len(text) <= longest && !strings.EqualFold(text, "none") && strings.ContainsFunc(text, alphanumeric) &&
		!strings.ContainsFunc(text, func(r rune) bool { return !alphanumeric(r) && !strings.ContainsRune("^.-=&/", r) })
}

const maxAmountDigits = 6 // before the decimal point, and after it

func isDigits(s string, most int) bool {
	return s != "" && len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// valueError quotes the value unless it may hold a secret: a URL may hold a password.
func (s Setting) valueError(text string) error {
	if s.Secret || s.Kind == Server {
		return fmt.Errorf("%s is not valid; expected %s", s.Key, s.Expects())
	}
	return fmt.Errorf("%s is %q; expected %s", s.Key, text, s.Expects())
}

// show is the value as people read it.
func (s Setting) show(c *Config) string {
	switch p := s.field(c).(type) {
	case *string:
		switch {
		case s.Secret && *p != "":
			return "set"
		case s.Secret:
			return "unset"
		}
		return *p
	case *[]string:
		return strings.Join(*p, ", ")
	case *bool:
		return strconv.FormatBool(*p)
	case *int:
		return strconv.Itoa(*p)
	case *time.Duration:
		return p.String()
	}
	return ""
}

// printable keeps control sequences out of headers, logs and the screen.
func printable(text string) bool {
	return !strings.ContainsFunc(text, unicode.IsControl)
}

func lookupSetting(settings []Setting, key string) (Setting, bool) {
	for _, s := range settings {
		if s.Key == key {
			return s, true
		}
	}
	return Setting{}, false
}
