// The page: asks the worker, shows its answers. No request goes anywhere but to the files of this site.
const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
let last = 0;

worker.onmessage = ({ data }) => {
  const { resolve, reject } = waiting.get(data.id);
  waiting.delete(data.id);
  "fault" in data ? reject(new Error(data.fault)) : resolve(data.result);
};
worker.onerror = (event) => say(`Python could not be started: ${event.message}`);

function ask(action, more = {}) {
  return new Promise((resolve, reject) => {
    last += 1;
    waiting.set(last, { resolve, reject });
    worker.postMessage({ id: last, action, ...more });
  });
}

const byId = (id) => document.getElementById(id);
const FORMATS = { html: "HTML", md: "Markdown", text: "Text", json: "JSON", csv: "CSV", tex: "LaTeX", sarif: "SARIF" };
const ENDINGS = { text: "txt" };
const EXAMPLE = "Accuracy 0.90, sensitivity 0.80 and specificity 0.80 (100 positives, 200 negatives)";

function say(text) { byId("status").textContent = text; }

function element(tag, text = "", properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  made.textContent = text;
  return made;
}

function save(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes]));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function summary(answer) {
  const counted = Object.entries(answer.counts).filter(([, n]) => n).map(([level, n]) => `${n} ${level}${n > 1 ? "s" : ""}`);
  return [...new Set(answer.verdicts), ...counted].join(", ") || "Nothing found";
}

function shown(answer) {
  const card = element("article", "", { className: "answer" });
  const head = document.createElement("div");
  head.append(element("h3", answer.title), element("p", summary(answer), { className: "summary" }));
  const saves = element("p", "Save as ", { className: "saves" });
  for (const [format, label] of Object.entries(FORMATS)) {
    const button = element("button", label, { type: "button" });
    button.onclick = async () => save(await ask("save", { key: answer.key, format }), `${answer.key}.${ENDINGS[format] ?? format}`);
    saves.append(button);
  }
  head.append(saves);
  const frame = element("iframe", "", { title: answer.title });
  frame.sandbox = "allow-scripts allow-popups allow-downloads";
  frame.src = URL.createObjectURL(new Blob([answer.page], { type: "text/html" }));
  card.append(head, frame);
  return card;
}

async function judge(action, more, what) {
  byId("check").disabled = true;
  say(`Checking ${what}…`);
  byId("result").hidden = false;
  try {
    const found = await ask(action, more);
    const pieces = found.error ? [element("p", found.error, { className: "message error" })] : found.answers.map(shown);
    byId("answers").replaceChildren(...pieces);
  } catch (fault) {
    byId("answers").replaceChildren(element("p", `Assay failed on this input: ${fault.message}`, { className: "message error" }));
  }
  byId("result-title").focus();
  byId("result-title").scrollIntoView({ block: "start" });
  byId("check").disabled = false;
  say("Ready");
}

async function judgeFile(file) {
  await judge("file", { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }, file.name);
}

byId("paste").onsubmit = (event) => {
  event.preventDefault();
  judge("text", { text: byId("text").value }, "the scores");
};
byId("example").onclick = () => { byId("text").value = EXAMPLE; byId("text").focus(); };
byId("file").onchange = ({ target }) => { if (target.files[0]) judgeFile(target.files[0]); target.value = ""; };
document.ondragover = (event) => { event.preventDefault(); document.body.classList.add("dropping"); };
document.ondragleave = () => document.body.classList.remove("dropping");
document.ondrop = (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) judgeFile(event.dataTransfer.files[0]);
};

function offerChecklists(checklists) {
  byId("checklists").replaceChildren(...checklists.map((one) => {
    const line = element("li", `${one.title} (${one.items} items): `);
    const button = element("button", "empty form", { type: "button", className: "quiet" });
    button.onclick = () => save(one.form, `${one.name}.yaml`);
    line.append(button);
    return line;
  }));
  byId("forms").hidden = false;
}

fetch("checklists.json").then((answer) => answer.json()).then(offerChecklists);

ask("start").then(({ version }) => {
  byId("check").disabled = false;
  say(`Ready. Assay ${version}, on this computer alone`);
  ask("prepare");
}).catch((fault) => say(`Python could not be started: ${fault.message}`));

if ("serviceWorker" in navigator) navigator.serviceWorker.register("service-worker.js");
