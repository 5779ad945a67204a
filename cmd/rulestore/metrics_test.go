package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// Every line that a process writes is JSON if it is to be: the first one, those of the log
// and the last, of a wrong command line too.
func TestEverythingIsJSON(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	objects := func(name, text string, least int) (all []map[string]any) {
		t.Helper()
		for line := range strings.Lines(text) {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil || object["msg"] == nil ||
				object["level"] == nil || object["time"] == nil {
				t.Errorf("%s: %v: %s", name, err, line)
			}
			all = append(all, object)
		}
		if len(all) < least {
			t.Errorf("%s: %q", name, text)
		}
		return all
	}
	for name, c := range map[string]struct {
		args   []string
		getenv map[string]string
		code   int
	}{
		"a wrong flag":        {[]string{"--log-format", "json", "--nonsense"}, nil, exitUsage},
		"a wrong flag before": {[]string{"--nonsense", "--log-format=json"}, nil, exitUsage},
		"by a variable": {[]string{"--poll", "soon"}, map[string]string{"RULESTORE_LOG_FORMAT": "json"},
			exitUsage},
		"no repository": {[]string{"--log-format=json", "--repo", filepath.Join(bare, "nowhere")}, nil,
			exitFailed},
		"an address in use": {[]string{"--log-format=json", "--repo", bare, "--addr", "256.0.0.1:1"}, nil,
			exitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			out, log, err := ran(t, c.getenv, append([]string{"serve"}, c.args...)...)
			all := objects(name, log, 1)
			if exitCode(err) != c.code || out != "" {
				t.Errorf("%v, on stdout %q", err, out)
			}
			if last := all[len(all)-1]; last["level"] != "ERROR" || last["exit_code"] != float64(c.code) {
				t.Errorf("the last line is %v", last)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	log, done := &lockedBuffer{}, make(chan error, 1)
	go func() {
		done <- run(
			ctx, []string{"serve", "--addr", "127.0.0.1:0", "--log-format", "json", "--repo", bare},
			func(string) string { return "" }, nil, in, log,
		)
		in.Close()
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%v\n%s", err, log)
	}
	first := objects("the first line", line, 1)[0]
	if url, _ := first["url"].(string); !strings.HasPrefix(first["msg"].(string), "serving ") ||
		!strings.HasPrefix(url, "http") || first["addr"] == nil || first["content"] != bare {
		t.Errorf("the first line is %v", first)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	objects("the log", log.String(), 2)
}
