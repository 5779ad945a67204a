package main

import (
	"strings"
	"testing"
)

// A wrong command line is answered with what is wrong and with the nearest one that is right.
func TestWrongCommandLines(t *testing.T) {
	for _, c := range []struct{ line, english, russian string }{
		{
			"serve my-rules", "rulestore serve takes no \"my-rules\": a repository is named with --repo, " +
				"`rulestore serve --repo \"my-rules\"`", "`rulestore serve --repo \"my-rules\"`",
		},
		{"version 2", `rulestore version takes no "2": leave it out`, `rulestore version takes no "2": leave it out`},
		{
			"new", "arguments: received 0, expected rulestore new KIND ID, for example `rulestore new guideline " +
				"product.cards.001`", "например `rulestore new guideline product.cards.001`",
		},
		{
			"new product.cards.001", "arguments: received 1, expected rulestore new KIND ID, for example",
			"аргументов указано 1, а нужно rulestore new",
		},
		{
			"init", "arguments: received 0, expected rulestore init DIR, for example `rulestore init .`",
			"аргументов указано 0, а нужно rulestore init ПАПКА, например `rulestore init .`",
		},
		{
			"diff", "arguments: received 0, expected rulestore diff ITEM [VERSION] [VERSION]",
			"аргументов указано 0, а нужно rulestore diff",
		},
		{"status --formt json", "unknown flag: --formt: did you mean --format?", "нет флага --formt: возможно, --format?"},
		{"status -repo x", "unknown flag: -repo: did you mean --repo?", "нет флага -repo: возможно, --repo?"},
		{"publish --dry", "unknown flag: --dry: did you mean --dry-run?", "нет флага --dry: возможно, --dry-run?"},
		{"status -x", "unknown flag: -x\n", "нет флага -x\n"},
		{"serve --nonsense", "unknown flag: --nonsense\n", "unknown flag: --nonsense\n"},
	} {
		t.Run(c.line, func(t *testing.T) {
			for locale, want := range map[string]string{"C": c.english, "ru_RU": c.russian} {
				stdout, stderr, err := ran(t, map[string]string{"LC_ALL": locale}, strings.Fields(c.line)...)
				if exitCode(err) != exitUsage || !strings.Contains(stderr, want) || stdout != "" {
					t.Errorf("%v\n%s%s\nexpected %s", err, stdout, stderr, want)
				}
			}
		})
	}
}
