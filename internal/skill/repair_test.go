package skill_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/frontmatter"
	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/skill/skilltest"
)

func TestK25_RepairMendsWhatItCanAndSaysSo(t *testing.T) {
	for _, tc := range []struct{ name, dir, content, want, said string }{
		{
			"no fence but a title and a description", "dcf-model",
			"# DCF Model\n\ndescription: Values a company: cash flows first\n\n## Steps\n$1,000\n",
			"---\nname: dcf-model\ndescription: 'Values a company: cash flows first'\ndisplay_name: DCF Model\n---\n\n# DCF Model\n\ndescription: Values a company: cash flows first\n\n## Steps\n$1,000\n",
			"added front matter",
		},
		{
			"no fence and no directory", "",
			"\ufeff# Stock Screener (v2) #\r\n**Description:** Screens stocks\r\n",
			"---\r\nname: stock-screener-v2\r\ndescription: Screens stocks\r\ndisplay_name: Stock Screener (v2)\r\n---\r\n\r\n# Stock Screener (v2) #\r\n**Description:** Screens stocks\r\n",
			"named it stock-screener-v2, from its title",
		},
		{
			"only the opening fence missing", "ab",
			"\ufeffname: ab\r\ndescription: d\r\n---\r\n# Body\r\n",
			"---\r\nname: ab\r\ndescription: d\r\n---\r\n# Body\r\n", "added the opening --- of the front matter",
		},
		{
			"missing name", "get-price", "---\ndescription: d\n---\nBody",
			"---\nname: get-price\ndescription: d\n---\nBody", "named it get-price, from its directory",
		},
		{
			"empty name", "get-price", "---\nname:\ndescription: d\n---\nBody",
			"---\nname: get-price\ndescription: d\n---\nBody", "from its directory",
		},
		{
			"unquoted colon", "ab", "---\nname: ab\ndescription: Use when: asked\n  for prices\n---\n\nBody: $AAPL\n",
			"---\nname: ab\ndescription: \"Use when: asked for prices\"\n---\n\nBody: $AAPL\n", "the value of description needs quotes in YAML: quoted it",
		},
		{
			"CRLF stays", "ab", "---\r\nname: ab\r\ndescription: Use when: asked\r\n---\r\nBody\r\n",
			"---\r\nname: ab\r\ndescription: \"Use when: asked\"\r\n---\r\nBody\r\n", "quoted it",
		},
		{
			"a title for a name", "x", "---\nname: Stock Analysis\ndescription: d\n---\n",
			"---\nname: stock-analysis\ndescription: d\ndisplay_name: Stock Analysis\n---\n", `kept "Stock Analysis" as the display name`,
		},
		{
			"text before the fence", "x", "\ufeff\n\n---\nname: ab\ndescription: d\n---\n",
			"---\nname: ab\ndescription: d\n---\n", "removed text before",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			fixed, changes, err := skill.Repair([]byte(tc.content), tc.dir)
			if err != nil {
				t.Fatalf("Repair() = %v", err)
			}
			if diff := cmp.Diff(tc.want, string(fixed)); diff != "" {
				t.Errorf("fixed (-want +got):\n%s", diff)
			}
			if said := strings.Join(changes, "\n"); !strings.Contains(said, tc.said) {
				t.Errorf("changes = %q, want %q among them", said, tc.said)
			}
			if problems := skill.ValidateContent(fixed, ""); len(problems) > 0 {
				t.Errorf("the repaired skill has problems: %v", problems)
			}
			again, more, err := skill.Repair(fixed, tc.dir)
			if err != nil || len(more) > 0 || !bytes.Equal(again, fixed) {
				t.Errorf("repairing again = %q, %v, want nothing to do", more, err)
			}
		})
	}
}

func TestK25_RepairLeavesAloneWhatIsRightOrMustBeInvented(t *testing.T) {
	for name, content := range map[string]string{
		"valid":                        skilltest.SkillFile("ab"),
		"odd but loadable YAML":        "---\n\"name\":   'ab'   # why\ndescription: >-\n  folded\n\n  text\nx: {a: [1]}\n---\n---\n",
		"a description over its limit": "---\nname: ab\ndescription: " + strings.Repeat("x", 1100) + "\n---\n",
		"a name no letters come of":    "---\nname: \"???\"\ndescription: d\n---\n",
	} {
		t.Run(name, func(t *testing.T) {
			fixed, changes, err := skill.Repair([]byte(content), "dir")
			if err != nil || len(changes) > 0 || string(fixed) != content {
				t.Errorf("Repair() = %q, %q, %v, want the content as it was", fixed, changes, err)
			}
		})
	}
}

