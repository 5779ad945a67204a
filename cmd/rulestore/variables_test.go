package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"
)

// What nobody reads, and what is empty, is refused, with the name that was meant.
func TestVariables(t *testing.T) {
	for name, c := range map[string]struct {
		environ []string
		args    []string
		says    string // empty: nothing
	}{
		"none":               {nil, nil, ""},
		"of others":          {[]string{"PATH=/bin", "REPO=", "RULES=1"}, nil, ""},
		"of another command": {[]string{"RULESTORE_DRAIN_DELAY=5s", "RULESTORE_STAGED=true"}, nil, ""},
		"of no flag": {[]string{"RULESTORE_GIT_USERNAME=anna", "RULESTORE_GIT_PASSWORD=s3cret",
			"RULESTORE_WEBHOOK_SECRET=s3cret"}, nil, ""},
		"a longer name": {[]string{"RULESTORE_REPOSITORY=/srv/rules"}, nil,
			"nothing reads the variable RULESTORE_REPOSITORY: did you mean RULESTORE_REPO?"},
		"small letters": {[]string{"rulestore_repo=/srv/rules"}, nil,
			"nothing reads the variable rulestore_repo: did you mean RULESTORE_REPO?"},
		"a part": {[]string{"RULESTORE_CACHE=x"}, nil, "did you mean RULESTORE_CACHE_DIR?"},
		"nothing like it": {[]string{"RULESTORE_QWERTY=x"}, nil,
			"RULESTORE_QWERTY: `rulestore serve --help` lists"},
		"an empty one": {[]string{"RULESTORE_REPO="}, nil,
			"RULESTORE_REPO is empty: give it a value, or unset it"},
		"two": {[]string{"RULESTORE_REPO=", "RULESTORE_ADR=x"}, nil,
			"did you mean RULESTORE_ADDR?\nRULESTORE_REPO is empty"},
		"of Kubernetes":          {kubernetes, nil, ""},
		"a port, not Kubernetes": {[]string{"RULESTORE_PORT=8080"}, nil, "nothing reads the variable RULESTORE_PORT"},
		"an empty repository":    {nil, []string{"--repo", ""}, "--repo is empty: give it a value, or leave it out"},
		"a port alone": {nil, []string{"--addr", "8080"},
			`--addr "8080" is nothing to listen on: expected HOST:PORT`},
		"any port of any": {nil, []string{"--addr", ":"}, `--addr ":" is nothing to listen on`},
		"no number": {nil, []string{"--addr", "127.0.0.1:8O80"},
			`--addr "127.0.0.1:8O80" is nothing to listen on`},
		"no number of losses": {nil, []string{"--repo", "https://git.example.org/x.git", "--max-loss", "-1"},
			`--max-loss "-1": expected a number of publications, or all`},
		"losses here":   {nil, []string{"--max-loss", "0"}, "--max-loss is for a --repo elsewhere"},
		"an empty list": {nil, []string{"--trusted-proxies", ""}, "--trusted-proxies is empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			e := env{getenv: func(string) string { return "" }, environ: c.environ, stdout: io.Discard, stderr: &out}
			command := "check"
			if c.says != "" { // before anything is served
				command = "serve"
			}
			err := runIn(t.Context(), append([]string{command, "--repo", young(t)}, c.args...), e)
			if c.says == "" && err != nil {
				t.Errorf("%v", err)
			}
			if c.says != "" && (exitCode(err) != exitUsage || !strings.Contains(out.String(), c.says)) {
				t.Errorf("%v\n%s", err, out.String())
			}
			if strings.Contains(out.String(), "s3cret") {
				t.Errorf("a secret is repeated: %s", &out)
			}
		})
	}
}

// kubernetes are the variables that a container finds where there are services called
// rulestore and rulestore-admin.
var kubernetes = []string{
	"RULESTORE_SERVICE_HOST=10.0.0.11", "RULESTORE_SERVICE_PORT=80", "RULESTORE_SERVICE_PORT_HTTP=80",
	"RULESTORE_PORT=tcp://10.0.0.11:80", "RULESTORE_PORT_80_TCP=tcp://10.0.0.11:80", "RULESTORE_PORT_80_TCP_PROTO=tcp",
	"RULESTORE_PORT_80_TCP_PORT=80", "RULESTORE_PORT_80_TCP_ADDR=10.0.0.11",
	"RULESTORE_ADMIN_SERVICE_HOST=10.0.0.12", "RULESTORE_ADMIN_PORT=tcp://10.0.0.12:8081",
	"RULESTORE_ADMIN_PORT_8081_TCP_ADDR=10.0.0.12",
}

// What operators take names a repository, and does not start without one.
func TestDeployedRepository(t *testing.T) {
	unit, pod := deployed(t, "systemd/rulestore.service"), deployed(t, "kubernetes/deployment.yaml")
	if !strings.Contains(unit, "serve --repo ${RULESTORE_REPO}\n") ||
		!strings.Contains(pod, "args: [serve, --repo=$(RULESTORE_REPO)]") {
		t.Error("the unit or the manifest does not say which repository is served")
	}
	if !strings.Contains(unit, "RestartPreventExitStatus=2\n") {
		t.Error("systemd starts again what was given wrong flags")
	}
	// if the variable is not set
	for name, repo := range map[string]string{"systemd gives": "", "Kubernetes gives": "$(RULESTORE_REPO)"} {
		out, err := exec.Command(rulestore(t), "check", "--repo", repo).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "repo") {
			t.Errorf("with what %s: %v\n%s", name, err, out)
		}
	}
}
