package main

import (
	"encoding/json"
	"time"
)

// staging is what a server says of what it holds back, and of its part.
type staging struct {
	Status   string
	HeldBack *struct {
		Why, State, Commit string
		Since              time.Time
		Until              *time.Time
		New                int `json:"new_publications"`
		Lost               int `json:"lost_publications"`
	} `json:"held_back"`
	Rollout *struct {
		Role    string
		Content string
		Delay   int `json:"delay_seconds"`
		Canary  *struct {
			State, Address string
			LastError      string `json:"last_error"`
		}
	}
	Remote *struct{ State string }
}

func (s *running) staging() (all staging) {
	s.Helper()
	if err := json.Unmarshal(s.mustGet("/api/v1/health", "*/*").body, &all); err != nil {
		s.Fatal(err)
	}
	return all
}

// heldHeader is what an answer says of what is held back.
func (s *running) heldHeader() string {
	s.Helper()
	return s.mustGet("/api/v1/guidelines/"+common, "application/json").header.Get("X-Held-Back")
}

// waits reports whether a server holds something back for a reason.
func (s *running) waits(why string) bool {
	s.Helper()
	h := s.staging().HeldBack
	return h != nil && h.Why == why
}
