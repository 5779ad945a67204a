//go:build slow

package main

import (
	"bytes"
	"crypto/tls"
	"debug/elf"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// expressions lists every PromQL expression of the board and the alerts.
func expressions(t *testing.T) []string {
	t.Helper()
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Annotations struct{ List []struct{ Expr string } }
	}
	if err := json.Unmarshal([]byte(deployed(t, "grafana/rulestore.json")), &board); err != nil {
		t.Fatalf("the board: %v", err)
	}
	var all []string
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			all = append(all, target.Expr)
		}
	}
	for _, a := range board.Annotations.List {
		all = append(all, a.Expr)
	}
	var alerts struct {
		Groups []struct {
			Rules []struct{ Record, Expr string }
		}
	}
	if err := yaml.Unmarshal([]byte(deployed(t, "prometheus/alerts.yaml")), &alerts); err != nil {
		t.Fatal(err)
	}
	for _, g := range alerts.Groups {
		for _, r := range g.Rules {
			all = append(all, r.Expr)
		}
	}
	if len(all) < 40 {
		t.Fatalf("only %d expressions", len(all))
	}
	return all
}

var (
	metricName = regexp.MustCompile(`\b(?:rulestore|go|process)_[a-z0-9_]+`)
	selector   = regexp.MustCompile(`\b((?:rulestore|go|process)_[a-z0-9_]+)\{([^}]*)\}`)
	labelName  = regexp.MustCompile(`(\w+)(?:=|!=|=~|!~)"`)
)

// The board and the alerts name metrics and labels that a server has.
func TestBoardAndAlertsNameWhatIsThere(t *testing.T) {
	t.Parallel()
	cert, key := writeCertificate(t, t.TempDir(), 1)
	bare, _ := newYoung(t)
	p := spawn(
		t, nil, "--tls-cert", cert, "--tls-key", key, "--repo", "file://"+bare,
		"--cache-dir", t.TempDir(), "--poll", "1s",
	)
	p.await("a fetch", func() bool { return p.metric("rulestore_fetch_succeeded_timestamp_seconds") != "" })
	check := exec.Command("rulestore", "healthcheck", "--tls-cert", cert, "--addr",
		strings.TrimPrefix(p.url, "http://"))
	if out, err := check.CombinedOutput(); err != nil { // which is a request to count
		t.Fatalf("%v: %s", err, out)
	}
	var res *http.Response
	request, err := http.NewRequest(http.MethodPost, strings.Replace(p.url, "http:", "https:", 1)+
		"/api/v1/math/tools/loan_payment", strings.NewReader("{}"))
	if err == nil {
		request.Header.Set("Content-Type", "application/json")
		trusting := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
		res, err = (&http.Client{Transport: trusting}).Do(request)
	}
	if err != nil || res.StatusCode != http.StatusUnprocessableEntity { // which is a calculation to count
		t.Fatalf("%v, %v", res, err)
	}
	res.Body.Close()
	callTool(t, strings.Replace(p.url, "http:", "https:", 1)+"/mcp")
	_, body := p.operator("/metrics")
	there := map[string]map[string]bool{} // the labels of each metric
	sample := regexp.MustCompile(`(?m)^([a-z0-9_]+)(?:\{(.*)\})? `)
	for _, m := range sample.FindAllStringSubmatch(body, -1) {
		if there[m[1]] == nil {
			there[m[1]] = map[string]bool{"job": true, "instance": true}
		}
		for _, l := range labelName.FindAllStringSubmatch(m[2], -1) {
			there[m[1]][l[1]] = true
		}
	}
	used := map[string]bool{}
	for _, e := range expressions(t) {
		for _, name := range metricName.FindAllString(e, -1) {
			used[name] = true
			if there[name] == nil {
				t.Errorf("there is no %s, as in %s", name, e)
			}
		}
		for _, m := range selector.FindAllStringSubmatch(e, -1) {
			for _, l := range labelName.FindAllStringSubmatch(m[2], -1) {
				if there[m[1]] != nil && !there[m[1]][l[1]] {
					t.Errorf("%s has no label %s, as in %s", m[1], l[1], e)
				}
			}
		}
	}
	for name := range there {
		name = strings.TrimSuffix(strings.TrimSuffix(name, "_sum"), "_count")
		if strings.HasPrefix(name, "rulestore_") && !slices.ContainsFunc(slices.Collect(maps.Keys(used)),
			func(u string) bool { return strings.HasPrefix(u, name) }) {
			t.Errorf("nobody looks at %s", name)
		}
	}
}

