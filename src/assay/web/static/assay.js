// Small improvements; every page works without them.
(() => {
  "use strict";

  const enhance = (root) => {
    root.querySelectorAll("[data-copy]").forEach((button) => { button.hidden = !navigator.clipboard; });
    root.querySelectorAll("img[data-optional]").forEach((image) => {
      const gone = () => { image.closest("figure").hidden = true; };
      if (image.complete && image.naturalWidth === 0 && image.currentSrc) gone();
      image.addEventListener("error", gone, { once: true });
    });
    root.querySelectorAll("[data-events]").forEach(follow);
    root.querySelectorAll("[data-since]").forEach(tick);
  };

  // Progress of a job: the server sends the same piece of page that a reload would show.
  const follow = (place) => {
    if (place.dataset.followed) return;
    place.dataset.followed = "yes";
    const source = new EventSource(place.dataset.events);
    source.addEventListener("progress", (event) => { place.innerHTML = event.data; });
    source.addEventListener("done", () => { source.close(); window.location.reload(); });
  };

  // A clock that runs.
  const tick = (place) => {
    const minutes = Math.floor((Date.now() - new Date(place.dataset.since)) / 60000);
    place.textContent = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    setTimeout(() => place.isConnected && tick(place), 15000);
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy).textContent.trim();
    navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; });
  });

  // Files may be dropped anywhere on the panel that takes them.
  document.querySelectorAll("form[data-drop]").forEach((form) => {
    const input = form.querySelector("input[type=file]");
    const zone = form.querySelector(".dropzone");
    const chosen = form.querySelector("[data-chosen]");
    const name = () => {
      const names = Array.from(input.files, (file) => file.name);
      chosen.textContent = names.length > 1 ? `${names.length} files: ${names.join(", ")}` : "";
    };
    input.addEventListener("change", name);
    ["dragover", "dragleave", "drop"].forEach((kind) => form.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.toggle("over", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) { input.files = event.dataTransfer.files; name(); }
    }));
  });

  document.addEventListener("DOMContentLoaded", () => enhance(document));
  document.addEventListener("htmx:load", (event) => enhance(event.target));
})();
