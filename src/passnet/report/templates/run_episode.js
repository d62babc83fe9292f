// The viewer of one episode: what was asked, called, answered and scored, in order.
async function episodeView(key) {
  const known = DATA.episodes[key];
  const box = el("article", {}, backLink("episodes"), el("h2", { tabindex: -1 }, key));
  if (known === undefined) return unknown(box, "no run of this page has this episode");
  box.append(el("p", {}, "Task ", el("a", { href: address("task", { name: known.task }) }, known.task)));
  if (known.block === null) return unknown(box, "there was no room for this episode in the page");
  const episode = await part(known.block);
  const budget = Object.entries(episode.budget).filter(([, limit]) => limit).map(([name, limit]) => `${limit} ${name}`).join(", ");
  const settings = Object.entries(episode.settings).map(([name, value]) => `${name} ${JSON.stringify(value)}`).join(", ");
  const facts = [["author", episode.author], ["settings", settings], ["score", figure(episode.score, 3)], ["policy", `${episode.policy} on ${episode.device}`],
    ["budget", budget || "none"], ["began with", episode.began_with.join(", ") || "no passes"]].filter(([, text]) => text);
  box.append(el("dl", { class: "facts" }, facts.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)])),
    el("figure", {}, el("figcaption", {}, "Best AS so far"), scroller("Best AS so far", drawn(episode.course))));
  if (!episode.texts) box.append(el("p", { class: "missing" }, "There was no room for the texts of this episode; tools and scores are here."));
  if (episode.opening) box.append(folded("What the author was told first", el("pre", { class: "wrap", tabindex: 0 }, episode.opening)));
  box.append(el("p", { class: "tools" }, el("button", { type: "button", click: () => unfold(box, true) }, "Open all steps"),
    el("button", { type: "button", click: () => unfold(box, false) }, "Close all steps")));
  box.append(...episode.items.map(itemOf));
  return box;
}

function unfold(box, open) {
  for (const card of box.querySelectorAll("details.step")) card.open = open;
}

function itemOf(item) {
  switch (item.is) {
    case "step": return stepOf(item);
    case "message": return messageOf(item);
    case "resume": return el("p", { class: "lead" }, "The episode was interrupted and goes on here.");
    default: return endOf(item);
  }
}

function messageOf(item) {
  const usage = item.usage ? `, ${figure(item.usage.prompt_tokens)} + ${figure(item.usage.completion_tokens)} tokens` : "";
  const card = folded(`${item.role}${usage}: ${item.text.slice(0, 100)}`, el("pre", { class: "wrap", tabindex: 0 }, item.text));
  card.classList.add("step");
  return card;
}

function stepOf(item) {
  const marks = [item.AS === null ? null : `AS ${figure(item.AS, 3)}`, item.best ? "best so far" : null, item.repeated ? "measured before" : null,
    item.ok ? null : "failed", item.malformed ? "malformed" : null].filter(Boolean);
  const summary = el("span", {}, `${item.n}. ${item.tool}${item.diff ? ` ${item.diff.path}` : ""}`,
    marks.map((mark) => el("span", { class: `badge ${mark === "failed" || mark === "malformed" ? "wrong" : mark.startsWith("AS") ? "" : "right"}` }, mark)),
    el("span", { class: "lead" }, ` ${figure(item.seconds, 1)} s`));
  const card = folded(summary);
  card.classList.add("step");
  if (item.arguments) card.append(el("pre", { class: "wrap", tabindex: 0 }, item.arguments));
  if (item.malformed) card.append(el("h3", {}, "As it was written"), el("pre", { class: "wrap", tabindex: 0 }, item.malformed));
  if (item.diff) card.append(diffOf(item.diff));
  if (item.graphs.length) card.append(table("Variants", ["variant", "outcome", "speedup"], item.graphs.map(([name, outcome, speedup]) => [name, outcome, figure(speedup, 3)])));
  if (item.text) card.append(el("h3", {}, "Answer"), el("pre", { class: "wrap", tabindex: 0 }, item.text));
  return card;
}

const CHANGES = { "+": "add", "-": "del", "@": "at" };
function diffOf(diff) {
  if (!diff.lines.length) return el("p", { class: "lead" }, `${diff.path}: nothing changed`);
  return el("pre", { class: "diff", tabindex: 0, "aria-label": `Change of ${diff.path}` },
    diff.lines.map((line) => el("span", { class: CHANGES[line[0]] ?? "same" }, line || " ")));
}

function endOf(item) {
  const score = item.AS === null ? "no score" : `AS ${figure(item.AS, 3)}${item.confirmed ? ", measured once more" : ""}`;
  return el("p", { class: "card" }, el("b", {}, `Ended: ${item.reason}`), ` ${score}`, item.detail ? ` (${item.detail})` : "");
}
