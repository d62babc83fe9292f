"use strict";
for (const button of document.querySelectorAll("th button")) {
  button.addEventListener("click", () => {
    const head = button.closest("th");
    const place = [...head.parentElement.children].indexOf(head);
    const body = head.closest("table").tBodies[0];
    const up = head.getAttribute("aria-sort") === "descending" || (!head.hasAttribute("aria-sort") && !head.classList.contains("n"));
    for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => {
      const cell = row.children[place];
      return cell.classList.contains("n") ? (cell.dataset.value === "" ? null : Number(cell.dataset.value)) : cell.textContent.trim();
    };
    const rows = [...body.rows];
    rows.sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === null || b === null) return (a === null) - (b === null);
      const order = typeof a === "number" ? a - b : a.localeCompare(b);
      return up ? order : -order;
    });
    body.append(...rows);
  });
}
