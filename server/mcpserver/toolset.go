package mcpserver

import (
	"slices"
	"strings"

	"rulestore/content/i18n"
	"rulestore/server/api"
)

// connector is the toolset for clients that require the tools search and fetch with a fixed
// contract (platform.openai.com, «Building MCP servers for ChatGPT and API integrations»). It
// is selected alone, as its tool search differs.
const connector = api.ConnectorSet

// Names for several toolsets.
const (
	defaultSets = "default"
	allSets     = "all"
)

// sets is a selection of toolsets: a bit for each, by its index in [api.Toolsets].
type sets uint

// setsOf returns the selection of toolsets by name, which must exist.
func setsOf(names ...string) (chosen sets) {
	for _, name := range names {
		chosen |= 1 << slices.IndexFunc(api.Toolsets, func(t api.Toolset) bool { return t.Name == name })
	}
	return chosen
}

// has reports whether the selection has any of the others.
func (s sets) has(other sets) bool { return s&other != 0 }

// String lists the names of the selection, separated by commas.
func (s sets) String() string {
	var names []string
	for _, t := range api.Toolsets {
		if s.has(setsOf(t.Name)) {
			names = append(names, t.Name)
		}
	}
	return strings.Join(names, ",")
}

// CheckToolsets validates a list of toolsets for [Config].
func CheckToolsets(list string) error {
	_, err := parseSets(list)
	return err
}

// parseSets parses names separated by commas. "" and default are the default selection; all
// is every toolset.
func parseSets(list string) (chosen sets, err error) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		known := false
		for _, t := range api.Toolsets {
			if name == t.Name || name == allSets && t.Name != connector || name == defaultSets && t.Default {
				chosen |= setsOf(t.Name)
				known = true
			}
		}
		if !known && name != "" {
			return 0, i18n.Errorf(
				"no toolset is called %.40q: choose from %s, %s, %s", name, ^sets(0), defaultSets, allSets,
			)
		}
	}
	if chosen.has(setsOf(connector)) && chosen != setsOf(connector) {
		return 0, i18n.Errorf("the toolset %s is chosen alone: its search is not that of other toolsets", connector)
	}
	if chosen == 0 {
		return parseSets(defaultSets)
	}
	return chosen, nil
}
