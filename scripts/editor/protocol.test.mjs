// What the library that VS Code speaks the protocol with gets from the server.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  CodeLensRequest, CompletionRequest, createProtocolConnection, DefinitionRequest, DidChangeTextDocumentNotification,
  DidCloseTextDocumentNotification, DidOpenTextDocumentNotification, ExitNotification, HoverRequest, InitializedNotification,
  InitializeRequest, PublishDiagnosticsNotification, ReferencesRequest, ShutdownRequest,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { repository, start, until } from "./server.mjs";

const common = "guidelines/product.common.001.yaml";
let repo, server, client;
const told = new Map();

before(async () => {
  repo = repository();
  server = start(repo.dir);
  client = createProtocolConnection(server.child.stdout, server.child.stdin);
  client.onNotification(PublishDiagnosticsNotification.type, (p) => told.set(p.uri, p));
  client.onRequest("workspace/codeLens/refresh", () => null);
  client.listen();
  await client.sendRequest(InitializeRequest.type, {
    processId: process.pid, rootUri: null, locale: "ru", workspaceFolders: [{ uri: repo.uri(""), name: "rules" }],
    capabilities: {
      workspace: { codeLens: { refreshSupport: true } },
    },
  });
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
  TextDocument.update(f.document, [{ range: found.range, text: "kasko" }], 2);
  await client.sendNotification(DidChangeTextDocumentNotification.type, { textDocument: { uri: f.document.uri, version: 2 }, contentChanges: [{ text: f.document.getText() }] });
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

test("a code is explained, and a code leads to its record", async () => {
  const f = await open(common, "    - kasko\n", "    - kas¦ko\n");
  const hover = await client.sendRequest(HoverRequest.type, f.at);
  assert.match(hover.contents.value, /^kasko — /);
  assert.equal(f.document.getText(hover.range), "kasko");
  const [definition] = await client.sendRequest(DefinitionRequest.type, f.at);
  assert.match(place(definition), /^registries\/taxonomy\.yaml:\d+$/);
  const all = await client.sendRequest(ReferencesRequest.type, { ...f.at, context: { includeDeclaration: true } });
  assert.ok(all.length > 3 && all.some((l) => place(l) === place(definition)), `${all.map(place)}`);
  await close(f);
});

test("a lens says what is published and what comes next", async () => {
  const f = await open(common, "\ntitle: ", "\ntitle: Главное — ");
  const [fate] = await client.sendRequest(CodeLensRequest.type, { textDocument: { uri: f.document.uri } });
  assert.match(fate.command.title, /^v\d+\.\d+\.\d+ → v\d+\.\d+\.\d+: формулировка$/);
  await close(f);
});

test("what the server cannot do is an error, and it says goodbye", async () => {
  await assert.rejects(client.sendRequest("textDocument/nonsense", {}), (e) => e.code === -32601);
  await client.sendRequest(ShutdownRequest.type);
  await client.sendNotification(ExitNotification.type);
  assert.equal(await server.ended, 0);
});
