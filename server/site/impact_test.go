package site

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/server/page"
)

// However many use a thing, its page draws and lists some of them, counts the others, and stays
// small.
func TestManyUsers(t *testing.T) {
	s := Build(nil, lastStore(), config)
	title := strings.Repeat("Очень длинное название ", 8)
	var all []branch
	for i := range maxBranches {
		b := branch{node: node{kindTitle: "Правило", group: "Правила", id: fmt.Sprint("x.", i), title: title,
			path: fmt.Sprint("/x/", i)}, total: 40}
		for j := range maxTwigs {
			b.twigs = append(b.twigs, branch{node: node{id: "y", title: title, path: fmt.Sprint("/y/", i, "/", j)}})
		}
		all = append(all, b)
	}
	for _, n := range []int{nestedUpTo, maxBranches} {
		i := impact{node: node{target: "parameters/x", title: title}, users: all[:n], usersTotal: n + 33,
			uses: all[:n], usesTotal: n + 33}
		body := string(s.frame.Render(s.impactPage(i, "parameters", "x", "")))
		if len(body) > page.PartSize+16<<10 {
			t.Errorf("%d users: %d bytes", n, len(body))
		}
		for _, want := range []string{fmt.Sprint("и ещё ", n+33-drawnBranches), "и ещё 37<", "Показаны не все. Ещё "} {
			if !strings.Contains(body, want) {
				t.Errorf("%d users: no %q", n, want)
			}
		}
	}
}
