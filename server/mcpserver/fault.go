package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"rulestore/server/site"
)

func failure(code int64, text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: text}
}

// badRequest is the error of an invalid message, and badParams that of its parameters.
func badRequest(why string) *jsonrpc.Error {
	return failure(jsonrpc.CodeInvalidRequest, "invalid request: "+why)
}

func badParams(why string) *jsonrpc.Error {
	return failure(jsonrpc.CodeInvalidParams, "invalid params: "+why)
}

// invalid is the error of invalid parameters.
func invalid(format string, args ...any) error {
	return failure(jsonrpc.CodeInvalidParams, fmt.Sprintf(format, args...))
}

// isRedacted is the error of a version that was redacted.
func isRedacted(g *site.Gone) error {
	return invalid("version %s of %s was redacted: %s", g.Version, g.Item, g.Reason)
}

// notFound is the error of an unknown URI. That of the SDK is not valid JSON if the URI has
// characters that Go quotes differently, and a failed write ends the session
// (TestSDKQuotesAsGoDoes).
func notFound(uri string) error {
	return &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidParams, Message: "Resource not found",
		Data: marshal(struct {
			URI string `json:"uri"`
		}{uri}),
	}
}

// protocolError converts an error of a handler to one that can be written: with a code and
// JSON data, and with its message cut if it is not one of this package.
func protocolError(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	e := jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest}
	if known, ok := errors.AsType[*jsonrpc.Error](err); ok {
		e = *known
	}
	if e.Message != err.Error() {
		e.Message = clip(err.Error())
	}
	if !json.Valid(e.Data) {
		e.Data = nil
	}
	return &e
}

// maxMessage is the maximum length of the message of such an error, in bytes.
const maxMessage = 500

// clip returns the beginning of a text.
func clip(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
}
