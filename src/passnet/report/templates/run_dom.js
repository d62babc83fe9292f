"use strict";
// Builds everything from data by elements and text nodes. Nothing that a record says is ever read as markup.
const DATA = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["rect", "line", "path", "circle", "text"]);
const SHAPE_ATTRIBUTES = new Set(["class", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "d", "text-anchor"]);

/** An element with attributes, listeners (functions) and children; texts become text nodes. */
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return node;
}

/** A drawing made by Python: a list of marks. Unknown marks and attributes are left out. */
function drawn(drawing, natural) {
  const node = document.createElementNS(SVG, "svg");
  const [width, height] = drawing.size;
  node.setAttribute("class", "chart");
  node.setAttribute("role", "img");
  node.setAttribute("aria-label", `${drawing.title}. ${drawing.described}`);
  node.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (natural) { node.setAttribute("width", width); node.setAttribute("height", height); }
  for (const [tag, at, text, tip] of drawing.marks) {
    if (!SHAPES.has(tag)) continue;
    const mark = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(at)) if (SHAPE_ATTRIBUTES.has(name)) mark.setAttribute(name, String(value));
    mark.textContent = text;
    if (tip) { const title = document.createElementNS(SVG, "title"); title.textContent = tip; mark.append(title); }
    node.append(mark);
  }
  return node;
}

/** A box that scrolls sideways, by keyboard too. */
function scroller(label, ...children) {
  return el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": label }, ...children);
}

function figure(value, digits) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  return digits === undefined ? String(Number(value.toPrecision(4))) : value.toFixed(digits);
}

function interval(pair, digits) {
  return pair ? `${figure(pair[0], digits)} to ${figure(pair[1], digits)}` : "-";
}

const OWNERLESS = new Set(["unstable", "reference_error", "out_of_memory", "infrastructure"]);
function outcomeClass(outcome) {
  return outcome === "correct" ? "right" : OWNERLESS.has(outcome) ? "void" : "wrong";
}

/** A plain table: heads, and rows of texts or nodes. */
function table(caption, heads, rows, kind = "numeric") {
  const cell = (value, place) => el(place ? "td" : "th", place ? {} : { scope: "row" }, value instanceof Node ? value : String(value));
  return scroller(caption, el("table", { class: kind }, el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell))))));
}

function folded(title, ...children) {
  return el("details", { class: "card" }, el("summary", {}, title), ...children);
}

/** The content of a compressed part of the page. */
async function part(key) {
  const bytes = Uint8Array.from(atob(document.getElementById(key).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

const WORDS = /("""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(#[^\n]*)|\b(def|return|import|from|as|if|elif|else|for|while|in|is|not|and|or|class|with|None|True|False|lambda|pass|raise|try|except|yield|assert|del|global)\b|\b(\d[\w.]*)/g;

/** Python with coloured words, as text nodes. */
function python(text) {
  const code = el("code", {});
  let end = 0;
  for (const found of text.matchAll(WORDS)) {
    code.append(text.slice(end, found.index));
    const kind = found[1] !== undefined ? "s" : found[2] !== undefined ? "c" : found[3] !== undefined ? "k" : "n";
    code.append(el("span", { class: `py-${kind}` }, found[0]));
    end = found.index + found[0].length;
  }
  code.append(text.slice(end));
  return el("pre", { tabindex: 0 }, code);
}
