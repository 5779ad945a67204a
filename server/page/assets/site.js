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

// A calculation is shared by its address: what was filled in stands after the #,
// which no browser sends to anyone.
const calculation = () => {
  const form = document.querySelector("form[data-share]");
  if (!form) return;
  const filled = () => {
    const data = [...new FormData(form)].filter(([name, value]) => value && name !== "add");
    return "#" + new URLSearchParams(data);
  };
  const addRow = (list) => {
    const rows = form.querySelector(`[data-rows="${CSS.escape(list)}"]`);
    const n = rows?.children.length;
    if (!n || n >= 200) return false;
    const row = rows.lastElementChild.cloneNode(true);
    const [old, next] = [`${list}.${n - 1}`, `${list}.${n}`];
    for (const e of row.querySelectorAll("*")) {
      for (const { name, value } of [...e.attributes]) {
        e.setAttribute(name, value.replaceAll(old, next).replaceAll(old.replaceAll(".", "-"), next.replaceAll(".", "-")));
      }
      if (e.type === "radio") e.checked = e.defaultChecked;
      else if ("value" in e && e.tagName === "INPUT") { e.value = ""; e.removeAttribute("value"); }
    }
    const legend = row.querySelector("legend");
    if (legend) legend.textContent = n + 1;
    rows.append(row);
    return true;
  };
  const fill = (data) => {
    for (const [name, value] of data) {
      let field = form.elements[name];
      for (let at = /^(.+?)\.\d+(?=\.|$)/.exec(name); !field && at && addRow(at[1]);) field = form.elements[name];
      if (field) { field.value = value; (field[0] ?? field).closest?.("details")?.setAttribute("open", ""); }
    }
  };
  // The answer takes the place of the page, so that Back and Forward lead from one to the other.
  form.addEventListener("submit", async (event) => {
    const { submitter } = event;
    if (submitter?.formAction?.includes("format=csv")) return;
    event.preventDefault();
    const at = location.pathname + (submitter?.name ? location.hash : filled());
    const answer = await fetch(form.getAttribute("action"), {
      method: "POST", headers: { Accept: "text/html" }, body: new URLSearchParams(new FormData(form, submitter)),
    });
    if (location.hash !== new URL(at, location).hash || location.search) history.pushState(null, "", at);
    shown(await answer.text());
  });
  form.addEventListener("click", (event) => {
    const { name, value } = event.target;
    if (name === "add" && addRow(value)) event.preventDefault();
  });
  const copy = form.querySelector("[data-copy]");
  if (copy && navigator.clipboard) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(location.origin + location.pathname + filled());
      copy.textContent = "Ссылка скопирована";
    });
  }
  if (location.hash.includes("=") && !document.querySelector("[data-result], .faults")) {
    fill(new URLSearchParams(location.hash.slice(1)));
    form.requestSubmit();
  }
};
const shown = (html) => {
  const made = new DOMParser().parseFromString(html, "text/html");
  document.querySelector("main").replaceWith(made.querySelector("main"));
  document.title = made.title;
  document.querySelector("main .faults a, main [autofocus]")?.focus();
  calculation();
};
if (document.querySelector("form[data-share]")) {
  calculation();
  addEventListener("popstate", async () => (!location.hash || location.hash.includes("=")) && shown(await (await fetch(location.pathname + location.search, { headers: { Accept: "text/html" } })).text()));
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