func TestK25_RepairRefusesWhatItCannotMend(t *testing.T) {
	for name, tc := range map[string]struct {
		content string
		want    error
	}{
		"raw JSON":                  {`{"name": "ab", "description": "d"}`, frontmatter.ErrMissing},
		"a title alone":             {"# Title\n\nText\n", frontmatter.ErrMissing},
		"a description in code":     {"# Title\n```\ndescription: x\n```\n", frontmatter.ErrMissing},
		"a fence never closed":      {"---\nname: ab\ndescription: d\n# Title\n", frontmatter.ErrMissing},
		"no description":            {"---\nname: ab\n---\nText\n", skill.ErrMissingDescription},
		"no name anywhere":          {"---\ndescription: d\n---\nText\n", skill.ErrMissingName},
		"YAML beyond the known ill": {"---\nname: ab\ndescription: \"d\n---\n", frontmatter.ErrMalformed},
		"an alias":                  {"---\nname: &a ab\ndescription: *a\n---\n", frontmatter.ErrAliases},
		"not UTF-8":                 {"---\nname: \xff\n---\n", skill.ErrNotUTF8},
		"too large":                 {strings.Repeat("x", skill.MaxSize+1), skill.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if fixed, _, err := skill.Repair([]byte(tc.content), "?"); !errors.Is(err, tc.want) || fixed != nil {
				t.Errorf("Repair() = %q, %v, want %v", fixed, err, tc.want)
			}
		})
	}
}

func TestK25_FixRepairsInPlaceAndNamesTheFile(t *testing.T) {
	dir := skilltest.Files{"get-price/skills.md": "---\ndescription: d\n---\n"}.Write(t)
	old := filepath.Join(dir, "get-price", "skills.md")
	if err := os.Chmod(old, 0o640); err != nil {
		t.Fatal(err)
	}
	file, changes, err := skill.FixFile(filepath.Join(dir, "get-price"))
	if err != nil || len(changes) != 2 {
		t.Fatalf("Fix() = %q, %v, want two changes", changes, err)
	}
	content, err := os.ReadFile(file)
	if err != nil || filepath.Base(file) != "SKILL.md" || string(content) != "---\nname: get-price\ndescription: d\n---\n" {
		t.Errorf("%s = %q, %v, want the repaired SKILL.md", file, content, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its permissions = %v, %v, want those it had", info.Mode(), err)
	}
	if items, _ := os.ReadDir(filepath.Join(dir, "get-price")); len(items) != 1 {
		t.Errorf("%d files, want the SKILL.md alone", len(items))
	}
	if _, changes, err := skill.FixFile(file); err != nil || len(changes) > 0 {
		t.Errorf("Fix() again = %q, %v, want nothing to do", changes, err)
	}
}

func TestK25_FixNeverWritesOverAnotherSkillFile(t *testing.T) {
	dir := skilltest.Files{"ab/SKILL.md": skilltest.SkillFile("ab"), "ab/skills.md": "---\ndescription: d\n---\n"}.Write(t)
	if _, _, err := skill.FixFile(filepath.Join(dir, "ab", "skills.md")); !errors.Is(err, os.ErrExist) {
		t.Errorf("Fix(skills.md) beside a SKILL.md = %v, want ErrExist", err)
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "ab", "SKILL.md")); string(content) != skilltest.SkillFile("ab") {
		t.Errorf("SKILL.md = %q, want it untouched", content)
	}
}

func TestK25_FixWritesThroughALink(t *testing.T) {
	dir := skilltest.Files{"kept/file.md": "---\ndescription: d\n---\n"}.Write(t)
	if err := os.Mkdir(filepath.Join(dir, "ab"), 0o755); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "ab", "SKILL.md")
	skilltest.Link(t, filepath.Join(dir, "kept", "file.md"), at)
	if _, _, err := skill.FixFile(at); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(at); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("SKILL.md is %v, %v, want the link it was", info.Mode(), err)
	}
	if content, _ := os.ReadFile(filepath.Join(dir, "kept", "file.md")); !strings.Contains(string(content), "name: ab") {
		t.Errorf("the file = %q, want it repaired", content)
	}
}

func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		skilltest.SkillFile("a-b"), "# Title\ndescription: x: y\n", "\ufeff\n---\r\nName: A B\r\ndescription: a: b\r\n---\r\nx", "---\nname:\nx: |\n  ---\ndescription: d\n---",
		"---\ndescription: [a] [b]\n---\n# T", "---\n\"name\": 'A'\ndescription: d\n---\n", "---\nname: |\n  A\n\n  B\ndescription: d\n---\n", "---\nNAME: X\nName: Y\n---\ndescription: z",
	} {
		f.Add([]byte(seed), "dir-name")
	}
	f.Fuzz(func(t *testing.T, content []byte, dir string) {
		fixed, changes, err := skill.Repair(content, dir)
		if err != nil {
			return
		}
		if len(changes) == 0 {
			if !bytes.Equal(fixed, content) {
				t.Errorf("Repair() changed %q to %q and said nothing", content, fixed)
			}
			return
		}
		_, body, err := skill.Parse(fixed)
		if err != nil {
			t.Fatalf("Repair(%q) = %q, which does not load: %v", content, fixed, err)
		}
		if !bytes.HasSuffix(content, []byte(strings.TrimLeft(body, "\r\n"))) {
			t.Errorf("Repair(%q) changed the body to %q", content, body)
		}
		again, more, err := skill.Repair(fixed, dir)
		if err != nil || len(more) > 0 || !bytes.Equal(again, fixed) {
			t.Errorf("repairing %q again = %q, %q, %v", fixed, again, more, err)
		}
	})
}
