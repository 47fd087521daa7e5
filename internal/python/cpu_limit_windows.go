package python

import "time"

// limitProcessorTime does nothing: Windows knows such a limit for jobs only.
func limitProcessorTime(time.Duration) {}
