package loader_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha512"
	"encoding/pem"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/crypto/ssh"
)

// Tests make thousands of commits and tags, and git starts one to three processes for each.
// The ordinary ones are made here, within the process; whatever is not ordinary, such as a
// merge, is left to git.

// commit commits all files, as `git add -A` and `git commit` do.
func (r *repo) commit(message string) { r.Helper(); r.commitAll(message, false) }

// commitAll is commit, also of nothing that changed if empty is set.
func (r *repo) commitAll(message string, empty bool) {
	r.Helper()
	if _, err := os.Lstat(filepath.Join(r.dir, ".git", "MERGE_HEAD")); err == nil {
		r.commitByGit(message)
		return
	}
	tree, err := r.open().Worktree()
	must(r, err)
	must(r, tree.AddWithOptions(&git.AddOptions{All: true}))
	options := &git.CommitOptions{Author: r.author(2), AllowEmptyCommits: empty}
	if r.signer != nil {
		options.Signer = r.signer
	}
	if _, err := tree.Commit(message+"\n", options); err != nil {
		r.Fatalf("%s: %v", message, err)
	}
}

// commitByGit is commit by git itself, which is much faster where folders are many levels deep.
func (r *repo) commitByGit(message string) {
	r.Helper()
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}

// tag publishes a version at HEAD, as `git tag -a` does.
func (r *repo) tag(id, version string) {
	r.Helper()
	r.annotate("guidelines/"+id+"/v"+version, "Version "+version, nil)
}

// signedTag is tag with a signature, as by `git tag -s`.
func (r *repo) signedTag(id, version, key string) {
	r.Helper()
	r.annotate("guidelines/"+id+"/v"+version, "Signed "+version, newSSHSigner(r.T, key))
}

func (r *repo) annotate(name, message string, signer *sshSigner) {
	r.Helper()
	own := r.open()
	head, err := own.Head()
	must(r, err)
	tag := &gitobject.Tag{
		Name: name, Tagger: *r.author(1), Message: message + "\n",
		TargetType: plumbing.CommitObject, Target: head.Hash(),
	}
	if signer != nil {
		unsigned := &plumbing.MemoryObject{}
		must(r, tag.Encode(unsigned))
		text, err := unsigned.Reader()
		must(r, err)
		signature, err := signer.Sign(text)
		must(r, err)
		tag.PGPSignature = string(signature)
	}
	object := own.Storer.NewEncodedObject()
	must(r, tag.Encode(object))
	id, err := own.Storer.SetEncodedObject(object)
	must(r, err)
	ref := plumbing.NewHashReference(plumbing.NewTagReferenceName(name), id)
	if _, err := own.Reference(ref.Name(), false); err == nil {
		r.Fatalf("there is a tag %s", name)
	}
	must(r, own.Storer.SetReference(ref))
}

// must ends a test for an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *repo) open() *git.Repository {
	r.Helper()
	own, err := git.PlainOpenWithOptions(r.dir, &git.PlainOpenOptions{EnableDotGitCommonDir: true})
	must(r, err)
	return own
}

// native does what a call of git does if it is one of the frequent ones that need no more than
// a reference; otherwise it returns false.
func (r *repo) native(args ...string) (out string, done bool) {
	command := strings.ReplaceAll(strings.Join(args, " "), " -q", "")
	if command == "init -b main" {
		_, err := git.PlainInitWithOptions(r.dir,
			&git.PlainInitOptions{InitOptions: git.InitOptions{DefaultBranch: "refs/heads/main"}})
		return "", err == nil
	}
	own, err := git.PlainOpenWithOptions(r.dir, &git.PlainOpenOptions{EnableDotGitCommonDir: true})
	if err != nil || len(args) < 2 {
		return "", false
	}
	head, err := own.Head()
	if err != nil {
		return "", false
	}
	name := args[len(args)-1]
	switch command {
	case "rev-parse HEAD":
		return head.Hash().String(), true
	case "tag " + name:
		return "", r.pointTo(own, plumbing.NewTagReferenceName(name), head.Hash())
	case "branch " + name:
		return "", r.pointTo(own, plumbing.NewBranchReferenceName(name), head.Hash())
	case "checkout -b " + name:
		branch := plumbing.NewBranchReferenceName(name)
		if !r.pointTo(own, branch, head.Hash()) {
			return "", false
		}
		return "", own.Storer.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, branch)) == nil
	}
	return "", false
}

// pointTo makes a new reference.
func (r *repo) pointTo(own *git.Repository, name plumbing.ReferenceName, to plumbing.Hash) bool {
	if _, err := own.Reference(name, false); err == nil || name.Validate() != nil {
		return false
	}
	return own.Storer.SetReference(plumbing.NewHashReference(name, to)) == nil
}

// author is who commits and tags, as many minutes later as git would be called times.
func (r *repo) author(calls int) *gitobject.Signature {
	r.now = r.now.Add(time.Duration(calls) * time.Minute)
	return &gitobject.Signature{Name: "Author", Email: "author@example.org", When: r.now}
}

// sshKey makes a key and returns the file of its private half; beside it is NAME.pub.
func sshKey(t *testing.T, dir, name string) string {
	t.Helper()
	public, private, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	block, err := ssh.MarshalPrivateKey(private, name)
	must(t, err)
	key, err := ssh.NewPublicKey(public)
	must(t, err)
	file := filepath.Join(dir, name)
	for path, content := range map[string][]byte{
		file: pem.EncodeToMemory(block), file + ".pub": ssh.MarshalAuthorizedKey(key),
	} {
		must(t, os.WriteFile(path, content, 0o600))
	}
	return file
}

// sshSigner signs as `ssh-keygen -Y sign -n git` does.
type sshSigner struct{ ssh.Signer }

func newSSHSigner(t *testing.T, file string) *sshSigner {
	t.Helper()
	raw, err := os.ReadFile(file)
	must(t, err)
	key, err := ssh.ParsePrivateKey(raw)
	must(t, err)
	return &sshSigner{key}
}

// Sign returns the signature of a message, in armor (PROTOCOL.sshsig of OpenSSH).
func (s *sshSigner) Sign(message io.Reader) ([]byte, error) {
	text, err := io.ReadAll(message)
	if err != nil {
		return nil, err
	}
	const namespace, hash = "git", "sha512"
	magic := [6]byte([]byte("SSHSIG"))
	sum := sha512.Sum512(text)
	signature, err := s.Signer.Sign(rand.Reader, ssh.Marshal(struct {
		Magic                     [6]byte
		Namespace, Reserved, Hash string
		Sum                       []byte
	}{magic, namespace, "", hash, sum[:]}))
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "SSH SIGNATURE", Bytes: ssh.Marshal(struct {
		Magic                     [6]byte
		Version                   uint32
		Key                       []byte
		Namespace, Reserved, Hash string
		Signature                 []byte
	}{magic, 1, s.PublicKey().Marshal(), namespace, "", hash, ssh.Marshal(signature)})}), nil
}
