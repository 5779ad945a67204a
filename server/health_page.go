package server

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

// healthPage is the health document as a page for who runs the service: its template has the words. What is
// said of a publication that is not served stands with it, and nowhere else.
type healthPage struct {
	html.Head
	health
	Root     string // below which other pages are
	Items    int
	Upcoming int // the publications that wait for their day alone
	Waiting  int // the others that are held
	Kinds    []html.Statement
	Total    int               // of findings about what is served
	Findings []reportedFinding // the first of these
}

// maxShown is the maximum number of elements in each list of the page.
const maxShown = 50

// page is the page of the document. Other pages are below root.
func (d health) page(s *site.Site, r content.Report, root string) healthPage {
	upcoming := map[string]bool{}
	for _, p := range s.Snapshot.Upcoming {
		upcoming[p.Tag()] = true
	}
	p := healthPage{
		Head: html.Head{
			Title: "Состояние сервиса", Path: root + api.HealthPath,
			Crumbs: []html.Link{{Title: "Главная", Href: root + "/"}},
			Formats: []html.Format{{
				Title: "JSON", Type: api.JSONType, Href: root + api.HealthPath + "?" + site.FormatParameter + "=json",
			}},
		},
		health: d, Root: root, Items: len(s.Snapshot.Items), Kinds: d.kinds(s), Upcoming: len(upcoming),
		Waiting: d.Counts.Held - len(upcoming),
	}
	p.Refused = shownRejected(s, root, d.Refused)
	p.Held = shownRejected(s, root, slices.DeleteFunc(
		slices.Clone(d.Held), func(r rejected) bool { return upcoming[r.Tag] },
	))
	for _, f := range r.Findings {
		_, refused := slices.BinarySearch(r.Refused, f.Tag)
		_, held := slices.BinarySearch(r.Held, f.Tag)
		if refused || held {
			continue
		}
		if p.Total++; len(p.Findings) < maxShown {
			p.Findings = append(p.Findings, d.report(f))
		}
	}
	return p
}

// shownRejected are the first publications that are not served, with links to what is.
func shownRejected(s *site.Site, root string, all []rejected) []rejected {
	all = slices.Clone(all[:min(len(all), maxShown)])
	for i, r := range all {
		if t, err := content.ParseTag(r.Tag); err == nil && t.Kind != nil && s.Snapshot.Item(t.Kind, t.Name) != nil {
			all[i].Instead = root + t.Kind.ItemPath(t.Name)
		}
	}
	return all
}

// Rest is the number of publications that a list leaves out.
func (healthPage) Rest(all int, shown []rejected) int { return all - len(shown) }

// Told is an error that only operators are told.
func (p healthPage) Told(err *string) string {
	if !p.operators {
		return ""
	}
	return *err
}

// Copy is the state of the mirror, empty if there is none.
func (p healthPage) Copy() remote { return *cmp.Or(p.Remote, &remote{}) }

// Age says roughly how long the content has been loaded.
func (p healthPage) Age() string {
	switch d := time.Duration(p.AgeSeconds) * time.Second; {
	case d < time.Minute:
		return "меньше минуты назад"
	case d < time.Hour:
		return fmt.Sprintf("%d мин назад", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d ч назад", int(d.Hours()))
	default:
		return fmt.Sprintf("%d дн. назад", int(d.Hours()/24))
	}
}

// watchTitles say how changes are noticed, in Russian.
var watchTitles = map[string]string{
	"none": "никак, содержание не меняется", "watch": "по событиям в папке", "poll": "проверкой через равное время",
	"fetch": "обращением к репозиторию через равное время", "webhook": "по вызову от него",
}

// Watched says how changes are noticed: in several ways, which a plus joins.
func (p healthPage) Watched() string {
	ways := strings.Split(p.WatchMode, "+")
	for i, way := range ways {
		ways[i] = cmp.Or(watchTitles[way], way)
	}
	return strings.Join(ways, " и ")
}

// kinds says how many items there are of each kind, and how many of these no list has.
func (d health) kinds(s *site.Site) (all []html.Statement) {
	unlisted := map[*content.Kind]int{}
	for _, item := range s.Snapshot.Items {
		if item.Current == nil || item.Current.Status == content.Archived {
			unlisted[item.Kind]++
		}
	}
	for _, k := range content.Kinds {
		n := d.Counts.Items[k.Folder]
		if n == 0 {
			continue
		}
		words := strconv.Itoa(n)
		if unlisted[k] > 0 {
			words += ", из них нет в списке: " + strconv.Itoa(unlisted[k])
		}
		all = append(all, html.Statement{Title: k.Title, Value: words})
	}
	return all
}

// Worst are the causes, errors before what keeps nothing from being served.
func (r rejected) Worst() []reportedFinding {
	rank := []content.Severity{content.Error, content.Warning, content.Note}
	return slices.SortedStableFunc(slices.Values(r.Causes), func(a, b reportedFinding) int {
		return slices.Index(rank, a.Severity) - slices.Index(rank, b.Severity)
	})
}

// Words are what was found, in Russian.
func (f reportedFinding) Words() string {
	message, _ := check.Russian(f.Finding)
	if f.Detail != "" {
		message += ": " + f.Detail
	}
	return message
}

// Advice is what to do about it, in Russian.
func (f reportedFinding) Advice() string {
	_, hint := check.Russian(f.Finding)
	return hint
}

// Place is where it was found.
func (f reportedFinding) Place() string {
	if f.Path != "" && f.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)
	}
	return f.Path
}

// Pointed is the line that is meant, with its number and a caret below the position; "" if it is not told.
func (f reportedFinding) Pointed() string {
	if f.Excerpt == "" {
		return ""
	}
	e := f.Finding.Excerpt
	return fmt.Sprintf("%5d | %s\n      | %*s", f.Line, e.Text, e.Caret+1, "^")
}
