package mcpserver

// LimitStreams sets how many streams may be open, before any is.
func (s *Server) LimitStreams(n int) { s.limit.Store(int64(n)) }
