package files_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nfa-cli/nfa/internal/tool"
	"github.com/nfa-cli/nfa/internal/tools/toolstest"
)

func TestCurrentTime_TellsTheTimeOfTheZone(t *testing.T) {
	if _, err := time.LoadLocation("Europe/London"); err != nil {
		t.Skip("this system has no time zone data")
	}
	utc := "2026-11-20T10:30:00Z"
	tests := []struct {
		name, zone string
		want       map[string]any
	}{
		{"the clock's own", "", map[string]any{"time": utc, "date": "2026-11-20", "weekday": "Friday", "timezone": "UTC", "utc": utc}},
		{"an IANA name", "America/New_York", map[string]any{"time": "2026-11-20T05:30:00-05:00", "date": "2026-11-20", "weekday": "Friday", "timezone": "America/New_York", "utc": utc}},
		{"another day", "Pacific/Kiritimati", map[string]any{"time": "2026-11-21T00:30:00+14:00", "date": "2026-11-21", "weekday": "Saturday", "timezone": "Pacific/Kiritimati", "utc": utc}},
		{"any case, spaces", " america/new york ", map[string]any{"time": "2026-11-20T05:30:00-05:00", "date": "2026-11-20", "weekday": "Friday", "timezone": "America/New_York", "utc": utc}},
		{"utc", "utc", map[string]any{"time": utc, "date": "2026-11-20", "weekday": "Friday", "timezone": "UTC", "utc": utc}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, got := group.CallOK(t, newDeps(t), "current_time", args{"timezone": tt.zone})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("time (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCurrentTime_UnknownZoneNamesTheForm(t *testing.T) {
	for _, zone := range []string{"PST8", "Berlin", "../../etc/passwd", "local"} {
		if res := group.Call(t, newDeps(t), "current_time", args{"timezone": zone}); res.Code != tool.CodeValidation {
			t.Errorf("current_time in %q = %s, want an error", zone, res.ModelText())
		}
	}
}

func TestCurrentTime_LocalZoneHasAName(t *testing.T) {
	d := newDeps(t)
	at := toolstest.Clock(t, toolstest.Now)().In(time.Local)
	d.Now = func() time.Time { return at }
	_, got := group.CallOK(t, d, "current_time", nil)
	if got["timezone"] == "Local" || got["timezone"] == "" {
		t.Errorf("timezone = %q, want what a reader knows", got["timezone"])
	}
}
