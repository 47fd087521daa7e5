package skills

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/nfa-cli/nfa/internal/skill"
	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const readSkillFileName = "read_skill_file"

const readSkillFileDescription = "Reads a text file of a skill, such as references/fees.md, 16 KB at a time; continue with next_offset. Use when the skill says so, or when a file listed under resources has what you need. For SKILL.md use Skill, for other files read_file."

const readSkillFileDetails = `It cannot read files outside the skill's folder.`

const readSkillFileKeywords = "read skill file resource resources reference references attached attachment folder script template table belongs extra text supporting material document 技能 文件 参考 附件 资源 读取技能文件 模板"

var readSkillFilePhrasings = []string{
	"read the reference file of the skill",
	"open references/<file> of this skill",
	"show the template that the skill uses",
	"which table belongs to the skill",
	"读取技能的参考文件",
	"打开技能附带的 <file>",
}

type readSkillFileInput struct {
	Skill  string `json:"skill" jsonschema:"Name of the skill."`
	Path   string `json:"path" jsonschema:"As listed under resources, such as references/fees.md."`
	Offset int64  `json:"offset,omitempty" jsonschema:"Byte to start at. Default 0."`
}

type skillFile struct {
	Skill      string `json:"skill"`
	Path       string `json:"path"`
	Text       string `json:"text"`
	Offset     int64  `json:"offset"`
	NextOffset int64  `json:"next_offset,omitempty"`
	Size       int64  `json:"size"`
}

// newReadSkillFile returns the tool that reads the other files in the folder of a SKILL.md.
func newReadSkillFile(reg *skill.Registry, disabled func(skill string) bool) tool.Tool {
	return tool.New(readSkillFileName, readSkillFileDescription, tool.Reads, func(_ context.Context, in readSkillFileInput) (tool.Result, error) {
		if path.Clean(in.Path) == skill.FileName {
			// Skill enforces which skills the user hides from the model.
			return tool.Errorf("to read %s, use the tool Skill", skill.FileName)
		}
		if s, ok := reg.Lookup(in.Skill); ok && disabled != nil && disabled(s.Name) {
			return tool.Failed(codeDisabled, fmt.Sprintf("Skill '%s' is disabled by the user", s.Name)), nil
		}
		text, err := reg.ReadResource(in.Skill, in.Path, in.Offset, skill.ResourceChunk)
		if err != nil {
			return skillFileFailure(reg, disabled, in, err), nil
		}
		file := skillFile{in.Skill, text.Path, text.Text, text.Offset, text.Next, text.Size}
		return tool.Result{
			Value: file, ForUser: file.summaryLine(), Title: in.Skill + "/" + text.Path,
			Summary:  fmt.Sprintf("%d of %d bytes", len(text.Text), text.Size),
			Headline: fmt.Sprintf("%s of the skill %s has %d bytes; %d were read.", text.Path, in.Skill, text.Size, len(text.Text)), HeadlineZH: fmt.Sprintf("技能 %s 的 %s 共 %d 字节，已读取 %d 字节。", in.Skill, text.Path, text.Size, len(text.Text)),
		}, nil
	}).WithDetails(readSkillFileDetails).Find("skills", readSkillFileKeywords, readSkillFilePhrasings...)
}

// summaryLine describes the chunk that was read; its text is for the model.
func (f skillFile) summaryLine() string {
	line := fmt.Sprintf("`%s` of the skill `%s`: bytes %d to %d of %d", f.Path, f.Skill, f.Offset, f.Offset+int64(len(f.Text)), f.Size)
	if f.NextOffset > 0 {
		line += "; more available"
	}
	return line + "\n"
}

// skillFileFailure lists the existing files, because most wrong paths have the wrong folder or
// extension.
func skillFileFailure(reg *skill.Registry, disabled func(skill string) bool, in readSkillFileInput, err error) tool.Result {
	var missing *skill.NotFoundError
	if errors.As(err, &missing) {
		return skillFailure(reg, disabled, err)
	}
	code := ""
	if errors.Is(err, skill.ErrResourceNotFound) {
		code = toolkit.CodeFileNotFound
	}
	return tool.Failed(code, fmt.Sprintf("%v; %s", err, fileNames(reg, in.Skill)))
}

func fileNames(reg *skill.Registry, name string) string {
	resources, err := reg.Resources(name)
	if err != nil || len(resources.Files) == 0 {
		return "the skill has no files except SKILL.md"
	}
	var paths []string
	for _, f := range resources.Files {
		paths = append(paths, f.Path)
	}
	list := "files in the skill: " + strings.Join(paths, ", ")
	if resources.Omitted > 0 {
		list += fmt.Sprintf(" and %d more", resources.Omitted)
	}
	return list
}
