// What the library that VS Code speaks the protocol with gets from the server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import {
  CodeActionRequest, CodeLensRequest, CompletionRequest, createProtocolConnection, DefinitionRequest, DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification, DidOpenTextDocumentNotification, ExecuteCommandRequest, ExitNotification, HoverRequest, InitializedNotification,
  InitializeRequest, PrepareRenameRequest, PublishDiagnosticsNotification, ReferencesRequest, RenameRequest, ShowDocumentRequest,
  ShowMessageNotification, ShowMessageRequest, ShutdownRequest,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { repository, start, until } from "./server.mjs";

const common = "guidelines/product.common.001.yaml";
let repo, server, client, capabilities;
const told = new Map(), messages = [], shown = [];

before(async () => {
  repo = repository();
  server = start(repo.dir);
  client = createProtocolConnection(server.child.stdout, server.child.stdin);
  client.onNotification(PublishDiagnosticsNotification.type, (p) => told.set(p.uri, p));
  client.onNotification(ShowMessageNotification.type, (p) => messages.push(p.message));
  client.onRequest(ShowMessageRequest.type, (p) => p.actions[0]);
  client.onRequest(ShowDocumentRequest.type, (p) => { shown.push(p); return { success: true }; });
  client.onRequest("workspace/codeLens/refresh", () => null);
  client.listen();
  ({ capabilities } = await client.sendRequest(InitializeRequest.type, {
    processId: process.pid, rootUri: null, locale: "ru", workspaceFolders: [{ uri: repo.uri(""), name: "rules" }],
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} }, codeLens: { refreshSupport: true } },
      textDocument: { hover: { contentFormat: ["markdown"] } },
      window: { showDocument: { support: true } },
    },
  }));
  await client.sendNotification(InitializedNotification.type, {});
});
after(() => repo.remove());

// open opens a file with a text in place of another; the cursor is at ¦.
async function open(path, old = "", text = "") {
  const changed = repo.read(path).replace(old, text);
  const at = changed.indexOf("¦");
  const document = TextDocument.create(repo.uri(path), "yaml", 1, changed.replace("¦", ""));
  await client.sendNotification(DidOpenTextDocumentNotification.type, { textDocument: { uri: document.uri, languageId: "yaml", version: 1, text: document.getText() } });
  return { document, at: { textDocument: { uri: document.uri }, position: document.positionAt(Math.max(at, 0)) } };
}

const close = ({ document }) => client.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri: document.uri } });
const findings = (document) => until(() => { const p = told.get(document.uri); return p?.version === document.version && p.diagnostics; }, "findings");
const place = (l) => `${decodeURIComponent(l.uri).split("мои правила/")[1]}:${l.range.start.line + 1}`;

test("findings come and go with what is typed", async () => {
  const f = await open(common, "    - kasko\n", "    - kasco\n");
  const found = await until(async () => (await findings(f.document)).find((d) => d.code === "unknown-code"), "the code is found");
  assert.equal(f.document.getText(found.range), "kasco");
  assert.equal(found.severity, 1);
  assert.match(found.message, /^Кода «kasco» нет в справочнике/);
  const change = { range: found.range, text: "kasko" };
  TextDocument.update(f.document, [change], 2);
  await client.sendNotification(DidChangeTextDocumentNotification.type, { textDocument: { uri: f.document.uri, version: 2 }, contentChanges: [change] });
  await until(async () => (await findings(f.document)).length === 0, "it is mended");
  await close(f);
});

