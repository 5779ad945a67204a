package gitrepo

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"time"

	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"

	"rulestore/content/i18n"
)

// client is the https client for remotes.
var client = githttp.NewClient(&http.Client{Transport: anchored{bounded{connections}}})

var connections = &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: 15 * time.Second}).DialContext,
	TLSClientConfig:       &tls.Config{MinVersion: tls.VersionTLS12},
	TLSHandshakeTimeout:   15 * time.Second,
	ResponseHeaderTimeout: patience,
	IdleConnTimeout:       patience,
	MaxIdleConns:          2,
	ForceAttemptHTTP2:     true,
}

// errPage is the error for an HTML response.
var errPage = i18n.Errorf("the host answers with a web page, not with a repository")

// bounded limits responses: the bodies of errors, which would be repeated in messages, and of
// HTML pages are not read.
type bounded struct{ http.RoundTripper }

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := b.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch {
	case res.StatusCode >= http.StatusBadRequest:
		_ = res.Body.Close()
		res.Body = http.NoBody
		return res, nil
	case res.StatusCode < http.StatusMultipleChoices && (kind == "text/html" || kind == "application/xhtml+xml"):
		_ = res.Body.Close()
		return nil, errPage
	}
	limit := int64(maxAdvertised)
	if req.Method == http.MethodPost {
		limit = maxPack
	}
	res.Body = &boundedBody{res.Body, limit}
	return res, nil
}

type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooMuch
	}
	n, err := b.ReadCloser.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// signedIn is a conversation over https with its login.
type signedIn struct {
	session
	adv *packp.AdvRefs
}

func (s *signedIn) AdvertisedReferencesContext(context.Context) (*packp.AdvRefs, error) {
	return s.adv, nil
}

// signIn lists the refs with the known login; if the remote refuses it, once more if there is
// then another login.
func (r Remote) signIn(ctx context.Context) (session, error) {
	first, err := r.login(ctx, false)
	if err != nil {
		return nil, err
	}
	s, err := r.try(ctx, first)
	if r.Login == nil || !isRefusal(err) {
		return s, err
	}
	second, loginErr := r.login(ctx, true)
	if loginErr != nil {
		return nil, errors.Join(err, loginErr)
	}
	if second == nil || first != nil && *first == *second {
		return nil, err
	}
	return r.try(ctx, second)
}

// try lists the refs with a login, nil for none, and reports the result to the login's
// source.
func (r Remote) try(ctx context.Context, login *githttp.BasicAuth) (session, error) {
	var auth transport.AuthMethod
	if login != nil {
		auth = login
	}
	s, err := client.NewUploadPackSession(r.endpoint(), auth)
	if err != nil {
		return nil, err
	}
	adv, err := s.AdvertisedReferencesContext(ctx)
	if login != nil && (err == nil || isRefusal(err)) {
		r.Login.Judge(ctx, r.Address.String(), login.Username, login.Password, err == nil)
	}
	if login != nil && isRefusal(err) {
		return nil, refusedLogin{err}
	}
	if err != nil {
		return nil, err
	}
	return &signedIn{s, adv}, nil
}

// refusedLogin is the error if the remote refuses a login.
type refusedLogin struct{ error }

func (e refusedLogin) Unwrap() error { return e.error }

func isRefusal(err error) bool {
	return errors.Is(err, transport.ErrAuthenticationRequired) || errors.Is(err, transport.ErrAuthorizationFailed)
}

// login returns the login, and an error if it would be sent unencrypted.
func (r Remote) login(ctx context.Context, refused bool) (*githttp.BasicAuth, error) {
	if r.Login == nil {
		return nil, nil
	}
	user, password, err := r.Login.Login(ctx, r.Address.String(), refused)
	switch {
	case err != nil:
		return nil, err
	case user == "" && password == "":
		return nil, nil
	case r.plain():
		return nil, i18n.Errorf("there is a login for %s, and anybody on the way could read it: use https", r.Host)
	}
	return &githttp.BasicAuth{Username: user, Password: password}, nil
}
