package lsp

import (
	"context"
	"errors"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"rulestore/content/crash"
)

// guarded recovers panics: in a request they become its error, in a notification an entry in
// the log.
func (s *server) guarded(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
		method, call := strings.Clone(req.Method()), req.IsCall()
		defer func() {
			if p := recover(); p != nil {
				crashed := crash.Of(p)
				crash.Tell(s.log, crashed, "method", method)
				result, err = nil, jsonrpc2.Errorf(jsonrpc2.InternalError, "%s: %v", method, crashed)
			}
			if !call && err != nil {
				s.log.Warn("notification", "method", method, "error", err)
				result, err = nil, nil
			}
		}()
		if err := s.inPhase(method); err != nil {
			return nil, err
		}
		result, err = next(ctx, req)
		if errors.Is(err, jsonrpc2.ErrParse) {
			err = jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s: %v", method, err)
		}
		return result, err
	}
}

// cancellable cancels the context of a request that the client cancels. The library's handler
// for that does not work here, as it uses the context of a finished request.
func (s *server) cancellable(next jsonrpc2.Handler) jsonrpc2.Handler {
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if req.Method() == protocol.MethodCancelRequest {
			return nil, s.cancel(req.Params())
		}
		if !req.IsCall() {
			return next(ctx, req)
		}
		id := req.ID()
		ctx, cancel := context.WithCancel(requestContext{jsonrpc2.DetachContext(ctx), ctx})
		s.cancels.Store(id, cancel)
		defer s.cancels.Delete(id)
		defer cancel()
		return next(ctx, req)
	}
}

// requestContext is the context of a request: it ends with the session, and has the values of
// the library's context.
type requestContext struct {
	context.Context
	values context.Context
}

// Value implements context.Context.
func (r requestContext) Value(key any) any { return r.values.Value(key) }

func (s *server) cancel(params []byte) error {
	var p protocol.CancelParams
	if err := protocol.Unmarshal(params, &p); err != nil {
		return err
	}
	var id jsonrpc2.ID
	switch given := p.ID.(type) {
	case protocol.Integer:
		id = jsonrpc2.NewNumberID(int64(given))
	case protocol.String:
		id = jsonrpc2.NewStringID(string(given))
	}
	if cancel, ok := s.cancels.Load(id); ok {
		cancel.(context.CancelFunc)()
	}
	return nil
}
