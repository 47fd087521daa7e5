package files

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolkit"
)

const systemInfoDescription = `Operating system, architecture, processors, memory in bytes, terminal, and the versions of nfa and Go. Use for a bug report or "what system is this"; for disk space use storage_usage. Never reports user names, host names, addresses or paths.`

const systemInfoDetails = `Memory is total, and available if the system reports it. processors is the number that nfa may use. A missing value is unknown.`

const systemInfoKeywords = "system info operating os version nfa go linux mac windows memory ram cpu processor cores terminal computer machine architecture bug report hardware environment 系统 信息 版本 内存 处理器 操作系统 终端 电脑配置"

var systemInfoPhrasings = []string{
	"what system is this",
	"which version of nfa is running",
	"details for a bug report",
	"how much memory does this computer have",
	"which terminal am I using",
	"这是什么系统",
	"nfa 是哪个版本",
	"电脑有多少内存",
}

type systemInfoResult struct {
	OS              string       `json:"os"`
	Arch            string       `json:"arch"`
	Version         string       `json:"nfa_version"`
	Go              string       `json:"go_version"`
	CPUs            int          `json:"cpus"`
	MemoryTotal     uint64       `json:"memory_total_bytes,omitempty"`
	MemoryAvailable uint64       `json:"memory_available_bytes,omitempty"`
	Terminal        terminalInfo `json:"terminal"`
	AsOf            string       `json:"as_of"`
}

type terminalInfo struct {
	Interactive bool   `json:"interactive"`
	Type        string `json:"type,omitempty"`
	Program     string `json:"program,omitempty"`
	Columns     int    `json:"columns,omitempty"`
	Rows        int    `json:"rows,omitempty"`
}

// newSystemInfo returns the tool that describes the computer without identifying anyone.
func newSystemInfo(inspect MachineInspector, now func() time.Time) tool.Tool {
	return tool.New("system_info", systemInfoDescription, tool.Reads, func(context.Context, struct{}) (tool.Result, error) {
		at := now()
		info := newSystemInfoResult(inspect(), at)
		return tool.Result{
			Value: info, ForUser: toolkit.MarkdownTable([]string{"what", "value"}, info.rows()), Figures: info.figures(at),
			Title: "this system", Summary: fmt.Sprintf("%s/%s · nfa %s", info.OS, info.Arch, info.Version),
			Headline: fmt.Sprintf("nfa %s runs on %s/%s.", info.Version, info.OS, info.Arch), HeadlineZH: fmt.Sprintf("nfa %s 运行于 %s/%s。", info.Version, info.OS, info.Arch),
		}, nil
	}).WithDetails(systemInfoDetails).Find("web", systemInfoKeywords, systemInfoPhrasings...)
}

func newSystemInfoResult(f MachineFacts, at time.Time) systemInfoResult {
	return systemInfoResult{
		OS: f.OS, Arch: f.Arch, Version: f.Program, Go: f.Go, CPUs: f.CPUs,
		MemoryTotal: f.Memory.Total, MemoryAvailable: f.Memory.Available,
		Terminal: terminalInfo(f.Terminal), AsOf: at.Format(time.RFC3339),
	}
}

func (s systemInfoResult) rows() [][]string {
	known := func(n uint64) string {
		if n == 0 {
			return "not reported"
		}
		return fmt.Sprintf("%s (%d bytes)", toolkit.FormatBytes(n), n)
	}
	screen := "none"
	if s.Terminal.Interactive {
		screen = fmt.Sprintf("%s, %d columns, %d rows", s.Terminal.Type, s.Terminal.Columns, s.Terminal.Rows)
	}
	return [][]string{
		{"operating system", s.OS}, {"architecture", s.Arch}, {"nfa", s.Version}, {"Go", s.Go}, {"processors", strconv.Itoa(s.CPUs)},
		{"memory", known(s.MemoryTotal)}, {"memory available", known(s.MemoryAvailable)}, {"terminal", screen}, {"as of", s.AsOf},
	}
}

func (s systemInfoResult) figures(at time.Time) []tool.Figure {
	var out []tool.Figure
	for _, f := range []struct {
		id, label, unit string
		value           uint64
	}{
		{"cpus", "processors", "processors", uint64(s.CPUs)},
		{"memory_total_bytes", "memory", "bytes", s.MemoryTotal},
		{"memory_available_bytes", "available memory", "bytes", s.MemoryAvailable},
		{"terminal_columns", "terminal columns", "columns", uint64(s.Terminal.Columns)},
		{"terminal_rows", "terminal rows", "rows", uint64(s.Terminal.Rows)},
	} {
		if f.value == 0 {
			continue // unknown
		}
		out = append(out, sizeFigures(f.id, f.label, f.unit, f.value, at)...)
	}
	return out
}

// sizeFigures returns a number of this computer. For bytes it also returns larger units, so that an
// answer may quote either.
func sizeFigures(id, label, unit string, value uint64, at time.Time) []tool.Figure {
	exact := decimal.NewFromUint64(value)
	out := []tool.Figure{{ID: id, Label: label, Value: exact, Unit: unit, AsOf: at, Source: "this computer"}}
	if unit != "bytes" {
		return out
	}
	for _, scale := range []struct {
		name string
		size uint64
	}{{"MiB", 1 << 20}, {"GiB", 1 << 30}} {
		if value >= scale.size {
			out = append(out, tool.Figure{
				ID: id + "." + scale.name, Label: label, Value: exact.DivRound(decimal.NewFromUint64(scale.size), 6), Unit: scale.name,
				AsOf: at, Source: "this computer", Formula: fmt.Sprintf("bytes / %d", scale.size), Inputs: []string{exact.String() + " bytes"},
			})
		}
	}
	return out
}
