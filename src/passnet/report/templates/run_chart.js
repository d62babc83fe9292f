// Ranked speedups: which graph a bar is, and the same rows as a table. All else in a chart needs no script.
function rankedRows(run) {
  const spec = DATA.tables.find((known) => known.id === "graphs");
  const place = Object.fromEntries(spec.columns.map((column, at) => [column.key, at]));
  const name = DATA.runs[run].name;
  return spec.rows.filter((row) => row[place.outcome] === "correct" && row[place.speedup] !== null && (!("run" in place) || row[place.run] === name))
    .map((row) => ({ task: row[place.task], graph: row[place.graph], speedup: row[place.speedup] }))
    .sort((a, b) => b.speedup - a.speedup);
}

function rankedChart(svg, run) {
  const rows = rankedRows(run);
  const area = svg.querySelector(".hit");
  const tip = el("div", { class: "tip", hidden: true });
  document.body.append(tip);
  const under = (event) => {
    const box = area.getBoundingClientRect();
    return rows[Math.floor((event.clientX - box.left) / box.width * rows.length)];
  };
  area.addEventListener("pointermove", (event) => {
    const row = under(event);
    tip.hidden = row === undefined;
    if (row === undefined) return;
    tip.textContent = `${row.task} ${row.graph}: ${figure(row.speedup, 3)}`;
    tip.style.left = `${Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)}px`;
    tip.style.top = `${event.clientY + 14}px`;
  });
  area.addEventListener("pointerleave", () => { tip.hidden = true; });
  area.addEventListener("click", (event) => {
    const row = under(event);
    tip.hidden = true;
    if (row !== undefined) location.hash = address("task", { name: row.task, graph: row.graph });
  });
  const filter = DATA.runs.length > 1 ? { "f.run": DATA.runs[run].name } : {};
  svg.closest("figure").append(el("p", {}, el("a", { href: address("graphs", { ...filter, sort: "-speedup" }) }, "the same as a table")));
}

for (const svg of document.querySelectorAll("svg[aria-labelledby^='ranked-']")) {
  rankedChart(svg, Number.parseInt(svg.getAttribute("aria-labelledby").slice("ranked-".length), 10));
}
