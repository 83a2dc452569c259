// Python runs here, beside the page, so that the page stays responsive.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const SITE = "/lib/assay-site";
let python, bridge, listed;
let pdfReader = null;

async function bytesOf(path) { return new Uint8Array(await (await fetch(path)).arrayBuffer()); }

async function install(paths) {
  for (const [path, bytes] of await Promise.all(paths)) {
    python.unpackArchive(bytes, path.endsWith(".whl") ? "wheel" : "zip", { extractDir: SITE });
  }
}

const fetched = (paths) => paths.map(async (path) => [path, await bytesOf(path)]);

async function start() {
  const runtime = loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  listed = await (await fetch("files.json")).json();
  const archives = fetched(listed.packages);
  python = await runtime;
  await install(archives);
  python.runPython(`import sys; sys.path.insert(0, "${SITE}")`);
  bridge = python.pyimport("assay.site.bridge");
  return { version: listed.assay };
}

const ready = start();

async function judgeFile({ name, bytes }) {
  if (name.toLowerCase().endsWith(".pdf")) await (pdfReader ??= install(fetched(listed.pdf)));
  return JSON.parse(bridge.judge_file(name, python.toPy(bytes)));
}

const ACTIONS = {
  start: () => ready,
  prepare: () => bridge.prepare(),
  text: ({ text }) => JSON.parse(bridge.judge_text(text)),
  file: judgeFile,
  save: ({ key, format }) => bridge.report_bytes(key, format).toJs(),
};

self.onmessage = async ({ data }) => {
  try {
    await ready;
    self.postMessage({ id: data.id, result: await ACTIONS[data.action](data) });
  } catch (error) {
    self.postMessage({ id: data.id, fault: String(error.message ?? error) });
  }
};
