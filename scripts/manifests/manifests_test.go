// Package manifests tries what operators apply to Kubernetes: that the API knows every
// field, and that what names something else names what is there.
package manifests

import (
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// rendered is what kubectl makes of the manifests.
type rendered struct {
	namespace  core.Namespace
	settings   core.ConfigMap
	deployment apps.Deployment
	budget     policy.PodDisruptionBudget
	scaler     autoscaling.HorizontalPodAutoscaler
	network    networking.NetworkPolicy
	monitor    monitoring.PodMonitor
	services   map[string]*core.Service
}

// render puts the manifests together, with the component for the Prometheus operator, and
// decodes each into its type; a field that the type does not have is an error.
func render(t *testing.T) *rendered {
	t.Helper()
	if _, err := exec.LookPath("kubectl"); err != nil {
		t.Skip("kubectl is missing")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../deploy/kubernetes")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "kustomization.yaml")
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	with := strings.Replace(string(raw), "# components:", "components:", 1)
	if with == string(raw) {
		t.Fatal("the kustomization does not name the component for the Prometheus operator")
	}
	if err := os.WriteFile(file, []byte(with), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("kubectl", "kustomize", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return decode(t, out)
}

func decode(t *testing.T, all []byte) *rendered {
	t.Helper()
	r := &rendered{services: map[string]*core.Service{}}
	kinds := map[string]any{
		"Namespace": &r.namespace, "ConfigMap": &r.settings, "Deployment": &r.deployment,
		"PodDisruptionBudget":     &r.budget,
		"HorizontalPodAutoscaler": &r.scaler, "NetworkPolicy": &r.network, "PodMonitor": &r.monitor,
	}
	seen := map[string]bool{}
	for documents := utilyaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(all))); ; {
		raw := make([]byte, 1<<20)
		n, err := documents.Read(raw)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var kind meta.TypeMeta
		if err := yaml.Unmarshal(raw[:n], &kind); err != nil {
			t.Fatal(err)
		}
		into := kinds[kind.Kind]
		if kind.Kind == "Service" {
			into = &core.Service{}
		}
		if into == nil {
			t.Fatalf("%s %s has no type here", kind.APIVersion, kind.Kind)
		}
		if err := yaml.UnmarshalStrict(raw[:n], into); err != nil {
			t.Errorf("%s: %v", kind.Kind, err)
		}
		if s, ok := into.(*core.Service); ok {
			r.services[s.Name] = s
		}
		seen[kind.Kind] = true
	}
	for kind := range kinds {
		if !seen[kind] {
			t.Errorf("no %s", kind)
		}
	}
	return r
}

// Every selector finds the pods, and everything is in the namespace.
func TestSelectors(t *testing.T) {
	r := render(t)
	pods := labels.Set(r.deployment.Spec.Template.Labels)
	for name, s := range map[string]*meta.LabelSelector{
		"deployment": r.deployment.Spec.Selector, "disruption budget": r.budget.Spec.Selector,
		"network policy": &r.network.Spec.PodSelector, "pod monitor": &r.monitor.Spec.Selector,
		"spread": r.deployment.Spec.Template.Spec.TopologySpreadConstraints[0].LabelSelector,
	} {
		t.Run(name, func(t *testing.T) {
			selector, err := meta.LabelSelectorAsSelector(s)
			if err != nil || selector.Empty() || !selector.Matches(pods) {
				t.Errorf("%v selects nothing, or everything: the pods are %v, %v", selector, pods, err)
			}
		})
	}
	for name, s := range r.services {
		if len(s.Spec.Selector) == 0 || !labels.SelectorFromSet(s.Spec.Selector).Matches(pods) {
			t.Errorf("service %s selects %v", name, s.Spec.Selector)
		}
	}
	for _, o := range []meta.Object{&r.settings, &r.deployment, &r.budget, &r.scaler, &r.network, &r.monitor} {
		if o.GetNamespace() != r.namespace.Name {
			t.Errorf("%s is in %q", o.GetName(), o.GetNamespace())
		}
	}
	if target := r.scaler.Spec.ScaleTargetRef; target.Kind != "Deployment" || target.Name != r.deployment.Name ||
		target.APIVersion != "apps/v1" {
		t.Errorf("the autoscaler scales %v", target)
	}
	if job := pods[r.monitor.Spec.JobLabel]; job != "rulestore" {
		t.Errorf("the alerts are about the job rulestore, Prometheus calls it %q", job)
	}
}

// Every port that something names is one of the container's, and of the settings.
func TestPorts(t *testing.T) {
	r := render(t)
	ports := map[string]int32{}
	for _, p := range r.deployment.Spec.Template.Spec.Containers[0].Ports {
		ports[p.Name] = p.ContainerPort
	}
	named := map[string]intstr.IntOrString{
		"the scrape annotation": intstr.Parse(r.deployment.Spec.Template.Annotations["prometheus.io/port"]),
	}
	for name, s := range r.services {
		for _, p := range s.Spec.Ports {
			named["service "+name] = p.TargetPort
		}
	}
	for i, rule := range r.network.Spec.Ingress {
		for _, p := range rule.Ports {
			named["ingress "+string(rune('0'+i))+" "+p.Port.String()] = *p.Port
		}
	}
	for _, e := range r.monitor.Spec.PodMetricsEndpoints {
		named["the pod monitor"] = intstr.FromString(*e.Port)
	}
	numbers := slices.Collect(maps.Values(ports))
	for name, p := range named {
		if _, ok := ports[p.StrVal]; p.Type == intstr.String && !ok ||
			p.Type == intstr.Int && !slices.Contains(numbers, p.IntVal) {
			t.Errorf("%s: the container has no port %s", name, p.String())
		}
	}
	for variable, port := range map[string]string{
		"RULESTORE_ADDR": "http", "RULESTORE_ADMIN_ADDR": "admin", "RULESTORE_WEBHOOK_ADDR": "webhooks",
	} {
		t.Run(variable, func(t *testing.T) {
			if want := intstr.FromInt32(ports[port]); r.settings.Data[variable] != ":"+want.String() {
				t.Errorf("%s is %q, the port is %s", variable, r.settings.Data[variable], want.String())
			}
		})
	}
}

// A webhook is signed with a secret, and the network lets the git host be reached.
func TestWebhooks(t *testing.T) {
	r := render(t)
	if !slices.ContainsFunc(r.deployment.Spec.Template.Spec.Containers[0].EnvFrom, func(e core.EnvFromSource) bool {
		return e.SecretRef != nil && e.SecretRef.Name == "webhook"
	}) {
		t.Error("the container does not get the secret")
	}
	out := map[string]bool{}
	for _, rule := range r.network.Spec.Egress {
		for _, p := range rule.Ports {
			out[p.Port.String()] = len(rule.To) == 0
		}
	}
	for what, port := range map[string]string{
		"names": "53", "git over HTTPS": "443", "git over ssh": "22",
	} {
		t.Run(what, func(t *testing.T) {
			if !out[port] {
				t.Errorf("%s cannot be reached at %s", what, port)
			}
		})
	}
}

// A pod has the time to end that its settings ask for, and the rights that the namespace
// leaves it.
func TestPod(t *testing.T) {
	r := render(t)
	pod := r.deployment.Spec.Template.Spec
	c := pod.Containers[0]
	if *pod.TerminationGracePeriodSeconds < 5+10+5 || r.settings.Data["RULESTORE_DRAIN_DELAY"] != "5s" {
		t.Errorf(
			"%d s for a delay of %s and a grace of 10 s", *pod.TerminationGracePeriodSeconds,
			r.settings.Data["RULESTORE_DRAIN_DELAY"],
		)
	}
	if r.namespace.Labels["pod-security.kubernetes.io/enforce"] != "restricted" || !*pod.SecurityContext.RunAsNonRoot ||
		*c.SecurityContext.AllowPrivilegeEscalation || !slices.Contains(c.SecurityContext.Capabilities.Drop, "ALL") {
		t.Error("the namespace would refuse the pod")
	}
	if c.Resources.Limits.Memory().IsZero() {
		t.Error("GOMEMLIMIT and the number of connections follow a limit that is not there")
	}
	if r.budget.Spec.MaxUnavailable.IntVal >= *r.scaler.Spec.MinReplicas {
		t.Error("the budget would let all replicas be taken")
	}
}
