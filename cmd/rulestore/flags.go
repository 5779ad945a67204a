package main

import (
	"github.com/spf13/pflag"
)

// repoFlag adds the flag for the repository of an author.
func repoFlag(flags *pflag.FlagSet, repo *string) {
	flags.StringVar(
		repo, "repo", ".", "the repository, or the folder of it with the content; any folder in that will do",
	)
}

// checkFormat refuses a form of output that is neither for people nor for programs.
func checkFormat(format string) error {
	if format != "text" && format != "json" {
		return usageErrorf("--format %q: choose text or json", format)
	}
	return nil
}
