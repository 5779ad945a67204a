package author

import (
	"bytes"
	"context"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Seal returns the seal of a tag at the head. It is an error if there is none, or if there are
// several.
func (r *Repository) Seal(ctx context.Context, tag string) (content.Seal, error) {
	head, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return content.Seal{}, err
	}
	files, err := r.sealsAt(strings.TrimSpace(head))
	if err != nil {
		return content.Seal{}, err
	}
	var found []content.Seal
	for _, line := range files.lines() {
		if seal, err := content.ParseSeal(line); err == nil && seal.Tag == tag {
			found = append(found, seal)
		}
	}
	switch len(found) {
	case 0:
		return content.Seal{}, i18n.Errorf(
			"%s has no seal here: only what is sealed can be approved, see `rulestore publish`", tag,
		)
	case 1:
		return found[0], nil
	}
	return content.Seal{}, i18n.Errorf("%s has %d seals: `rulestore status` says which one counts", tag, len(found))
}

// Approve signs a seal for a namespace with a key, by default that of git's settings, and
// commits the approval. It is not done if the approval exists already.
func (r *Repository) Approve(ctx context.Context, seal content.Seal, namespace, key string) (done bool, err error) {
	if key == "" {
		if key, err = r.signingKey(ctx); err != nil {
			return false, err
		}
	}
	signature, err := r.sign(ctx, seal.Approved(), namespace, key)
	if err != nil {
		return false, err
	}
	path := content.ApprovalsPath(seal.Item())
	before, err := r.read(path)
	if err != nil {
		return false, err
	}
	lines := strings.FieldsFunc(before, func(c rune) bool { return c == '\n' })
	line := content.Approval{Seal: seal, Signature: signature}.String()
	if slices.Contains(lines, line) {
		return false, nil
	}
	lines = append(lines, line)
	slices.Sort(lines)
	if err := r.write(path, strings.Join(lines, "\n")+"\n"); err != nil {
		return false, err
	}
	return true, r.commit(ctx, []string{path}, fmt.Sprintf("Approve %s\n", seal.Tag))
}

// signingKey returns the SSH key that git signs with.
func (r *Repository) signingKey(ctx context.Context) (string, error) {
	format, _ := r.git(ctx, "config", "--get", "gpg.format")
	key, err := r.git(ctx, "config", "--type=path", "--get", "user.signingKey")
	if err != nil || strings.TrimSpace(format) != "ssh" {
		return "", i18n.Errorf("git signs with no SSH key here: name the file of one with --key")
	}
	return strings.TrimSpace(key), nil
}

// sign signs with ssh-keygen, as git does: with a key in a file, or a key of the agent that is
// written in the settings.
func (r *Repository) sign(ctx context.Context, payload []byte, namespace, key string) ([]byte, error) {
	program, _ := r.git(ctx, "config", "--type=path", "--get", "gpg.ssh.program")
	if program = strings.TrimSpace(program); program == "" {
		program = "ssh-keygen"
	}
	args := []string{"-Y", "sign", "-n", namespace, "-f", key}
	if literal, ok := literalKey(key); ok {
		file, err := os.CreateTemp("", "rulestore-key-*")
		if err != nil {
			return nil, err
		}
		defer os.Remove(file.Name())
		defer file.Close()
		if _, err := file.WriteString(literal + "\n"); err != nil {
			return nil, err
		}
		args = append(args[:5], file.Name(), "-U")
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = r.Dir, r.env, bytes.NewReader(payload)
	var out, wrong bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &wrong
	if err := cmd.Run(); err != nil {
		return nil, i18n.Errorf(
			"sign with %s: %w: %s", program, err, content.Printable(strings.TrimSpace(wrong.String())),
		)
	}
	block, _ := pem.Decode(out.Bytes())
	if block == nil || block.Type != "SSH SIGNATURE" {
		return nil, i18n.Errorf("sign with %s: it wrote no signature", program)
	}
	return block.Bytes, nil
}

// literalKey returns a public key that is written in the settings instead of the name of a file.
func literalKey(key string) (literal string, ok bool) {
	if literal, ok = strings.CutPrefix(key, "key::"); ok {
		return literal, true
	}
	return key, strings.HasPrefix(key, "ssh-")
}
