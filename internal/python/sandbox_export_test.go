package python

import "time"

// SetStallTimeout shortens how long a server may send nothing.
func (s *SandboxStore) SetStallTimeout(d time.Duration) { s.stallTimeout = d }

// URL is where the file comes from.
func (s *SandboxStore) URL() string { return s.dist.URL }
