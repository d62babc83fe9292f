// The part about one task.
async function taskView(name, graph) {
  const box = el("article", {}, backLink("tasks"), el("h2", { tabindex: -1 }, name), el("p", { class: "lead" }, titleOf(name)));
  const key = DATA.tasks[name];
  if (key === undefined) return unknown(box, "no run of this page has this task");
  const played = Object.entries(DATA.episodes).filter(([, episode]) => episode.task === name).map(([episode]) => episode);
  if (played.length) {
    box.append(el("h3", {}, "Episodes"), el("ul", {}, played.map((episode) => el("li", {}, el("a", { href: address("episode", { key: episode }) }, episode)))));
  }
  if (key === null) return unknown(box, "there was no room for this task in the page");
  const task = await part(key);
  for (const run of task.runs) box.append(taskRun(name, run, graph));
  if (task.times.length) box.append(el("h3", {}, "Where the time goes"), ...task.times.map(timesOf));
  if (task.sources.length) box.append(el("h3", {}, "Graphs"), ...task.sources.map(sourceOf));
  if (!task.runs.length) box.append(el("p", {}, "No record of this task yet."));
  return box;
}

// The list from which the reader came: its heading, and its address with its filters. None where a link led here.
let CAME = null;
addEventListener("click", (event) => {
  const place = event.target.closest?.("#overview a[href^='#task?'], #overview a[href^='#episode?'], #overview .hit")?.closest("section:not(.missing)");
  const head = place?.querySelector("h2");
  if (head) CAME = { words: head.textContent, address: TABLES.get(head.id)?.state() ?? `#${head.id}` };
}, true);

function backLink(place) {
  return el("p", {}, CAME ? el("a", { href: CAME.address }, "← back to ", CAME.words) : el("a", { href: `#${place}` }, "← all ", place));
}

function unknown(box, why) {
  box.append(el("p", { class: "missing" }, why));
  return box;
}

function taskRun(task, run, wanted) {
  const profiled = run.graphs.find((graph) => graph.kernel_times)?.name;
  const { name, what, device } = DATA.runs[run.run];
  const { AS, correct, graphs, scored, speedup, solved } = run.score;
  const words = [`AS ${figure(AS, 3)}`, `${correct} of ${scored} graphs right`, graphs > scored ? `${graphs - scored} without a verdict` : null, speedup === null ? null : `speedup of right graphs ${figure(speedup, 3)}`,
    solved === null ? null : `solved ${figure(100 * solved, 0)} %`].filter(Boolean).join(", ");
  const conventions = ["deployed", "captured", "device", "cold", "published"].filter((kind) => run.graphs.some((graph) => kind in graph.speeds));
  const heads = ["graph", "outcome", "speedup", "95 % interval", ...conventions, "eager us", "compiled us"];
  const rows = run.graphs.map((graph) => [graph.name, el("span", { class: outcomeClass(graph.outcome) }, graph.outcome), figure(graph.speeds.direct, 3),
    `${interval(graph.interval, 3)}${graph.scored_at === "low" ? ", scored at its low end" : ""}`, ...conventions.map((kind) => figure(graph.speeds[kind], 3)), figure(graph.eager_us, 1), figure(graph.compiled_us, 1)]);
  return el("section", {}, el("h3", {}, `${name}: ${what} on ${device}`), el("p", {}, words),
    table(`Figures of ${name}`, heads, rows),
    run.graphs.map((graph) => graphCard(graph, wanted === graph.name, task, profiled)), passesOf(run),
    el("p", { class: "lead" }, "Again: ", el("code", {}, run.command)));
}

function graphCard(graph, open, task, profiled) {
  const slower = graph.verdict === "surely slower";
  const slow = slower || graph.verdict === "tie" ? el("span", { class: `badge ${slower ? "wrong" : "void"}` }, graph.verdict) : "";
  const card = folded(el("span", {}, graph.name, el("span", { class: `badge ${outcomeClass(graph.outcome)}` }, graph.outcome), slow,
    graph.why ? ` ${graph.why}` : ""));
  if (open) card.classList.add("asked");
  card.open = open || slower || graph.outcome !== "correct";
  card.append(el("p", { class: "lead" }, graph.full));
  if (graph.doubts.length) card.append(el("h4", {}, "To read with care"), el("p", {}, graph.doubts.join("; ")));
  if (graph.detail && graph.detail !== graph.why) card.append(el("h4", {}, "What the record says"), el("pre", { class: "wrap", tabindex: 0 }, graph.detail));
  if (graph.findings.length) card.append(table("Integrity findings", ["class", "layer", "evidence"], graph.findings, "words"));
  if (graph.near.length) card.append(nearOf(graph.near));
  card.append(el("dl", { class: "facts" }, graph.facts.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])));
  if (graph.kernel_times) card.append(kernelsOf(graph.kernel_times)); else if (profiled) card.append(el("p", {}, "The time by kernel is known of ",
    el("a", { href: address("task", { name: task, graph: profiled }) }, profiled), ", another graph of this task."));
  if (graph.processes.length) {
    card.append(table("Pairs of fresh processes, one of eager and one of the candidate", ["groups of blocks", "calls a block", "speedup", "eager us", "compiled us", "A/A: eager / eager"],
      graph.processes.map(([quads, calls, ...times]) => [quads, calls, figure(times[0], 3), figure(times[1], 1), figure(times[2], 1), figure(times[3], 3)])));
  }
  return card;
}

