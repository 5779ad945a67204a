package gitcmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/gitcmd"
)

// The user's helpers are asked as git asks them, and told how it went.
func TestCredentials(t *testing.T) {
	home := t.TempDir()
	helper, told := filepath.Join(home, "helper"), filepath.Join(home, "told")
	script := "#!/bin/sh\necho \"$1\" >>" + told + "\ncat >>" + told +
		"\n[ \"$1\" = get ] && printf 'username=anna\\npassword=s3cret=\\n'\nexit 0\n"
	if err := os.WriteFile(helper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(home, "gitconfig")
	if err := os.WriteFile(config, []byte("[credential \"https://example.org\"]\n\thelper = "+helper+
		"\n\tuseHttpPath = true\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", config)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	var c gitcmd.Credentials
	if user, password := c.Fill(t.Context(), "https://example.org/rules.git"); user != "anna" || password != "s3cret=" {
		t.Errorf("%q, %q", user, password)
	}
	c.Judge(t.Context(), "https://example.org/rules.git", "anna", "right", true)
	c.Judge(t.Context(), "https://example.org/rules.git", "anna", "wrong", false)
	raw, err := os.ReadFile(told)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(raw)
	for _, part := range []string{"get\n", "path=rules.git", "store\n", "password=right", "erase\n", "password=wrong"} {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Fatalf("the helper was not told %q, in this order:\n%s", part, raw)
		}
		rest = after
	}
	for _, url := range []string{"https://elsewhere.example.org/rules.git", "https://example.com/rules.git"} {
		if user, password := c.Fill(t.Context(), url); user != "" || password != "" {
			t.Errorf("%s: %q, %q", url, user, password)
		}
	}
}

// Nobody is asked, and a machine without git has no credentials.
func TestNoCredentials(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	ask := filepath.Join(t.TempDir(), "ask")
	if err := os.WriteFile(ask, []byte("#!/bin/sh\ntouch "+asked+"\necho anna\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Setenv("GIT_ASKPASS", ask)
	t.Setenv("SSH_ASKPASS", ask)
	if user, password := (gitcmd.Credentials{}).Fill(t.Context(), "https://example.org/rules.git"); user != "" ||
		password != "" {
		t.Errorf("%q, %q", user, password)
	}
	if _, err := os.Stat(asked); err == nil {
		t.Error("somebody was asked")
	}
	t.Setenv("PATH", t.TempDir())
	if user, password := (gitcmd.Credentials{}).Fill(t.Context(), "https://example.org/rules.git"); user != "" ||
		password != "" {
		t.Errorf("%q, %q", user, password)
	}
}
