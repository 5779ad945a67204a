package mcpserver

import "rulestore/server/clients"

// LimitStreams sets how many streams may be open, before any is.
func (s *Server) LimitStreams(n int) { s.streams.table = clients.NewTable(n) }

// LimitSessions sets how many sessions there may be, before any is.
func (s *Server) LimitSessions(n int) { s.sessions.table = clients.NewTable(n) }
