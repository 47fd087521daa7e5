package alert

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Schedule makes the operating system run the check, because nfa has no daemon.
type Schedule struct {
	Kind       string // systemd, launchd or cron
	Program    string // path of nfa
	UserHome   string
	DataFolder string
	Every      time.Duration
}

// ScheduleFile is a file to write, or for cron a line to add.
type ScheduleFile struct{ Path, Content string }

// cronMark ends nfa's line in a crontab.
const cronMark = "# nfa alerts"

// Files returns the files of the schedule.
func (s Schedule) Files() ([]ScheduleFile, error) {
	minutes := int(s.Every / time.Minute)
	if minutes < 1 || minutes > 24*60 || s.Every%time.Minute != 0 {
		return nil, fmt.Errorf("invalid interval %s; use whole minutes up to a day, such as 10m or 1h", s.Every)
	}
	if strings.ContainsAny(s.Program+s.DataFolder, "\"'\n\r%\\$`") {
		return nil, fmt.Errorf("a path has a character that a schedule cannot contain: %q, %q", s.Program, s.DataFolder)
	}
	line := fmt.Sprintf("%q alerts run --home %q", s.Program, s.DataFolder)
	switch s.Kind {
	case "systemd":
		dir := filepath.Join(s.UserHome, ".config", "systemd", "user")
		calendar := "*:0/" + fmt.Sprint(minutes)
		switch {
		case minutes == 24*60:
			calendar = "daily"
		case minutes%60 == 0:
			calendar = fmt.Sprintf("0/%d:00", minutes/60)
		case 60%minutes != 0:
			return nil, fmt.Errorf("systemd needs an interval that divides an hour, such as 10m, or whole hours")
		}
		return []ScheduleFile{
			{filepath.Join(dir, "nfa-alerts.service"), "[Unit]\nDescription=Check the alert rules of nfa\n\n[Service]\nType=oneshot\nExecStart=" + line + "\n"},
			{filepath.Join(dir, "nfa-alerts.timer"), "[Unit]\nDescription=Check the alert rules of nfa\n\n[Timer]\nOnCalendar=" + calendar + "\nRandomizedDelaySec=60\nPersistent=true\n\n[Install]\nWantedBy=timers.target\n"},
		}, nil
	case "launchd":
		arguments := ""
		for _, word := range []string{s.Program, "alerts", "run", "--home", s.DataFolder} {
			arguments += "    <string>" + strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(word) + "</string>\n"
		}
		return []ScheduleFile{{filepath.Join(s.UserHome, "Library", "LaunchAgents", "cli.nfa.alerts.plist"), `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>cli.nfa.alerts</string>
  <key>ProgramArguments</key>
  <array>
` + arguments + fmt.Sprintf("  </array>\n  <key>StartInterval</key><integer>%d</integer>\n</dict>\n</plist>\n", minutes*60)}}, nil
	case "cron":
		when := fmt.Sprintf("*/%d * * * *", minutes)
		switch {
		case minutes == 24*60:
			when = "0 8 * * *"
		case minutes%60 == 0:
			when = fmt.Sprintf("0 */%d * * *", minutes/60)
		case 60%minutes != 0:
			return nil, fmt.Errorf("cron needs an interval that divides an hour, such as 10m, or whole hours")
		}
		return []ScheduleFile{{"crontab", when + " " + line + " " + cronMark + "\n"}}, nil
	}
	return nil, fmt.Errorf("unknown schedule %.20q; use systemd, launchd or cron", s.Kind)
}

// Next returns the command that the user needs next.
func (s Schedule) Next(written bool) string {
	switch {
	case !written:
		return "Nothing was written. To write the files: nfa alerts install " + s.Kind + " --write"
	case s.Kind == "systemd":
		return "Start it with: systemctl --user enable --now nfa-alerts.timer\nTo run while you are logged out: loginctl enable-linger"
	case s.Kind == "launchd":
		return "Start it with: launchctl load ~/Library/LaunchAgents/cli.nfa.alerts.plist"
	}
	return "Remove it with: nfa alerts uninstall cron"
}

// WithoutCronLine returns a crontab without nfa's line.
func WithoutCronLine(crontab string) string {
	var kept strings.Builder
	for line := range strings.Lines(crontab) {
		if !strings.HasSuffix(strings.TrimSpace(line), cronMark) {
			kept.WriteString(line)
		}
	}
	if text := kept.String(); text != "" && !strings.HasSuffix(text, "\n") {
		return text + "\n"
	}
	return kept.String()
}
