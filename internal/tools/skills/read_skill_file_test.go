package skills

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadSkillFile_GoesOnFromTheOffsetGiven(t *testing.T) {
	_, reg := skillsFolder(t)
	var text strings.Builder
	offset := 0.0
	for range 3 {
		res, got := callSkill(t, reg, "read_skill_file", fmt.Sprintf(`{"skill":"trend","path":"references/fees.md","offset":%.0f}`, offset))
		if res.IsError || got["size"] != 20000.0 || got["offset"] != offset || res.Title != "trend/references/fees.md" {
			t.Fatalf("from %.0f = %v, title %q", offset, got["error"], res.Title)
		}
		text.WriteString(got["text"].(string))
		next, more := got["next_offset"].(float64)
		if more != strings.Contains(res.UserText(), "more available") {
			t.Errorf("people are told %q, next_offset %v", res.UserText(), got["next_offset"])
		}
		if !more {
			break
		}
		offset = next
	}
	if text.String() != strings.Repeat("fee \n", 4000) {
		t.Errorf("the pieces make %d bytes, want the file's 20000", text.Len())
	}
}

func TestReadSkillFile_RefusesWhatLiesOutsideAndNamesTheFiles(t *testing.T) {
	_, reg := skillsFolder(t)
	for path, code := range map[string]string{
		"../secret.txt": "", "/etc/passwd": "", "references": "", "": "", "fees.md": "file_not_found",
	} {
		res, got := callSkill(t, reg, "read_skill_file", fmt.Sprintf(`{"skill":"trend","path":%q}`, path))
		message, _ := got["error"].(string)
		if !res.IsError || res.Code != code || !strings.Contains(message, "files in the skill: references/fees.md") {
			t.Errorf("%q = %v (code %q), want a refusal that names the files", path, got, res.Code)
		}
	}
}

func TestReadSkillFile_WithoutSuchASkillOrSuchFiles(t *testing.T) {
	_, reg := skillsFolder(t)
	if _, got := callSkill(t, reg, "read_skill_file", `{"skill":"trent","path":"x"}`); got["error"] != "Skill 'trent' not found" || len(got["did_you_mean"].([]any)) != 1 {
		t.Errorf("unknown skill = %v, want the answer Skill gives", got)
	}
	if _, got := callSkill(t, reg, "read_skill_file", `{"skill":"long","path":"x"}`); !strings.Contains(got["error"].(string), "has no files except SKILL.md") {
		t.Errorf("skill without files = %v, want it said", got)
	}
}

func TestReadSkillFile_IsNoWayAroundTheSkillTool(t *testing.T) {
	dir, reg := skillsFolder(t)
	if err := os.WriteFile(filepath.Join(dir, "mine", ".env"), []byte("TOKEN=abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"SKILL.md", "./SKILL.md", ".env", "x/../.env"} {
		if res, got := callSkill(t, reg, "read_skill_file", fmt.Sprintf(`{"skill":"mine","path":%q}`, path)); !res.IsError {
			t.Errorf("%s = %v, want an error", path, got)
		}
	}
}
