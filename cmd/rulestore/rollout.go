package main

import (
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"rulestore/cmd/rulestore/internal/canary"
	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/loader/gitrepo"
	"rulestore/server"
)

// rolloutFlags are the flags for the role of a server in a staged rollout.
type rolloutFlags struct {
	delay  time.Duration
	canary bool
	behind string
}

func (f *rolloutFlags) register(flags *pflag.FlagSet) {
	flags.DurationVar(
		&f.delay, "delay", 0,
		"how long what is new in a repository elsewhere waits before it is served, over restarts too; 0: it does "+
			"not. With --behind it counts from when the canary serves it",
	)
	flags.BoolVar(
		&f.canary, "canary", false,
		"say that this server serves what is new at once, for others that wait for that with --behind",
	)
	flags.StringVar(
		&f.behind, "behind", "",
		"the address of a server with --canary: what waits by --delay is served only while that one answers, serves "+
			"it and holds nothing back",
	)
}

// check validates the flags without access to the machine.
func (f rolloutFlags) check(served serveFlags) error {
	switch {
	case f.delay < 0:
		return usageErrorf("--delay %s is negative", f.delay)
	case f.delay > 0 && f.canary:
		return usageErrorf("--canary serves what is new at once, and --delay has it wait: give one of them")
	case f.behind != "" && f.delay == 0:
		return usageErrorf("--behind needs --delay: how long the canary has to have served what is new")
	case f.delay > 0 && !gitrepo.IsAddress(served.repo):
		return usageErrorf(
			"--delay is for a --repo elsewhere, of which there is a copy to go on with; of one on this machine a " +
				"file:// address makes one",
		)
	case f.delay > 0 && served.drafts:
		return usageErrorf("--delay and --drafts: what is drafted is served as it is typed")
	}
	if f.behind == "" {
		return nil
	}
	if _, err := canary.Parse(f.behind); err != nil {
		return usageErrorf("--behind: %w", err)
	}
	return nil
}

// guardDelay is the delay of new content.
func (f rolloutFlags) guardDelay() guard.Delay {
	return guard.Delay{For: f.delay, Behind: f.behind != ""}
}

// openCanary returns the canary to wait for; nil if there is none. It reports the state of each of
// several repositories.
func (f rolloutFlags) openCanary(source string, poll time.Duration, log *slog.Logger) *canary.Canary {
	if f.behind == "" {
		return nil
	}
	address, _ := canary.Parse(f.behind) // it was checked
	return canary.New(address, source, poll, log)
}

// role is the role of the server in its own words.
func (f rolloutFlags) role() server.Rollout {
	switch {
	case f.canary:
		return server.Rollout{Role: server.RoleCanary}
	case f.delay > 0:
		return server.Rollout{Role: server.RoleDelayed, Delay: f.delay}
	}
	return server.Rollout{}
}
