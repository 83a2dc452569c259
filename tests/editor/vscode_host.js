// Stands in for VS Code, which no package registry offers: runs the extension of a folder with one open document,
// prints the command that it starts and the diagnostics that it shows, and stops it.
//   node vscode_host.js EXTENSION-FOLDER SETTINGS-JSON DOCUMENT-URI LANGUAGE TEXT
"use strict";
const Module = require("node:module");
const process = require("node:process");
const [folder, settings, uri, languageId, text] = process.argv.slice(2);

let failed = false;
const gone = { dispose() {} };
const listen = () => gone;

// Whatever else the client asks for is a class, a function and a namespace at the same time.
function anything(known = {}) {
  return new Proxy(class {}, {
    get: (made, key) => known[key] ?? made[key] ?? (typeof key === "symbol" || key === "then" ? undefined : anything()),
    has: () => true,
    apply: () => gone,
  });
}

class Uri {
  constructor(text) { this.text = text; this.scheme = text.split(":")[0]; this.fsPath = this.path = text.replace("file://", ""); }
  static parse(text) { return new Uri(text); }
  toString() { return this.text; }
}
class EventEmitter {
  constructor() { this.event = listen; }
  fire() {}
  dispose() {}
}
class CancellationTokenSource {
  constructor() { this.token = { isCancellationRequested: false, onCancellationRequested: listen }; }
  cancel() {}
  dispose() {}
}
class Diagnostic {
  constructor(range, message, severity) { Object.assign(this, { range, message, severity }); }
}

const document = { uri: new Uri(uri), languageId, version: 1, getText: () => text };
const shown = { set: (where, found) => { if (found?.length) finish(found); }, delete() {}, clear() {}, dispose() {} };
const events = { get: (known, key) => known[key] ?? (String(key).startsWith("on") ? listen : anything()) };
const vscode = anything({
  version: "1.82.0",
  Uri, EventEmitter, CancellationTokenSource, Diagnostic,
  workspace: new Proxy({
    textDocuments: [document], notebookDocuments: [], workspaceFolders: undefined, isTrusted: true,
    getConfiguration: () => ({ get: (key, other) => JSON.parse(settings)[key] ?? other }),
  }, events),
  window: new Proxy({
    visibleTextEditors: [], tabGroups: { all: [], onDidChangeTabs: listen }, activeTextEditor: undefined,
    createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, dispose() {} }),
    showErrorMessage: async (message) => { failed = true; console.log(JSON.stringify({ message })); },
  }, events),
  languages: new Proxy({
    createDiagnosticCollection: () => shown,
    match: (wanted) => [wanted].flat().some((one) => one.language === languageId) ? 10 : 0,
  }, events),
});

const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
const spawn = require("node:child_process").spawn;
require("node:child_process").spawn = (command, args, options) => {
  console.log(JSON.stringify({ started: [command, ...args], where: options.cwd }));
  return spawn(command, args, options);
};
const extension = require(folder);

async function finish(found) {
  console.log(JSON.stringify({ diagnostics: found.map((one) => one.code?.value ?? one.code) }));
  await extension.deactivate();
  process.exit(0);
}

extension.activate({ extensionPath: folder, subscriptions: [] }).then(() => failed && process.exit(0));
