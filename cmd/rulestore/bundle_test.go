package main

// get1 is an answer without the time it was given: its snapshot, headers and body.
func (s *running) get1(path string) string {
	s.Helper()
	r := s.mustGet(path, "application/json")
	return r.header.Get("X-Snapshot") + r.header.Get("Etag") + string(fetchedAt.ReplaceAll(r.body, nil))
}