// Prometheus itself reads the alerts and the expressions of the board, and the
// alerts do what their tests say.
func TestPrometheusReadsThem(t *testing.T) {
	need(t, "promtool")
	t.Parallel()
	for _, args := range [][]string{
		{"check", "rules", deployFiles + "prometheus/alerts.yaml"},
		{"test", "rules", deployFiles + "prometheus/alerts_test.yaml"},
		{"check", "rules", asRules(t, expressions(t))},
		{"check", "config", "--syntax-only", scraped(t)},
	} {
		if out, err := exec.Command("promtool", args...).CombinedOutput(); err != nil {
			t.Errorf("promtool %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// scraped writes what is to be scraped with other targets: Debian's Prometheus knows no
// Kubernetes.
func scraped(t *testing.T) string {
	t.Helper()
	text := deployed(
		t, "prometheus/scrape.yaml",
		"kubernetes_sd_configs:\n      - role: pod\n        namespaces: {names: [rulestore]}",
		`static_configs: [{targets: ["127.0.0.1:1"]}]`,
	)
	file := filepath.Join(t.TempDir(), "scrape.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// asRules writes expressions into a file of rules.
func asRules(t *testing.T, expressions []string) string {
	t.Helper()
	var rules []map[string]string
	for i, e := range expressions {
		rules = append(rules, map[string]string{
			"record": fmt.Sprintf("board:expression:%d", i),
			"expr":   strings.NewReplacer("$job", "rulestore", "$__rate_interval", "5m").Replace(e),
		})
	}
	raw, err := yaml.Marshal(map[string]any{"groups": []any{map[string]any{"name": "board", "rules": rules}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rules.yaml")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// Every variable in a file for operators is a flag of serve, and its value is one
// that the flag takes.
func TestDeployedSettings(t *testing.T) {
	setting := regexp.MustCompile(`(?m)(?:^|=|[\s"'])RULESTORE_([A-Z_]+)=(\S+)`)
	flags := newServe(&env{}).Flags()
	for file, want := range map[string]int{"kubernetes/settings.env": 6,
		"systemd/rulestore.service": 1, "Containerfile": 1} {
		t.Run(file, func(t *testing.T) {
			found := setting.FindAllStringSubmatch(deployed(t, file), -1)
			if len(found) < want {
				t.Errorf("%s: %d settings, expected at least %d", file, len(found), want)
			}
			for _, m := range found {
				name := strings.ToLower(strings.ReplaceAll(m[1], "_", "-"))
				if flags.Lookup(name) == nil {
					t.Errorf("%s: RULESTORE_%s is no flag of serve", file, m[1])
					continue
				}
				if err := flags.Set(name, m[2]); err != nil {
					t.Errorf("%s: RULESTORE_%s: %v", file, m[1], err)
				}
			}
		})
	}
}

// The probes of the manifests get from a server what the kubelet wants to see.
func TestKubernetesProbes(t *testing.T) {
	t.Parallel()
	type probe struct{ HTTPGet struct{ Path, Port string } }
	var d struct {
		Spec struct {
			Template struct {
				Spec struct {
					Containers []struct {
						Ports []struct {
							Name          string
							ContainerPort int
						}
						StartupProbe, ReadinessProbe, LivenessProbe probe
					}
				}
			}
		}
	}
	decode := func(v any) { // YAML's names are those of JSON
		var generic any
		if err := yaml.Unmarshal([]byte(deployed(t, "kubernetes/deployment.yaml")), &generic); err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(generic)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, v); err != nil {
			t.Fatal(err)
		}
	}
	decode(&d)
	c := d.Spec.Template.Spec.Containers[0]
	ports := map[string]int{}
	for _, p := range c.Ports {
		ports[p.Name] = p.ContainerPort
	}
	settings := deployed(t, "kubernetes/settings.env")
	for variable, port := range map[string]string{"RULESTORE_ADDR": "http", "RULESTORE_ADMIN_ADDR": "admin"} {
		if line := fmt.Sprintf("%s=:%d\n", variable, ports[port]); !strings.Contains(settings, line) {
			t.Errorf("the settings do not have %s", line)
		}
	}
	p := spawnYoung(t, nil)
	for name, probe := range map[string]probe{"startup": c.StartupProbe, "readiness": c.ReadinessProbe,
		"liveness": c.LivenessProbe} {
		t.Run(name, func(t *testing.T) {
			if probe.HTTPGet.Port != "admin" {
				t.Errorf("the %s probe asks port %q", name, probe.HTTPGet.Port)
			}
			if status, body := p.operator(probe.HTTPGet.Path); status != http.StatusOK {
				t.Errorf("the %s probe gets %d %s", name, status, body)
			}
		})
	}
}

// kubectl puts the manifests together.
func TestKustomize(t *testing.T) {
	need(t, "kubectl")
	t.Parallel()
	out, err := exec.Command("kubectl", "kustomize", deployFiles+"kubernetes").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, kind := range []string{"Namespace", "ConfigMap", "Deployment", "Service", "PodDisruptionBudget",
		"HorizontalPodAutoscaler", "NetworkPolicy"} {
		if !strings.Contains(string(out), "\nkind: "+kind+"\n") {
			t.Errorf("no %s", kind)
		}
	}
	if strings.Contains(string(out), "\n  replicas:") {
		t.Error("the deployment says how many replicas there are, as the autoscaler does: each apply would undo what " +
			"that one did")
	}
}

// systemd reads its units without a complaint, and finds the service well locked
// up.
func TestSystemdUnits(t *testing.T) {
	need(t, "systemd-analyze")
	t.Parallel()
	dir := t.TempDir()
	for _, file := range []string{"rulestore.service", "rulestore.socket"} {
		text := strings.ReplaceAll(deployed(t, "systemd/"+file), "/usr/local/bin/rulestore", rulestore(t))
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	service := filepath.Join(dir, "rulestore.service")
	for _, args := range [][]string{
		{"verify", "--man=no", service, filepath.Join(dir, "rulestore.socket")},
		{"security", "--offline=true", "--threshold=20", "--no-pager", service}, // of 100; most services have 96
	} {
		out, err := exec.Command("systemd-analyze", args...).CombinedOutput()
		if err != nil || args[0] == "verify" && len(out) > 0 {
			t.Errorf("systemd-analyze %s: %v\n%s", args[0], err, out)
		}
	}
}

// buildLine is how the image builds the program.
var buildLine = regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 go build .*) -o /rulestore (\./cmd/rulestore)$`)

// The program is the same bytes wherever it is built, needs nothing around it,
// and runs as anybody in a root that it cannot write to, as the image has it.
func TestImage(t *testing.T) {
	t.Parallel()
	m := buildLine.FindStringSubmatch(deployed(t, "Containerfile"))
	if m == nil {
		t.Fatal("the Containerfile does not build the program as expected")
	}
	var programs [2]string
	for i, folder := range []string{"one", "another/and/deeper"} {
		src := filepath.Join(t.TempDir(), folder)
		gitIn(t, "../..", "clone", "-q", "--no-hardlinks", ".", src)
		programs[i] = filepath.Join(t.TempDir(), "rulestore")
		build := exec.Command("sh", "-c", m[1]+" -o "+programs[i]+" "+m[2])
		build.Dir = src
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	one, another := readFile(t, programs[0]), readFile(t, programs[1])
	if !bytes.Equal(one, another) {
		t.Errorf("two builds of one commit differ: %d and %d bytes", len(one), len(another))
	}
	program, err := elf.NewFile(bytes.NewReader(one))
	if err != nil {
		t.Skipf("no ELF: %v", err)
	}
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program is not static")
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can try what the program does in an empty root")
	}
	runsAlone(t, one)
}

// The image is built and serves, where a builder of containers answers and its base images can be had.
func TestContainer(t *testing.T) {
	t.Parallel()
	builder := ""
	for _, name := range []string{"podman", "docker"} {
		if exec.Command(name, "info").Run() == nil {
			builder = name
		}
	}
	if builder == "" {
		t.Skip("neither podman nor docker answers: the image is not built")
	}
	src := filepath.Join(t.TempDir(), "src")
	gitIn(t, "../..", "clone", "-q", "--no-hardlinks", ".", src)
	const image = "localhost/rulestore-test"
	run := func(args ...string) (string, error) {
		c := exec.Command(builder, args...)
		c.Dir = src
		out, err := c.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	for _, base := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(deployed(t, "Containerfile"), -1) {
		if out, err := run("pull", base[1]); err != nil {
			t.Skipf("the base image %s cannot be had: %v\n%s", base[1], err, out)
		}
	}
	if out, err := run("build", "-f", "scripts/deploy/Containerfile", "-t", image, "."); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() { _, _ = run("rmi", "--force", image) })
	id, err := run("run", "--detach", "--read-only", image)
	if err != nil {
		t.Fatalf("%v\n%s", err, id)
	}
	t.Cleanup(func() { _, _ = run("rm", "--force", id) })
	for deadline := time.Now().Add(stuck); ; time.Sleep(100 * time.Millisecond) {
		out, err := run("exec", id, "/rulestore", "healthcheck")
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the container does not serve: %v\n%s", err, out)
		}
	}
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// runsAlone runs a program as the image does: in a root that has nothing else.
func runsAlone(t *testing.T, raw []byte) {
	t.Helper()
	root, err := os.MkdirTemp("", "image") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(root) })
	if err := os.WriteFile(filepath.Join(root, "rulestore"), raw, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(root, 0o555); err != nil {
		t.Fatal(err)
	}
	alone := func(c *exec.Cmd) {
		c.Path, c.Dir, c.Env = "/rulestore", "/", []string{}
		c.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
	}
	p := spawn(t, alone)
	if err := agree(p.mustGet("/api/v1/guidelines/"+common, "*/*")); err != nil {
		t.Error(err)
	}
	health := exec.Command("rulestore", "healthcheck", p.url+"/healthz")
	alone(health)
	if out, err := health.CombinedOutput(); err != nil {
		t.Errorf("healthcheck: %v: %s", err, out)
	}
	if err := p.stop(); err != nil {
		t.Errorf("ended with %v\n%s", err, p.log)
	}
	version := exec.Command("rulestore", "version", "--json")
	alone(version)
	out, err := version.Output()
	var about program
	if err != nil || json.NewDecoder(bytes.NewReader(out)).Decode(&about) != nil || about.Commit == "" {
		t.Errorf("version: %v: %s", err, out)
	}
}
