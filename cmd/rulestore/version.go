package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// release is the version of the program.
const release = "0.1.0"

// program says which build of the program this is.
type program struct {
	Version  string `json:"version"`            // the release, with the commit where it is known
	Release  string `json:"release"`            // the version that people call it by
	Commit   string `json:"commit,omitempty"`   // that it was made from
	Time     string `json:"time,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // the sources were not those of the commit
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// thisProgram reads what the Go command noted down.
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
	p.Version = release
	if len(p.Commit) >= 12 {
		p.Version += "+" + p.Commit[:12]
		if p.Modified {
			p.Version += ".dirty"
		}
	}
	return p
}

// build names this build: the release, and the commit it was made from if the
// Go command knew it.
func build() string { return thisProgram().Version }

func newVersion(e *env) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			p := thisProgram()
			if asJSON {
				out := json.NewEncoder(e.stdout)
				out.SetIndent("", "  ")
				return out.Encode(p)
			}
			_, err := fmt.Fprintf(e.stdout, "rulestore %s %s %s/%s\n", p.Version, p.Go, p.OS, p.Arch)
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print it as JSON, with the commit and its time")
	return c
}
