// What the address shows: the overview and a place in it, a task, or an episode.
const TABLES = new Map();
for (const spec of DATA.tables) TABLES.set(spec.id, new DataTable(spec, document.querySelector(`[data-table="${CSS.escape(spec.id)}"]`)));

async function route() {
  const [place, query] = splitOnce(location.hash.slice(1));
  const params = new URLSearchParams(query);
  const detail = document.getElementById("detail");
  const view = place === "task" ? await taskView(params.get("name") ?? "", params.get("graph")) : place === "episode" ? await episodeView(params.get("key") ?? "") : null;
  document.getElementById("overview").hidden = view !== null;
  detail.hidden = view === null;
  detail.replaceChildren(...(view === null ? [] : [view]));
  if (view !== null) {
    const asked = view.querySelector("details.card.asked");
    if (asked) { asked.scrollIntoView(); asked.querySelector("summary").focus({ preventScroll: true }); } else view.querySelector("h2").focus();
    return;
  }
  TABLES.get(place)?.restore(params);
  const found = document.getElementById(place);
  if (found instanceof HTMLDetailsElement) found.open = true;
  found?.scrollIntoView();
}

function splitOnce(text) {
  const at = text.indexOf("?");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function shown() {
  route().catch((error) => {
    document.getElementById("detail").hidden = false;
    document.getElementById("detail").replaceChildren(el("p", { class: "missing" }, `This part cannot be shown: ${error.message}`));
  });
}

addEventListener("hashchange", shown);
shown();
document.documentElement.dataset.ready = "yes";
