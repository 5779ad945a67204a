// Everything works without this file but live reload; it makes a few things quicker.
"use strict";

// A preview reloads when the server says that something was saved.
const live = document.body.dataset.live;
if (live) {
  const shown = document.querySelector("meta[name=moment]").content;
  const state = document.querySelector("[data-live-state]");
  const changes = new EventSource(live);
  changes.onmessage = (event) => { if (event.data !== shown) location.reload(); };
  changes.onopen = () => { if (state) state.textContent = "Страница обновляется при сохранении файла."; };
  changes.onerror = () => { if (state) state.textContent = "Связь с сервером потеряна, страница обновится, когда он вернётся."; };
}

// A slash goes to the search, wherever nothing is typed.
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
  const search = document.querySelector("[aria-keyshortcuts='/']");
  if (!search) return;
  event.preventDefault();
  search.focus();
  search.select();
});

// What is to be copied is copied by a button.
for (const button of navigator.clipboard ? document.querySelectorAll("[data-copies]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = "Скопировано";
  });
}
