package loader_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/schemas"
)

// What is typed counts in place of what is saved, in a file that is there and in one
// that is not; what no content consists of counts nowhere.
func TestTreeReader(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755))
		must(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644))
	}
	write("rulestore.yaml", settings)
	write("instructions/saved.yaml", instruction("service.saved.001"))
	reader := loader.NewTreeReader(loader.Config{Schemas: schemas.Embedded()}, dir)
	const big = 2 << 20
	for _, c := range []struct {
		name    string
		buffers map[string]string
		items   []string // by name and id
		rules   []string // by file
	}{
		{"nothing is typed", nil, []string{"saved service.saved.001"}, nil},
		{"a saved file", map[string]string{"instructions/saved.yaml": instruction("service.typed.001")},
			[]string{"saved service.typed.001"}, nil},
		{"a new file", map[string]string{"instructions/new.yaml": instruction("service.new.001")},
			[]string{"new service.new.001", "saved service.saved.001"}, nil},
		{"a broken file", map[string]string{"instructions/saved.yaml": "a: [\n"}, []string{"saved "},
			[]string{"instructions/saved.yaml syntax"}},
		{"a huge file", map[string]string{"instructions/saved.yaml": strings.Repeat("#", big)}, nil,
			[]string{"instructions/saved.yaml size"}},
		{"the settings", map[string]string{"rulestore.yaml": "a: 1\n"}, []string{"saved service.saved.001"},
			[]string{"rulestore.yaml missing-field"}},
		{"other files", map[string]string{"README.md": "#", "other/a.yaml": "a: [", "../up.yaml": "a: ["},
			[]string{"saved service.saved.001"}, nil},
		{"what was saved, again", nil, []string{"saved service.saved.001"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			buffers := map[string][]byte{}
			for path, text := range c.buffers {
				buffers[path] = []byte(text)
			}
			tree, err := reader.Read(buffers)
			must(t, err)
			var items []string
			for _, f := range tree.Items {
				items = append(items, f.Name+" "+f.Body.Text(f.Kind.ID))
			}
			if slices.Sort(items); !slices.Equal(items, c.items) || !slices.Equal(rulesOf(tree.Findings), c.rules) {
				t.Errorf("%q, %v", items, tree.Findings)
			}
		})
	}
}

// Of a folder that cannot be read there is what is typed.
func TestTreeReaderWithoutFolder(t *testing.T) {
	reader := loader.NewTreeReader(loader.Config{Schemas: schemas.Embedded()}, filepath.Join(t.TempDir(), "gone"))
	tree, err := reader.Read(map[string][]byte{"instructions/typed.yaml": []byte("a: [\n")})
	if err == nil || len(tree.Items) != 1 || !slices.Contains(rulesOf(tree.Findings),
		"instructions/typed.yaml syntax") {
		t.Errorf("%v, %v", tree.Findings, err)
	}
}

func rulesOf(found []content.Finding) (rules []string) {
	for _, f := range found {
		rules = append(rules, f.Path+" "+f.Rule)
	}
	return rules
}
