// Starts `assay lsp` and connects it to the editor. Everything else is the language server's work.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = ["python", "toml", "latex", "tex"];
let client;

function newClient(folder) {
  const [command, ...args] = vscode.workspace.getConfiguration("assay").get("command");
  // Not in the opened folder: Windows would look there first, and start a program of that name.
  const server = { command, args, options: { cwd: folder } };
  return new LanguageClient("assay", "Assay", server, { documentSelector: LANGUAGES.map((language) => ({ language })) });
}

async function start(folder) {
  client = newClient(folder);
  try {
    await client.start();
  } catch (error) {
    const fix = 'Install it with: pip install "assay-ml[editor]", or set "assay.command" in the settings.';
    vscode.window.showErrorMessage(`Assay could not be started (${error.message}). ${fix}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.isRunning()) await running.stop();
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start(context.extensionPath);
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("assay.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("assay.command") && restart()),
  );
  await start(context.extensionPath);
}

module.exports = { activate, deactivate: stop };