function kernelsOf(times) {
  const rows = [...times.kernels.map(([name, us]) => [name, us, ""]), ["sum of these kernels", times.sum_us, "compiled"],
    ["the candidate's device time, all kernels", times.device_us, "compiled"], [`least time of the work, by ${times.bound_by}`, times.bound_us, "bound"]].filter(([, us]) => us !== null);
  const most = Math.max(...rows.map(([, us]) => us), 1e-9);
  const left = times.left_out ? ` ${times.left_out} shorter kernels are in the sum only.` : "";
  return el("div", {}, table("Time by kernel in one call", ["what", "us", "% of the sum", "bar"],
    rows.map(([name, us, kind], place) => [name, figure(us, 2), place > times.kernels.length ? "" : figure(100 * us / times.sum_us, 0), barOf(us / most, kind)]), "times"),
    el("p", { class: "lead" }, `Kernels that the profiler saw in the wrappers of the passes. The rest of the graph is not among them, but is in the device time and in the least time. The profiler times each kernel by itself, and the device time is of replayed CUDA graphs: two clocks, so the sum may be a little above the device time. Eager's kernels are not recorded.${left}`));
}

function nearOf(near) {
  const heads = [...new Set(near.flatMap((miss) => Object.keys(miss)))];
  return table("Near misses: rules that almost matched", heads, near.map((miss) => heads.map((head) => miss[head] ?? "-")), "words");
}

function passesOf(run) {
  if (run.passes_missing) return el("p", { class: "lead" }, "The judged passes are not at hand, or have changed since.");
  return Object.entries(run.passes).map(([name, text]) => folded(`Pass file ${name}`, python(text)));
}

function sourceOf(source) {
  const inputs = ([name, rows]) => folded(`Inputs of ${name}`, table(name, ["input", "type"], rows, "words"));
  const names = source.variants.map(([name]) => name).join(", ");
  return el("section", {}, el("h4", {}, names),
    source.drawing ? el("div", { class: "drawing" }, scroller(source.drawing.title, drawn(source.drawing, true)), el("p", { class: "lead" },
      "Blue: elementwise; purple: reductions; orange: library calls; grey: views; dashed: inputs; thick: outputs."),
      source.stands_for.length > 1 ? el("p", { class: "lead" }, `The drawing stands for ${source.stands_for.join(", ")}; the types of the inputs are those of ${source.stands_for[0]}.`) : null) : null,
    folded("Source", python(source.text)), source.variants.map(inputs));
}

function timesOf(row) {
  const whole = [["eager", row.eager_us, ""], ["compiled", row.compiled_us, "compiled"], ["bound of the device", row.bound_us, "bound"],
    ["launches of eager", row.launch_us, ""]].filter(([, us]) => us !== null);
  const share = row.bound_us && row.compiled_us ? `; the program reaches ${figure(100 * row.bound_us / row.compiled_us, 0)} % of the bound` : "";
  const title = `${row.graph}: limited by ${row.limited_by || "unknown"}${share}`;
  const bars = (rows) => { const most = Math.max(...rows.map(([, us]) => us), 1e-9);
    return rows.map(([name, us, kind]) => [name, figure(us, 1), barOf(us / most, kind)]); };
  const tables = [["Time of a call", whole], ["Statements of eager", row.statements], ["Kernels of eager", row.kernels]].filter(([, rows]) => rows.length)
    .map(([caption, rows]) => table(caption, ["what", "us", "share"], bars(rows), "times"));
  return el("section", {}, el("h4", {}, title), tables);
}

function barOf(share, kind) {
  const bar = el("span", { class: `bar ${kind ?? ""}` });
  bar.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return bar;
}
