package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func failure(code int64, text string) *jsonrpc.Error {
	return &jsonrpc.Error{Code: code, Message: text}
}

// invalid is an error in the parameters of a request.
func invalid(format string, args ...any) error {
	return failure(jsonrpc.CodeInvalidParams, fmt.Sprintf(format, args...))
}

// notFound is the error of a URI at which nothing is. That of the SDK is no JSON if the
// URI has characters that Go quotes in other ways than JSON, and what cannot be written
// ends the session (TestSDKQuotesAsGoDoes).
func notFound(uri string) error {
	return &jsonrpc.Error{
		Code: jsonrpc.CodeInvalidParams, Message: "Resource not found",
		Data: marshal(struct {
			URI string `json:"uri"`
		}{uri}),
	}
}

// told is an error of a handler as it can be written: with a code, data that is JSON,
// and a message that is no longer than somebody wants to read, unless it is ours.
func told(err error) error {
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

// maxMessage is how many bytes of what went wrong are told.
const maxMessage = 500

// clip returns the beginning of a text.
func clip(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	if len(text) <= maxMessage {
		return text
	}
	return strings.ToValidUTF8(text[:maxMessage], "") + "…"
}
