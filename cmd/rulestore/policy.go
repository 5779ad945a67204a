package main

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"rulestore/content/i18n"
	"rulestore/content/log"
	"rulestore/server/verify"
)

// maxPolicy is the maximum size of a policy in bytes.
const maxPolicy = 64 << 10

// readPolicy reads the policy for heads of a log.
func readPolicy(name string) (log.Policy, error) {
	raw, err := readLimited(name, maxPolicy)
	if err != nil {
		return log.Policy{}, i18n.Errorf("read the policy: %w", err)
	}
	p, err := parsePolicy(raw)
	if err != nil {
		return log.Policy{}, i18n.Errorf("read the policy: %s: %w", name, err)
	}
	return p, nil
}

// parsePolicy reads a policy: the fields log, witnesses, quorum and max_age, and no others.
func parsePolicy(raw []byte) (log.Policy, error) {
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); err != nil && err != io.EOF {
		return log.Policy{}, i18n.Errorf("it is no YAML: %w", err)
	}
	if err := dec.Decode(&more); err != io.EOF {
		return log.Policy{}, i18n.Errorf("expected one document")
	}
	if len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		return log.Policy{}, i18n.Errorf("expected the fields `log`, `witnesses`, `quorum` and `max_age`")
	}
	var (
		of     policyFields
		fields = doc.Content[0].Content
		seen   = map[string]bool{}
	)
	for i := 0; i < len(fields); i += 2 {
		name, value := fields[i], fields[i+1]
		if seen[name.Value] {
			return log.Policy{}, atLine(name, i18n.Errorf("the field %s stands twice", name.Value))
		}
		seen[name.Value] = true
		if err := of.set(name.Value, value); err != nil {
			return log.Policy{}, atLine(name, err)
		}
	}
	if of.log == "" {
		return log.Policy{}, i18n.Errorf("the field `log` is missing: the public key of the log")
	}
	return log.NewPolicy(of.log, of.witnesses, of.quorum, of.maxAge)
}

// policyFields are the values of a policy.
type policyFields struct {
	log       string
	witnesses []string
	quorum    int
	maxAge    time.Duration
}

// set reads the value of a field.
func (p *policyFields) set(name string, value *yaml.Node) (err error) {
	switch name {
	case "log":
		p.log, err = scalar(value)
	case "witnesses":
		if value.Kind != yaml.SequenceNode {
			return i18n.Errorf("expected a list of public keys")
		}
		for _, one := range value.Content {
			key, err := scalar(one)
			if err != nil {
				return err
			}
			p.witnesses = append(p.witnesses, key)
		}
	case "quorum":
		text, _ := scalar(value)
		if p.quorum, err = strconv.Atoi(text); err != nil || p.quorum < 1 {
			return i18n.Errorf("%.40q is no number of witnesses", text)
		}
	case "max_age":
		text, _ := scalar(value)
		if p.maxAge, err = time.ParseDuration(text); err != nil || p.maxAge <= 0 {
			return i18n.Errorf("%.40q is no age: expected for example 48h", text)
		}
	default:
		return i18n.Errorf("there is no field %.40q: expected `log`, `witnesses`, `quorum` or `max_age`", name)
	}
	return err
}

// scalar returns the text of a value that is no list.
func scalar(n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return "", i18n.Errorf("expected a public key")
	}
	return n.Value, nil
}

func atLine(n *yaml.Node, err error) error { return i18n.Errorf("line %d: %w", n.Line, err) }

// log is how the log of a server is verified.
func (f verifyFlags) log() (*verify.Log, error) {
	if f.policy == "" || f.state == "" {
		return nil, usageErrorf(
			"to check the log, give both --policy, whose signatures count, and --state, a file of your own",
		)
	}
	policy, err := readPolicy(f.policy)
	if err != nil {
		return nil, err
	}
	kept := stateFile(f.state)
	raw, err := kept.read()
	if err != nil {
		return nil, i18n.Errorf("read the state: %w", err)
	}
	l := &verify.Log{Policy: policy, Remember: func(signed []byte) error {
		if err := kept.replace(raw, signed); err != nil {
			return i18n.Errorf("keep the state: %w", err)
		}
		return nil
	}}
	if raw == nil {
		return l, nil
	}
	l.Last, err = policy.Seen(raw)
	if err != nil {
		return nil, i18n.Errorf(
			"--state %s does not hold what was seen of this log (%w): bring it back from a copy; if it is another "+
				"log by now, and you know that from its owner, begin with a new file", f.state, err,
		)
	}
	return l, nil
}
