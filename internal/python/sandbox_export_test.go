package python

import "time"

// SetStallTimeout sets how long a server may send nothing.
func (s *SandboxStore) SetStallTimeout(d time.Duration) { s.stallTimeout = d }

// URL returns the URL of the file.
func (s *SandboxStore) URL() string { return s.dist.URL }
