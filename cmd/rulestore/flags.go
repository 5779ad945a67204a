package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"rulestore/loader/git"
)

// pathFlag is a flag that names a file, a folder or a repository. [env.resolve] makes it absolute.
type pathFlag string

func pathVar(flags *pflag.FlagSet, to *string, name, value, usage string) {
	*to = value
	flags.Var((*pathFlag)(to), name, usage)
}

// String implements pflag.Value.
func (p *pathFlag) String() string { return string(*p) }

// Type implements pflag.Value.
func (p *pathFlag) Type() string { return "string" }

// Set implements pflag.Value.
func (p *pathFlag) Set(name string) error {
	*p = pathFlag(name)
	return nil
}

// resolve makes the flags that are paths absolute.
func (e *env) resolve(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if p, ok := f.Value.(*pathFlag); ok {
			*p = pathFlag(e.path(string(*p)))
		}
	})
}

// path returns the absolute path of what the user names, whose relative paths begin from the folder of
// the command. What is no path stays: an address, or - for a standard stream.
func (e *env) path(name string) string {
	if name == "" || name == "-" || git.IsAddress(name) {
		return name
	}
	if filepath.VolumeName(name) != "" || os.IsPathSeparator(name[0]) { // on Windows, not all of these are absolute
		return name
	}
	return e.prefix() + name
}

// prefix is what makes a relative path absolute. No other path has a /./ after the folder, so that an
// [output] can leave it out: people read names as they wrote them.
func (e *env) prefix() string {
	if e.dir == "" {
		return ""
	}
	return strings.TrimSuffix(e.dir, "/") + "/./"
}

// repoFlag adds the flag for the repository of an author.
func repoFlag(flags *pflag.FlagSet, repo *string) {
	pathVar(
		flags, repo, "repo", ".", "the repository, or the folder of it with the content; any folder in that will do",
	)
}

// checkFormat refuses a form of output that is neither for people nor for programs.
func checkFormat(format string) error {
	if format != "text" && format != "json" {
		return usageErrorf("--format %q: choose text or json", format)
	}
	return nil
}
