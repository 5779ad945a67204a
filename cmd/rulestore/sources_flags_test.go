package main

import (
	"fmt"
	"io"
	"strings"
	"testing"
)

func TestFlagsOfSeveralRepositories(t *testing.T) {
	for i, test := range []struct{ args, want string }{
		{"--repo a --repo b", "each but the first has a name"},
		{"--repo a --repo B=b", "each but the first has a name"},
		{"--repo a --repo ./x=b", "each but the first has a name"},
		{"--repo a --repo base=b", "two repositories are called base"},
		{"--repo a --repo b=", "nothing after the name"},
		{"--repo a --repo b=b --drafts=c", "no repository is called c"},
		{"--repo a --drafts=b", "no repository is called b"},
		{"--repo a --repo b=b --drafts=B", `invalid argument "B"`},
		{"--repo a --repo b=b --drafts=b --policy b=p", "--policy is for what a repository has published"},
		{"--repo a" + strings.Repeat(" --repo b=b", 16), "at most 16"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			args := append([]string{"check"}, strings.Fields(test.args)...)
			err := run(t.Context(), args, func(string) string { return "" }, nil, io.Discard, io.Discard)
			if err == nil || exitCode(err) != exitUsage || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v", test.args, err)
			}
		})
	}
}
