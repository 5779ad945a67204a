package content_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
)

func TestHold(t *testing.T) {
	const a, b, c, s = "guidelines/a", "guidelines/b", "guidelines/c", "scenarios/s"
	for _, test := range []struct {
		name  string
		ready []string
		lost  []content.Intent
		want  []string // tag: what it waits for
	}{{
		name:  "nothing to wait for",
		ready: []string{a + "/v1.0.0 2026-01-01", b + "/v1.0.0 2026-01-01"},
	}, {
		name:  "a reference to what nobody publishes",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + b},
		want:  []string{a + "/v1.0.0: " + b},
	}, {
		name: "any version satisfies a reference, an older and a newer one",
		ready: []string{a + "/v1.0.0 2026-03-01 ref=" + b + " ref=" + c, b + "/v0.1.0 2026-01-01",
			c + "/v9.0.0 2026-09-01"},
	}, {
		name:  "one of a kind does not satisfy a reference to the other",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=scenarios/a", "schemas/scenarios/a/v1.0.0 2026-01-01"},
		want:  []string{a + "/v1.0.0: scenarios/a"},
	}, {
		name:  "the first reference that is not satisfied is the cause",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + s + " ref=" + b + " ref=" + c, s + "/v1.0.0 2026-01-01"},
		want:  []string{a + "/v1.0.0: " + b},
	}, {
		name: "holding one holds those that refer to it",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + b, b + "/v1.0.0 2026-01-01 ref=" + c,
			c + "/v1.0.0 2026-01-01 ref=" + s},
		want: []string{a + "/v1.0.0: " + b, b + "/v1.0.0: " + c, c + "/v1.0.0: " + s},
	}, {
		name: "the same in the other direction",
		ready: []string{c + "/v1.0.0 2026-01-01 ref=" + s, b + "/v1.0.0 2026-01-01 ref=" + c,
			a + "/v1.0.0 2026-01-01 ref=" + b},
		want: []string{a + "/v1.0.0: " + b, b + "/v1.0.0: " + c, c + "/v1.0.0: " + s},
	}, {
		name:  "a held version leaves its item to the older ones",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + b, b + "/v1.0.0 2026-01-01", b + "/v1.1.0 2026-02-01 ref=" + c},
		want:  []string{b + "/v1.1.0: " + c},
	}, {
		name:  "mutual references stand together",
		ready: []string{a + "/v1.0.0 2026-01-01 commit=x ref=" + b, b + "/v1.0.0 2026-01-01 commit=x ref=" + a},
	}, {
		name: "and fall together",
		ready: []string{a + "/v1.0.0 2026-01-01 commit=x ref=" + b,
			b + "/v1.0.0 2026-01-01 commit=x ref=" + a + " ref=" + c},
		want: []string{a + "/v1.0.0: " + b, b + "/v1.0.0: " + c},
	}, {
		name:  "mutual references across commits stand too",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + b, b + "/v1.0.0 2026-02-01 ref=" + a},
	}, {
		name: "what was published together is not satisfied by an older version",
		ready: []string{a + "/v2.0.0 2026-02-01 commit=x ref=" + b, b + "/v2.0.0 2026-02-01 commit=x ref=" + c,
			b + "/v1.0.0 2026-01-01"},
		want: []string{a + "/v2.0.0: " + b, b + "/v2.0.0: " + c},
	}, {
		name:  "not if the other one was refused either",
		ready: []string{a + "/v2.0.0 2026-02-01 commit=x ref=" + b, b + "/v1.0.0 2026-01-01"},
		lost:  []content.Intent{{Item: b, Commit: "x"}},
		want:  []string{a + "/v2.0.0: " + b},
	}, {
		name:  "what was refused on another commit does not matter",
		ready: []string{a + "/v2.0.0 2026-02-01 commit=x ref=" + b, b + "/v1.0.0 2026-01-01"},
		lost:  []content.Intent{{Item: b, Commit: "y"}, {Item: c, Commit: "x"}},
	}, {
		name:  "a sealed publication is never held and satisfies others",
		ready: []string{a + "/v1.0.0 2026-01-01 sealed ref=" + c, b + "/v1.0.0 2026-01-01 ref=" + a},
	}, {
		name:  "a sealed publication does not hold up the one it needs",
		ready: []string{a + "/v1.0.0 2026-01-01 commit=x sealed ref=" + b, b + "/v1.0.0 2026-01-01 commit=x ref=" + c},
		want:  []string{b + "/v1.0.0: " + c},
	}, {
		name:  "a reference to itself is satisfied",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + a},
	}, {
		name:  "also when the item has other versions",
		ready: []string{a + "/v1.0.0 2026-01-01 ref=" + a, a + "/v1.1.0 2026-02-01 ref=" + a + " ref=" + b},
		want:  []string{a + "/v1.1.0: " + b},
	}} {
		t.Run(test.name, func(t *testing.T) {
			if got := holds(content.Hold(publications(t, test.ready...), test.lost)); !slices.Equal(got, test.want) {
				t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
		})
	}
}

