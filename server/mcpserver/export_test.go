package mcpserver

// LimitStreams sets how many streams may be open, before any is.
func (s *Server) LimitStreams(n int) { s.streams.limit = int64(n) }

// LimitSessions sets how many sessions there may be, before any is.
func (s *Server) LimitSessions(n int) { s.sessions.limit = n }
