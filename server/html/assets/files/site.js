// Everything works without this file; it makes a few things quicker.
"use strict";

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
