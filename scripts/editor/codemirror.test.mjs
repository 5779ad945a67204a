// What somebody sees who types in an editor: CodeMirror with its own client.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { JSDOM } from "jsdom";
import { repository, start, until } from "./server.mjs";

// The editor expects a browser, of which it needs the document alone.
const { window } = new JSDOM("<!doctype html><body></body>", { pretendToBeVisual: true });
for (const name of ["window", "Window", "document", "Node", "HTMLElement", "MutationObserver", "getComputedStyle", "requestAnimationFrame", "cancelAnimationFrame"]) {
  globalThis[name] ??= name === "window" ? window : window[name];
}
window.Range.prototype.getClientRects = () => [];
const { acceptCompletion, currentCompletions, startCompletion } = await import("@codemirror/autocomplete");
const { forEachDiagnostic } = await import("@codemirror/lint");
const { LSPClient, languageServerExtensions } = await import("@codemirror/lsp-client");
const { EditorView } = await import("@codemirror/view");

const common = "guidelines/product.common.001.yaml";
let repo, server, client, view;

// transport puts messages into the frames of stdio.
function transport(child) {
  let handlers = [], rest = Buffer.alloc(0);
  child.stdout.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (let m; (m = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString("latin1"))) && rest.length >= m[0].length + Number(m[1]);) {
      const message = rest.subarray(m[0].length, m[0].length + Number(m[1])).toString();
      rest = rest.subarray(m[0].length + Number(m[1]));
      handlers.forEach((h) => h(message));
    }
  });
  return {
    send: (message) => child.stdin.writable && child.stdin.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`),
    subscribe: (h) => handlers.push(h),
    unsubscribe: (h) => { handlers = handlers.filter((other) => other !== h); },
  };
}

before(async () => {
  repo = repository();
  server = start(repo.dir);
  client = new LSPClient({ rootUri: repo.uri(""), timeout: 30000, extensions: languageServerExtensions() }).connect(transport(server.child));
  await client.initializing;
  view = new EditorView({ doc: repo.read(common), parent: document.body, extensions: [client.plugin(repo.uri(common), "yaml")] });
});
after(async () => {
  view.destroy();
  server.child.stdin.end();
  await server.ended;
  repo.remove();
});

// type replaces text as if it were typed, letter by letter.
function type(old, text) {
  const from = view.state.doc.toString().indexOf(old);
  assert.ok(from >= 0, `there is no ${old}`);
  view.dispatch({ changes: { from, to: from + old.length }, selection: { anchor: from }, userEvent: "delete" });
  for (const [i, c] of [...text].entries()) {
    const at = from + [...text].slice(0, i).join("").length;
    view.dispatch({ changes: { from: at, insert: c }, selection: { anchor: at + c.length }, userEvent: "input.type" });
  }
}

function diagnostics() {
  const all = [];
  forEachDiagnostic(view.state, (d, from, to) => all.push({ ...d, text: view.state.sliceDoc(from, to) }));
  return all;
}

test("a misspelt code is marked where it is, behind Cyrillic and astral letters, and no more when it is mended", async () => {
  type("\ntitle: ", "\ntitle: 𝔸𝔸 и ");
  type("- kasko", "- kasco");
  const [found] = await until(() => { const all = diagnostics(); return all.length === 1 && all; }, "a finding");
  assert.equal(found.severity, "error");
  assert.equal(found.text, "kasco");
  type("- kasco", "- kasko");
  await until(() => diagnostics().length === 0, "none");
});

test("a code is completed while it is typed", async () => {
  type("- kasko", "- kas");
  startCompletion(view);
  await until(() => currentCompletions(view.state).some((c) => c.displayLabel === "kasko"), "it is offered");
  await until(() => acceptCompletion(view), "it is taken");
  assert.match(view.state.doc.toString(), /^ +- kasko$/m);
  await until(() => diagnostics().length === 0, "nothing is wrong with it");
});
