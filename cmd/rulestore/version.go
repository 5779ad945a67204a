package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/spf13/cobra"
)

// release is the version of the program.
const release = "0.1.0"

// program is the build of the program.
type program struct {
	Version  string `json:"version"`            // the release, with the commit where it is known
	Release  string `json:"release"`            // the version that people call it by
	Commit   string `json:"commit,omitempty"`   // that it was made from
	Time     string `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // the sources were not those of the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	// serve would serve the starter content here, since no variable names a repository
	Starter bool `json:"starter,omitempty"`
}

// thisProgram reads the build information of the Go command.
func thisProgram() program {
	p := program{Release: release, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				p.Commit = s.Value
			case "vcs.time":
				p.Time = s.Value
			case "vcs.modified":
				p.Modified = s.Value == "true"
			}
		}
	}
	switch {
	case len(p.Commit) < 12:
		p.Version = release + "+unstamped." + ownHash()
	case p.Modified:
		p.Version = release + "+" + p.Commit[:12] + ".dirty." + ownHash()
	default:
		p.Version = release + "+" + p.Commit[:12]
	}
	return p
}

// build names this build: the release and the commit or, if that does not identify the sources,
// the hash of the program.
var build = sync.OnceValue(func() string { return thisProgram().Version })

// ownHash distinguishes this program from others, also from builds of the same version: the beginning of the hash of
// its bytes.
func ownHash() string {
	path, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	program, err := os.Open(path)
	if err != nil {
		return "unknown"
	}
	defer program.Close()
	h := sha256.New()
	if _, err := io.Copy(h, program); err != nil {
		return "unknown"
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

func newVersion(e *env) *cobra.Command {
	var asJSON bool
	c := newCommand("version", 0, 0, func(context.Context, []string) error {
		p := thisProgram()
		p.Starter = e.getenv(variable("repo")) == ""
		if asJSON {
			return writeJSON(e.stdout, p)
		}
		_, err := fmt.Fprintf(e.stdout, "rulestore %s %s %s/%s\n", p.Version, p.Go, p.OS, p.Arch)
		return err
	})
	c.Flags().BoolVar(&asJSON, "json", false, "")
	return c
}
