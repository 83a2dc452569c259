// Keeps the files of the site, so that it works without a network after the first visit.
const PREFIX = "assay-";

async function current() {
  const listed = await (await fetch("files.json", { cache: "no-store" })).json();
  return { name: PREFIX + listed.version, files: ["./", "files.json", ...Object.keys(listed.files)] };
}

self.addEventListener("install", (event) => {
  event.waitUntil(current().then(async ({ name, files }) => (await caches.open(name)).addAll(files)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(current().then(async ({ name }) => {
    const old = (await caches.keys()).filter((one) => one.startsWith(PREFIX) && one !== name);
    await Promise.all(old.map((one) => caches.delete(one)));
    await self.clients.claim();
  }));
});

self.addEventListener("fetch", (event) => {
  event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
});