// holds writes down which publications wait, and for what.
func holds(held map[*content.Publication]content.Reference) (lines []string) {
	for p, r := range held {
		lines = append(lines, p.Tag()+": "+r.Item)
	}
	slices.Sort(lines)
	return lines
}

func TestHoldSaysWhereTheReferenceStands(t *testing.T) {
	p := publication(t, "guidelines/a/v1.0.0 2026-01-01 ref=guidelines/a ref=guidelines/b")
	want := content.Reference{Item: "guidelines/b", Line: 2, Column: 1}
	if got := content.Hold([]*content.Publication{p}, nil)[p]; got != want {
		t.Errorf("got %+v", got)
	}
}

// Whatever refers to whatever: what is served has all it refers to, what is
// held lacks something, and the order in which publications come says nothing.
func TestHoldProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		ready, lost := randomPublications(t, random)
		held := content.Hold(ready, lost)
		for _, p := range ready {
			_, isHeld := held[p]
			if isHeld == (p.Sealed || satisfied(p, ready, held, lost)) {
				t.Fatalf("%s: held is %t; all held: %v", p.Tag(), isHeld, holds(held))
			}
		}
		random.Shuffle(len(ready), func(i, j int) { ready[i], ready[j] = ready[j], ready[i] })
		if again := content.Hold(ready, lost); !maps.Equal(held, again) {
			t.Fatalf("in another order others are held: %v and %v", holds(held), holds(again))
		}
		if simple := holdSimply(ready, lost); !slices.Equal(tags(held), tags(simple)) {
			t.Fatalf("%v are held, by the simple way %v", holds(held), holds(simple))
		}
	}
}

// holdSimply holds one publication after the other until nothing changes.
func holdSimply(ready []*content.Publication, lost []content.Intent) map[*content.Publication]content.Reference {
	held := map[*content.Publication]content.Reference{}
	for changed := true; changed; {
		changed = false
		for _, p := range ready {
			if _, already := held[p]; !already && !p.Sealed && !satisfied(p, ready, held, lost) {
				held[p], changed = content.Reference{}, true
			}
		}
	}
	return held
}

func tags(held map[*content.Publication]content.Reference) (all []string) {
	for p := range held {
		all = append(all, p.Tag())
	}
	slices.Sort(all)
	return all
}

// A chain of references is held link by link, and takes a moment; looking at all
// publications again for each link would take minutes.
func TestHoldChain(t *testing.T) {
	const links = 60_000
	ready := make([]*content.Publication, links)
	for i := range ready {
		ready[i] = &content.Publication{
			Kind: content.Guidelines, Name: fmt.Sprint("g", i),
			Version: semver.New(1, 0, 0, "", ""), Commit: fmt.Sprint(i),
			Text: content.Written{Refers: []content.Reference{{Item: fmt.Sprint("guidelines/g", i+1)}}},
		}
	}
	held := content.Hold(ready, nil)
	if len(held) != links || held[ready[0]].Item != "guidelines/g1" {
		t.Errorf("%d of %d are held", len(held), links)
	}
}

func randomPublications(t *testing.T, r *rand.Rand) (ready []*content.Publication, lost []content.Intent) {
	item := func() string { return fmt.Sprintf("guidelines/%c", 'a'+rune(r.IntN(6))) }
	commit := func() string { return fmt.Sprintf("c%d", r.IntN(4)) }
	for i := range 3 + r.IntN(8) {
		line := []string{fmt.Sprintf("%s/v1.0.%d 2026-01-01 commit=%s", item(), i, commit())}
		for range r.IntN(3) {
			line = append(line, "ref="+item())
		}
		if r.IntN(6) == 0 {
			line = append(line, "sealed")
		}
		ready = append(ready, publication(t, strings.Join(line, " ")))
	}
	for range r.IntN(3) {
		lost = append(lost, content.Intent{Item: item(), Commit: commit()})
	}
	return ready, lost
}

// satisfied says, in the words of the design, whether all that p refers to is
// served when held is not.
func satisfied(p *content.Publication, ready []*content.Publication, held map[*content.Publication]content.Reference,
	lost []content.Intent) bool {
	for _, r := range p.References() {
		together := slices.Contains(lost, content.Intent{Item: r.Item, Commit: p.Commit})
		var served, servedTogether bool
		for _, q := range ready {
			_, waits := held[q]
			if q.Item() != r.Item {
				continue
			}
			served = served || !waits
			together = together || q.Commit == p.Commit
			servedTogether = servedTogether || !waits && q.Commit == p.Commit
		}
		if !served || together && !servedTogether {
			return false
		}
	}
	return true
}
