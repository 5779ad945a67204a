package site

import (
	"strconv"

	"rulestore/content/markdown"
)

const (
	// maxReferring is the maximum number of referrers listed.
	maxReferring = 50
	// maxNaming is the maximum number of sections listed of each.
	maxNaming = 5
)

// A mention is a referrer with the sections that refer to one target.
type mention struct {
	*referrer
	sections []string
}

// mentions are the references to one target.
type mentions struct {
	config Config
	all    []mention
}

func (n *references) mentions(c Config, target string) mentions {
	return mentions{c, n.incoming[target]}
}

// few are the listed mentions, left is the number of the others.
func (m mentions) few() (few []mention, left int) {
	few = m.all[:min(len(m.all), maxReferring)]
	return few, len(m.all) - len(few)
}

// write adds the mentions to an object if there are any.
func (m mentions) write(o *object) {
	if len(m.all) > 0 {
		m.list(o)
	}
}

func (m mentions) list(o *object) {
	few, left := m.few()
	o.array("referenced_by", bodies(few, func(by mention) Body { return by.json(m.config) }))
	o.count("referenced_by_left", left)
}

func (m mention) json(c Config) Body {
	var o object
	o.text("kind", m.kind)
	o.text("id", m.id)
	o.text("title", m.title)
	o.texts("sections", m.sections[:min(len(m.sections), maxNaming)])
	o.text("url", c.url(m.path))
	return o.end()
}

// markdown adds the mentions to a text if there are any.
func (m mentions) markdown(w *markdown.Plain) {
	few, left := m.few()
	if few != nil {
		w.Heading("Кто использует")
	}
	for _, by := range few {
		w.Item(by.title, by.kind+" "+by.id, m.config.url(by.path))
	}
	if left > 0 {
		w.Text("И ещё: " + strconv.Itoa(left))
	}
}
