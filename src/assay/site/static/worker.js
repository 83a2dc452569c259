// Python runs here, beside the page, so that the page stays responsive.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const SITE = "/lib/assay-site";
let python, bridge;

async function start() {
  const listed = await (await fetch("files.json")).json();
  const archives = listed.packages.map(async (path) => [path, new Uint8Array(await (await fetch(path)).arrayBuffer())]);
  python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  for (const [path, bytes] of await Promise.all(archives)) {
    python.unpackArchive(bytes, path.endsWith(".whl") ? "wheel" : "zip", { extractDir: SITE });
  }
  python.runPython(`import sys; sys.path.insert(0, "${SITE}")`);
  bridge = python.pyimport("assay.site.bridge");
  return { checklists: JSON.parse(bridge.checklists()), version: listed.assay };
}

const ready = start();

const ACTIONS = {
  start: () => ready,
  text: ({ text }) => JSON.parse(bridge.judge_text(text)),
  file: ({ name, bytes }) => JSON.parse(bridge.judge_file(name, python.toPy(bytes))),
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
