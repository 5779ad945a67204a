package mcpserver

import "rulestore/server/clients"

// LimitStreams sets how many streams may be open, before any is.
func (s *Server) LimitStreams(n int) { s.streams.table = clients.NewTable(n) }
