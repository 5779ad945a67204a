// Package gittest makes repositories for tests.
package gittest

import (
	"fmt"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/loader/git"
)

// ParseTxtar reads a script written as one text. A file named "commit <time>"
// starts a commit and holds its message; what follows belongs to it: files,
// "tag <name>" with the tag's message (without one the tag is lightweight), and
// "remove <path>".
//
//	-- commit 2026-02-02T10:00:00+03:00 --
//	Add the first rule
//	-- guidelines/product.common.001.yaml --
//	guideline_id: product.common.001
//	-- tag guidelines/product.common.001/v1.0.0 --
//	First publication
func ParseTxtar(a *txtar.Archive) (git.Script, error) {
	var s git.Script
	for _, f := range a.Files {
		word, arg, _ := strings.Cut(f.Name, " ")
		if word == "commit" {
			date, err := time.Parse(time.RFC3339, arg)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f.Name, err)
			}
			s = append(s, git.ScriptCommit{Date: date, Message: string(f.Data), Files: map[string][]byte{}})
			continue
		}
		if len(s) == 0 {
			return nil, fmt.Errorf("%s: stands before the first commit", f.Name)
		}
		step := &s[len(s)-1]
		switch word {
		case "tag":
			step.Tags = append(step.Tags, git.NewTag{Name: arg, Message: string(f.Data)})
		case "remove":
			step.Remove = append(step.Remove, arg)
		default:
			step.Files[f.Name] = f.Data
		}
	}
	return s, nil
}
