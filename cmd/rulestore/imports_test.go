package main

import (
	"cmp"
	"errors"
	gobuild "go/build"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Who may know whom. Data flows one way, git → loader → Snapshot → Site →
// response, and so do imports. Each rule has its reason.
func TestImports(t *testing.T) {
	type rule struct {
		pkg     string
		allowed []string // of our own packages
		reason  string
	}
	domain := []string{"content"}
	rules := []rule{
		{"content/crash", nil, "a panic is made an error the same way wherever it happens"},
		{"content/i18n", nil, "a text is a format and its arguments, whoever says it; the Russian is passed in"},
		{"content", nil, "the domain stands alone: no I/O, no clock, no git"},
		{"content/check", []string{"content", "content/document"},
			"the loader and the authors' commands use the same rules, with schemas passed in"},
		{"content/cases", []string{"content", "content/crash"},
			"what a case comes to is a function of the case and of what it is tried on, which is handed in"},
		{"content/change", []string{"content", "content/i18n"},
			"what a change means is a function of two bodies and a schema, for every command alike"},
		{"content/document", domain, "a tree of an item's values, with what a schema says of them passed in"},
		{"content/log", []string{"content"},
			"the log is a function of its leaves, wherever these are from"},
		{"content/log/logtest", []string{"content", "content/log"}, "tests of all packages write logs in one form"},
		{"content/markdown", []string{"content", "content/document"},
			"one renderer for all kinds, with titles passed in"},
		{"content/output", domain, "a JSON Schema is made of an output schema alone, with the codes passed in"},
		{"content/search", nil, "an index over words, whatever they are from"},
		{"content/starter", nil, "the starter content is data"},
		{"schemas", []string{"content"}, "the authors' contract depends on nobody's code"},
		{"loader/git", []string{"content", "content/i18n", "loader/signers"},
			"git is read into plain values; commits and tags by the same reader that judges signatures"},
		{"loader/git/gittest", []string{"loader/git"}, "tests of all packages write repositories in one form"},
		{"loader/signers", []string{"content/i18n"},
			"whose signature counts is decided on the bytes of an object alone"},
		{"loader/watch", []string{"content/crash"}, "an event means no more than that it is time to look"},
		{"loader", []string{"content", "content/i18n", "content/check", "content/crash", "content/log",
			"loader/git", "loader/signers", "loader/worktree"},
			"what is served does not depend on how it is served"},
		{"loader/git/mirror", []string{"content/crash", "content/i18n", "loader/git"},
			"git fills a folder, whatever is made of what is in it"},
		{"loader/worktree", []string{"content", "content/check", "content/i18n", "content/log", "loader/git"},
			"which files are content, and what git would store of them, does not depend on what they say"},
		{"loader/author", []string{"content", "content/i18n", "content/check", "content/change", "loader",
			"loader/git", "loader/worktree"},
			"authors' commands read as the service reads, and only write through git"},
		{"server/site", []string{"content", "content/i18n", "content/change", "content/check", "content/document",
			"content/log", "content/markdown", "content/output", "content/search",
			"content/crash", "schemas", "server/api", "server/calc", "server/html/assets", "server/observe"},
			"a site is JSON and Markdown made from a snapshot alone; it describes the tools, serves the files of " +
				"pages, and counts who asks for what"},
		{"server/api", []string{"content", "schemas", "server/calc"},
			"an operation is declared, whoever asks for it; its values are those of formats and calculations"},
		{"server/export", []string{"content", "content/i18n", "server/api", "server/html", "server/site"},
			"files are written of a site, whoever loaded it, and checked from the outside"},
		{"server/calc", nil, "calculations know nothing of HTTP, MCP, git or content"},
		{"server/verify", []string{"content", "content/log"},
			"a server is verified from the outside, with the recipes of the checksum and of the log, and nothing else"},
		{"server/clients", nil, "who a client is, and what it takes, has nothing to do with what it asks for"},
		{"server/mcpserver", []string{"content", "content/i18n", "content/crash", "content/search", "server/api",
			"server/clients", "server/site", "server/calc"},
			"MCP answers from the same site and registry as HTTP, and knows neither it nor git"},
		{"server", []string{"content", "content/check", "content/crash", "server/api", "server/calc",
			"server/clients", "server/html", "server/html/assets", "server/observe", "server/site"},
			"a request sees a site, never a loader or git; of the rules of content only what they are called in Russian"},
		{"server/observe", nil, "counting knows neither what is served nor who asks for the counts"},
		{"server/admin", []string{"server/html/assets", "server/observe"},
			"operators see numbers and findings, never content; what draws them is handed over"},
		{"cmd/rulestore/internal/follow", []string{"content", "content/check", "content/crash", "content/i18n",
			"loader",
			"loader/git", "loader/git/mirror", "server", "server/admin", "server/calc", "server/observe", "server/site"},
			"fetching, loading, holding back and swapping meet here and nowhere else"},
		{"cmd/rulestore/internal/process", []string{"cmd/rulestore/internal/follow", "content/crash", "content/i18n",
			"server", "server/admin", "server/api", "server/clients", "server/mcpserver", "server/observe"},
			"a process listens, drains and ends the same way, whatever flags it was given"},
		{"cmd/rulestore/internal/lsp", []string{"content", "content/check", "content/change", "content/crash",
			"content/i18n", "loader", "loader/git", "loader/watch", "loader/worktree", "schemas"},
			"an editor is told what validate and status say, and nothing else"},
		{"scripts/bench", nil, "it reads what benchmarks print, and knows nothing of what they measure"},
		{"scripts/faults", nil, "it reads what tests print, and knows nothing of what they try"},
		{"scripts/generate", []string{"content", "content/check", "schemas"},
			"it writes what an author would, and seals it"},
		{"scripts/release", nil, "it makes the program from the outside, as anybody does"},
		{"server/html", []string{"content", "content/change", "content/document", "content/i18n", "content/search",
			"server/api", "server/calc", "server/html/assets", "server/site"},
			"a page is made for a request of trees and of what a site has, and knows neither HTTP nor Markdown"},
		{"server/html/assets", nil, "a style sheet, a script and a picture are data"},
	}
	all := imported(t, byItself)
	for _, r := range rules {
		for _, own := range r.allowed {
			if !slices.Contains(all[r.pkg], "rulestore/"+own) {
				t.Errorf("%s may import %s and does not: take that out of its rule", r.pkg, own)
			}
		}
		if _, ok := all[r.pkg]; !ok {
			t.Errorf("there is a rule for %s, and no such package", r.pkg)
		}
	}
	for pkg, imports := range all {
		if pkg == "cmd/rulestore" {
			continue // wires everything
		}
		i := slices.IndexFunc(rules, func(r rule) bool { return r.pkg == pkg })
		if i < 0 {
			t.Errorf("%s has no rule: say here whom it may know, and why", pkg)
			continue
		}
		for _, imp := range imports {
			if own, ok := strings.CutPrefix(imp, "rulestore/"); ok && !slices.Contains(rules[i].allowed, own) {
				t.Errorf("%s imports %s: %s", pkg, own, rules[i].reason)
			}
		}
	}
}

// Libraries that only one package may know, so that they can be replaced.
func TestLibrariesBehindOnePackage(t *testing.T) {
	only := map[string]string{
		"github.com/go-git/":              "loader/git",
		"github.com/fsnotify/fsnotify":    "loader/watch",
		"github.com/hiddeco/sshsig":       "loader/signers",
		"github.com/ProtonMail/":          "loader/signers",
		"os/exec":                         "loader/author loader/git",
		"github.com/gorilla/mux":          "server",
		"github.com/spf13/":               "cmd/rulestore",
		"github.com/santhosh-tekuri/":     "schemas",
		"github.com/cockroachdb/apd":      "server/calc",
		"github.com/go-json-experiment/":  "content schemas server/verify",
		"github.com/gowebpki/jcs":         "", // the second opinion on the canonical form: tests alone
		"github.com/prometheus/":          "server/admin",
		"github.com/modelcontextprotocol": "server/mcpserver",
		"html/template":                   "server/html",
		"golang.org/x/text/message":       "schemas content/i18n",
		"golang.org/x/text/feature":       "content/check content/i18n",
		// scripts, examples of rules, and locks
		"github.com/rogpeppe/go-internal": "loader/author loader/git/mirror loader/git/gittest",
		"golang.org/x/mod":                "content/log",
	}
	all, tests := imported(t, byItself), imported(t, inOuterTests)
	for library, owners := range only {
		t.Run(library, func(t *testing.T) {
			if owners == "" && importers(tests, library) == nil {
				t.Errorf("no test imports %s: nothing is guarded", library)
			}
			knows := importers(all, library)
			for _, pkg := range knows {
				if !slices.Contains(strings.Fields(owners), pkg) {
					t.Errorf("%s imports %s, which only %s may know", pkg, library, cmp.Or(owners, "tests"))
				}
			}
			for owner := range strings.FieldsSeq(owners) {
				if !slices.Contains(knows, owner) {
					t.Errorf("%s does not import %s: nothing is guarded there", owner, library)
				}
			}
		})
	}
	for _, imp := range all["content"] {
		for _, bad := range []string{"os", "net", "io/fs", "log", "context"} {
			if imp == bad || strings.HasPrefix(imp, bad+"/") {
				t.Errorf("content imports %s: the domain does no I/O", imp)
			}
		}
	}
}

// importers lists the packages that import a library, but for the tools of developers.
func importers(all map[string][]string, library string) (pkgs []string) {
	for pkg, imports := range all {
		isOfLibrary := func(imp string) bool { return strings.HasPrefix(imp, library) }
		if !strings.HasPrefix(pkg, "scripts/") && slices.ContainsFunc(imports, isOfLibrary) {
			pkgs = append(pkgs, pkg)
		}
	}
	return pkgs
}

// imported lists what each package of the module imports, by itself or in its outer tests.
func imported(t *testing.T, field func(*gobuild.Package) []string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	const root = "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); path != root && (err == nil || d.Name() == "testdata" ||
			strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir // a module of its own, or no package
		}
		p, err := gobuild.ImportDir(path, 0)
		if _, none := errors.AsType[*gobuild.NoGoError](err); none {
			return nil
		}
		name, e := filepath.Rel(root, path)
		all[filepath.ToSlash(name)] = field(p)
		return errors.Join(err, e)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func byItself(p *gobuild.Package) []string     { return p.Imports }
func inOuterTests(p *gobuild.Package) []string { return p.XTestImports }
