package content

import "time"

// Settings has the content of rulestore.yaml: the settings of the product as a whole.
type Settings struct {
	Service          string   `json:"service"`
	Title            string   `json:"title"`
	Description      string   `json:"description"`
	Audience         string   `json:"audience"`
	DefaultLanguage  string   `json:"default_language"`
	TimeZone         string   `json:"time_zone"` // name in the IANA database; empty: UTC
	CanonicalBaseURL string   `json:"canonical_base_url"`
	Disclaimer       string   `json:"disclaimer"`
	Demo             bool     `json:"demo"`
	Scenarios        []string `json:"scenarios"`
}

// Zone returns the time zone in which days begin, UTC if none is set or the name is unknown.
func (s Settings) Zone() *time.Location {
	zone, err := time.LoadLocation(s.TimeZone)
	if err != nil || s.TimeZone == "Local" {
		return time.UTC
	}
	return zone
}

// The files in the root of a content repository.
const (
	SettingsFile   = "rulestore.yaml"
	LifecycleFile  = "lifecycle.yaml"
	CheckpointFile = "rulestore.checkpoint" // the signed head of the log
)

// Unsettled are the default settings of a repository without valid ones.
func Unsettled() Settings {
	return Settings{
		Service: "rulestore", Title: "rulestore", DefaultLanguage: "ru", Audience: "ИИ-ассистенты и люди",
		Description: "Версионируемое хранилище правил. Его собственное описание никто не подписал, поэтому оно не " +
			"показано.",
		Disclaimer: "Сведения справочные. Оговорку владельца хранилища никто не подписал, поэтому она не показана.",
	}
}

// SignedFile is the version of a root file that is in force, with its signer.
type SignedFile struct {
	File     string    `json:"file"`
	Commit   string    `json:"commit"` // of the version
	SignedBy Signature `json:"signed_by"`
}