test("a code is completed in a file that cannot be read", async () => {
  const f = await open(common, "    - kasko\n", "    - kas¦\n    - [\n");
  const { items } = await client.sendRequest(CompletionRequest.type, f.at);
  const kasko = items.find((i) => i.label === "kasko");
  assert.ok(kasko.detail, "it has a title");
  assert.match(TextDocument.applyEdits(f.document, [kasko.textEdit]), /\n    - kasko\n    - \[\n/);
  await close(f);
});

test("a field is explained, and a code leads to its record", async () => {
  const f = await open(common, "    - kasko\n", "    - kas¦ko\n");
  const hover = await client.sendRequest(HoverRequest.type, f.at);
  assert.match(hover.contents.value, /^\*\*kasko\*\* — /);
  assert.equal(f.document.getText(hover.range), "kasko");
  const [definition] = await client.sendRequest(DefinitionRequest.type, f.at);
  assert.match(place(definition), /^registries\/taxonomy\.yaml:\d+$/);
  const all = await client.sendRequest(ReferencesRequest.type, { ...f.at, context: { includeDeclaration: true } });
  assert.ok(all.length > 3 && all.some((l) => place(l) === place(definition)), `${all.map(place)}`);
  await close(f);
});

test("a code is renamed in all files, an id in none", async () => {
  const f = await open(common, "    - kasko\n", "    - kas¦ko\n");
  const prepared = await client.sendRequest(PrepareRenameRequest.type, f.at);
  assert.equal(prepared.placeholder, "kasko");
  const edit = await client.sendRequest(RenameRequest.type, { ...f.at, newName: "hull" });
  for (const change of edit.documentChanges) {
    const document = TextDocument.create(change.textDocument.uri, "yaml", 1, repo.read(fileURLToPath(change.textDocument.uri).slice(repo.dir.length + 1)));
    const before = document.getText().match(/\bkasko\b/g).length;
    const after = TextDocument.applyEdits(document, change.edits);
    assert.equal(before - (after.match(/\bkasko\b/g) ?? []).length, change.edits.length);
    assert.ok(change.edits.every((e) => e.annotationId && edit.changeAnnotations[e.annotationId].needsConfirmation));
  }
  await until(() => messages.find((m) => m.includes("ломает то, на что опираются читатели")), "people are told");
  const id = { ...f.at, position: { line: 0, character: 16 } };
  await assert.rejects(client.sendRequest(PrepareRenameRequest.type, id), (e) => e.code === -32803 && /идентификатор не меняется/.test(e.message));
  await close(f);
});

test("what is mechanical is mended, what was meant is offered", async () => {
  const f = await open(common, "scenario: product_analysis\n", "scenario: product_analisys\r\n");
  await until(async () => (await findings(f.document)).length === 2, "two findings");
  const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
  const actions = await client.sendRequest(CodeActionRequest.type, { textDocument: { uri: f.document.uri }, range, context: { diagnostics: [] } });
  const after = (kind, has) => TextDocument.applyEdits(f.document, actions.find((a) => a.kind === kind && a.title.includes(has)).edit.documentChanges[0].edits);
  assert.match(after("quickfix", "product_analysis"), /^scenario: product_analysis\r$/m);
  assert.match(after("source.fixAll.rulestore", "crlf"), /^scenario: product_analisys$/m);
  await close(f);
});

test("lenses say what is published, what comes next, and who refers to it", async () => {
  const f = await open(common, "title: Общие", "title: Самые общие");
  const [fate, callers] = await client.sendRequest(CodeLensRequest.type, { textDocument: { uri: f.document.uri } });
  assert.match(fate.command.title, /^v\d+\.\d+\.\d+ → v\d+\.\d+\.\d+: формулировка$/);
  assert.match(callers.command.title, /^[1-9]\d* ссыл(ка|ки|ок)$/);
  assert.ok(capabilities.executeCommandProvider.commands.includes(callers.command.command));
  await client.sendRequest(ExecuteCommandRequest.type, { command: callers.command.command, arguments: callers.command.arguments });
  await until(() => shown.length === 1, "a referrer is shown");
  await close(f);
});

test("what the server cannot do is an error, and it says goodbye", async () => {
  await assert.rejects(client.sendRequest("textDocument/nonsense", {}), (e) => e.code === -32601);
  await client.sendRequest(ShutdownRequest.type);
  await client.sendNotification(ExitNotification.type);
  assert.equal(await server.ended, 0);
});
