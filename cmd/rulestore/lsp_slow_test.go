//go:build slow

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Every editor for which init writes settings starts the language server, and the one for YAML with the formats.
func TestEditorsStartTheLanguageServer(t *testing.T) {
	a := newWorkplace(t)
	start := []string{"rulestore", "lsp"}
	t.Run("VS Code", func(t *testing.T) {
		var settings struct {
			Command   string   `json:"glspc.server.command"`
			Arguments []string `json:"glspc.server.commandArguments"`
			Languages []string `json:"glspc.server.languageId"`
		}
		var extensions struct{ Recommendations []string }
		if err := json.Unmarshal([]byte(a.read(editorSettings)), &settings); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(a.read(".vscode/extensions.json")), &extensions); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(append([]string{settings.Command}, settings.Arguments...), start) ||
			!slices.Equal(settings.Languages, []string{"yaml"}) ||
			!slices.Contains(extensions.Recommendations, "zsol.vscode-glspc") {
			t.Errorf("%+v %+v", settings, extensions)
		}
	})
	t.Run("Zed", func(t *testing.T) { // it starts no other server for YAML
		var settings struct {
			LSP map[string]struct {
				Settings struct {
					YAML struct{ Schemas map[string][]string }
				}
			}
			Languages map[string]struct {
				Format string `json:"format_on_save"` // by default it rewrites the layout of whole files
			}
		}
		if err := json.Unmarshal([]byte(a.read(".zed/settings.json")), &settings); err != nil {
			t.Fatal(err)
		}
		formats := settings.LSP["yaml-language-server"].Settings.YAML.Schemas
		if len(formats) == 0 || settings.Languages["YAML"].Format != "off" {
			t.Errorf("%+v", settings)
		}
	})
	t.Run("Helix", func(t *testing.T) {
		hx := editorProgram(t, "hx", "helix")
		out, err := inFolder(a.dir, exec.Command(hx, "--health", "yaml")).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "rulestore: ") ||
			!strings.Contains(string(out), "yaml-language-server: ") {
			t.Errorf("%v\n%s", err, out)
		}
	})
	t.Run("Neovim", func(t *testing.T) {
		nvim := editorProgram(t, "nvim")
		out, err := inFolder(a.dir, exec.Command(nvim, "--headless", "--clean", "-c",
			"lua if not vim.lsp.config then print('too old') vim.cmd('qa!') end", "-c", "luafile .nvim.lua",
			"-c", "lua print(table.concat(vim.lsp.config.rulestore.cmd, ' '), vim.lsp.is_enabled('rulestore'), "+
				"next(vim.lsp.config.yamlls.settings.yaml.schemas) ~= nil, vim.lsp.is_enabled('yamlls'))", "-c",
			"qa!")).CombinedOutput()
		if strings.Contains(string(out), "too old") {
			t.Skip("this Neovim is older than 0.11")
		}
		if err != nil || !strings.Contains(string(out), "rulestore lsp true true true") {
			t.Errorf("%v\n%s", err, out)
		}
	})
}

// editorProgram returns an editor, if it is installed.
func editorProgram(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", names[0])
	return ""
}

func inFolder(dir string, c *exec.Cmd) *exec.Cmd {
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+dir)
	return c
}
