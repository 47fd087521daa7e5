package python

import (
	"os"
	"time"
)

// outOfProcessorTime always returns false, because Windows has such a limit only for jobs.
func outOfProcessorTime(*os.ProcessState) bool { return false }

func interpreterNames() []string { return []string{"python3", "python"} }

// limitProcessorTime does nothing, because Windows has such a limit only for jobs.
func limitProcessorTime(time.Duration) {}
