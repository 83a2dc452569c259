"use strict";
// A report that works without this script; with it, findings can be filtered, copied, marked, and saved with the marks.
(() => {
  const main = document.getElementById("main");
  const all = document.getElementById("all");
  if (!main || !all) return;
  const cards = [...all.querySelectorAll(".card")];
  const make = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);

  const openTo = (id) => {
    const target = id && document.getElementById(id);
    for (let node = target; node; node = node.parentElement) if (node.tagName === "DETAILS") node.open = true;
    if (target) target.scrollIntoView();
  };
  addEventListener("hashchange", () => openTo(location.hash.slice(1)));
  openTo(location.hash.slice(1));

  const copy = (button, text) => {
    const area = make("textarea", "", { value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    const before = button.textContent;
    button.textContent = done ? "Copied" : "Select the text to copy it";
    button.addEventListener("blur", () => { button.textContent = before; }, { once: true });
  };
  const asked = document.getElementById("questions");
  if (asked) {
    const button = make("button", "Copy the questions", { type: "button", className: "copy" });
    button.addEventListener("click", () =>
      copy(button, [...asked.querySelectorAll("li")].map((item, n) => `${n + 1}. ${item.textContent.trim()}`).join("\n")));
    asked.querySelector("h2").after(button);
  }

  // Marks are attributes and text of the page itself, so a saved copy keeps them.
  const dismiss = (card, reason) => {
    card.classList.add("dismissed");
    card.querySelector(".dismissal")?.remove();
    card.querySelector(".actions").before(make("p", `Not relevant: ${reason}`, { className: "dismissal" }));
  };
  const restore = (card) => {
    card.classList.remove("dismissed");
    card.querySelector(".dismissal")?.remove();
  };
  for (const card of cards) {
    card.querySelector(".actions")?.remove();
    const row = make("p", "", { className: "actions" });
    const take = make("button", "Copy", { type: "button" });
    take.addEventListener("click", () => {
      const said = card.querySelector(".message")?.textContent ?? "";
      const place = card.querySelector(".place")?.textContent ?? "";
      copy(take, place ? `${said} (${place})` : said);
    });
    const mark = make("button", card.classList.contains("dismissed") ? "Restore" : "Not relevant …", { type: "button" });
    mark.addEventListener("click", () => {
      if (card.classList.contains("dismissed")) {
        restore(card);
        mark.textContent = "Not relevant …";
      } else {
        const reason = prompt("Why is this finding not relevant?");
        if (!reason) return;
        dismiss(card, reason);
        mark.textContent = "Restore";
      }
    });
    row.append(take, mark);
    card.append(row);
  }

  document.querySelector(".tools")?.remove();
  const tools = make("div", "", { className: "tools" });
  tools.setAttribute("role", "group");
  tools.setAttribute("aria-label", "Choose among the findings");
  const present = new Set(cards.map((card) => card.dataset.severity));
  const kinds = ["error", "warning", "note"].filter((kind) => present.has(kind)).map((kind) => {
    const box = make("input", "", { type: "checkbox", checked: true, value: kind });
    const label = make("label", "");
    label.append(box, kind);
    tools.append(label);
    return box;
  });
  const file = make("select", "");
  file.setAttribute("aria-label", "File");
  file.append(make("option", "all files", { value: "" }));
  for (const name of [...new Set(cards.map((card) => card.dataset.file))].filter(Boolean).sort())
    file.append(make("option", name, { value: name }));
  const words = make("input", "", { type: "text", placeholder: "search" });
  words.setAttribute("aria-label", "Search the findings");
  const choose = () => {
    const wanted = new Set(kinds.filter((box) => box.checked).map((box) => box.value));
    const sought = words.value.toLowerCase();
    for (const card of cards)
      card.hidden = !(wanted.has(card.dataset.severity) && (!file.value || card.dataset.file === file.value)
        && card.textContent.toLowerCase().includes(sought));
    for (const group of all.querySelectorAll(".group")) group.hidden = !group.querySelector(".card:not([hidden])");
  };
  for (const control of [...kinds, file, words]) control.addEventListener("input", choose);
  const unfold = (open) => { for (const part of main.querySelectorAll("details")) part.open = open; };
  const act = (text, work) => {
    const button = make("button", text, { type: "button" });
    button.addEventListener("click", work);
    return button;
  };
  tools.append(
    file,
    words,
    act("Unfold all", () => unfold(true)),
    act("Fold all", () => unfold(false)),
    act("Print everything", () => {
      document.documentElement.classList.add("print-everything");
      print();
      document.documentElement.classList.remove("print-everything");
    }),
    act("Save with my marks", () => {
      const page = `<!DOCTYPE html>\n${document.documentElement.outerHTML}`;
      const link = make("a", "", { href: URL.createObjectURL(new Blob([page], { type: "text/html" })) });
      link.download = "report.html";
      link.click();
      URL.revokeObjectURL(link.href);
    }),
  );
  all.querySelector("h2").after(tools);
})();
