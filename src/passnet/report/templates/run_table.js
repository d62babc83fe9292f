// Tables with search, filters, sorting and pages. Their state stands in the fragment of the address.
const PAGE_ROWS = 50, LONG_TEXT = 160;
const TEXTS = new Set(["text", "task", "graph", "episode", "outcome", "words", "flags"]);

class DataTable {
  constructor(spec, box) {
    Object.assign(this, { spec, box });
    this.texts = spec.rows.map((row) => row.map((cell, i) => searched(spec.columns[i], cell)).join(" ").toLowerCase());
    this.controls = {};
    this.reset();
    this.build();
    this.show();
  }

  reset() {
    this.query = "";
    this.filters = {};
    this.sort = this.spec.sort;
    this.added = new Set();
    this.page = 0;
    this.size = PAGE_ROWS;
  }

  /** Take over a state from an address. Unknown columns are passed over. */
  restore(params) {
    this.reset();
    const keys = new Set(this.spec.columns.map((column) => column.key));
    this.query = params.get("q") ?? "";
    if (keys.has((params.get("sort") ?? "").replace(/^-/, ""))) this.sort = params.get("sort");
    for (const [name, value] of params) if (name.startsWith("f.") && keys.has(name.slice(2))) this.filters[name.slice(2)] = value;
    this.added = new Set(params.getAll("show").filter((key) => keys.has(key)));
    if (params.get("rows") === "all") this.size = Infinity;
    this.page = Math.max(0, Number.parseInt(params.get("page") ?? "1", 10) - 1 || 0);
    this.show();
  }

  state() {
    const params = new URLSearchParams();
    if (this.query) params.set("q", this.query);
    for (const [key, value] of Object.entries(this.filters)) params.set(`f.${key}`, value);
    if (this.sort !== this.spec.sort) params.set("sort", this.sort);
    for (const key of this.added) params.append("show", key);
    if (this.size === Infinity) params.set("rows", "all");
    if (this.page) params.set("page", String(this.page + 1));
    const text = params.toString();
    return text ? `#${this.spec.id}?${text}` : `#${this.spec.id}`;
  }

  build() {
    const changed = (apply) => (event) => { apply(event.target.value); this.page = 0; this.show(); this.remember(); };
    this.controls.search = el("input", { type: "search", placeholder: "part of a name", input: changed((value) => { this.query = value; }) });
    const fields = [el("label", {}, "Search", this.controls.search)];
    this.spec.columns.forEach((column, place) => {
      if (!column.filter) return;
      const values = [...new Set(this.spec.rows.flatMap((row) => worded(row[place])))].sort();
      const options = [el("option", { value: "" }, "all"), ...values.map((value) => el("option", { value }, value))];
      const select = el("select", { class: column.kind === "flags" ? "wide" : null, name: column.key, change: changed((value) => { if (value) this.filters[column.key] = value; else delete this.filters[column.key]; }) }, options);
      this.controls[column.key] = select;
      fields.push(el("label", {}, column.label, select));
    });
    this.boxes = this.spec.columns.filter((column) => column.optional).map((column) => el("input", { type: "checkbox", value: column.key,
      change: (event) => { if (event.target.checked) this.added.add(column.key); else this.added.delete(column.key); this.show(); this.remember(); } }));
    const more = this.boxes.length === 0 ? null : el("details", { class: "columns" }, el("summary", {}, "More columns"),
      this.boxes.map((box) => el("label", {}, box, this.spec.columns.find((column) => column.key === box.value).label)));
    const clear = el("button", { type: "button", click: () => { this.reset(); this.show(); this.remember(); } }, "Clear");
    this.status = el("p", { role: "status", "aria-live": "polite", class: "lead" });
    this.heads = this.spec.columns.map((column) => el("th", { scope: "col", class: TEXTS.has(column.kind) ? null : "n", title: column.hint || null },
      el("button", { type: "button", click: () => this.sortBy(column) }, column.label)));
    this.head = el("tr", {});
    this.body = el("tbody", {});
    this.pager = el("div", { class: "pager" });
    this.box.append(el("div", { class: "tools", role: "search", "aria-label": this.spec.caption }, fields, clear, more), this.status,
      scroller(this.spec.caption, el("table", { class: "data" }, el("thead", {}, this.head), this.body)), this.pager);
  }

  sortBy(column) {
    const falls = this.sort === column.key || (this.sort !== `-${column.key}` && !column.rising && !TEXTS.has(column.kind));
    this.sort = falls ? `-${column.key}` : column.key;
    this.page = 0;
    this.show();
    this.remember();
  }

  remember() { history.replaceState(null, "", this.state()); }

  /** The places of the rows that are wanted, in order. Rows without a value come last. */
  chosen() {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const places = Object.fromEntries(this.spec.columns.map((column, place) => [column.key, place]));
    const wanted = Object.entries(this.filters).map(([key, value]) => [places[key], value]);
    const found = [...this.spec.rows.keys()].filter((row) => words.every((word) => this.texts[row].includes(word))
      && wanted.every(([place, value]) => worded(this.spec.rows[row][place]).includes(value)));
    const falling = this.sort.startsWith("-");
    const place = places[this.sort.replace(/^-/, "")];
    const kind = this.spec.columns[place].kind;
    const value = (row) => {
      const cell = this.spec.rows[row][place];
      const first = Array.isArray(cell) ? cell[0] ?? null : cell;
      return TEXTS.has(kind) || typeof first === "number" ? first : null;
    };
    const named = (x, y) => kind === "task" ? (x > y) - (x < y) : String(x).localeCompare(String(y), "en", { numeric: true });
    const compare = (a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === null || y === null) return (x === null) - (y === null);
      const order = typeof x === "number" && typeof y === "number" ? x - y : named(x, y);
      return falling ? -order : order;
    };
    return found.sort((a, b) => compare(a, b) || a - b);
  }

  show() {
    const rows = this.chosen();
    const last = Math.max(0, Math.ceil(rows.length / this.size) - 1) || 0;
    this.page = Math.min(this.page, last);
    const first = this.size === Infinity ? 0 : this.page * this.size;
    this.body.replaceChildren(...rows.slice(first, first + this.size).map((row) => this.row(this.spec.rows[row])));
    this.controls.search.value = this.query;
    for (const [key, control] of Object.entries(this.controls)) if (key !== "search") control.value = this.filters[key] ?? "";
    for (const box of this.boxes) box.checked = this.added.has(box.value);
    const heads = this.heads.filter((_, place) => this.visible(this.spec.columns[place]));
    if (heads.length !== this.head.children.length || heads.some((head, place) => head !== this.head.children[place])) this.head.replaceChildren(...heads);
    this.spec.columns.forEach((column, place) => {
      const order = this.sort === column.key ? "ascending" : this.sort === `-${column.key}` ? "descending" : null;
      if (order) this.heads[place].setAttribute("aria-sort", order); else this.heads[place].removeAttribute("aria-sort");
      this.heads[place].firstChild.textContent = column.label + (order === "ascending" ? " ▲" : order === "descending" ? " ▼" : "");
    });
    const all = this.spec.rows.length;
    this.status.textContent = rows.length === all ? `${all} rows` : `${rows.length} of ${all} rows`;
    this.showPager(rows.length, last);
  }

  showPager(count, last) {
    const turn = (step) => () => { this.page += step; this.show(); this.remember(); };
    const all = () => { this.size = Infinity; this.page = 0; this.show(); this.remember(); };
    this.pager.replaceChildren(...(last === 0 ? [] : [
      el("button", { type: "button", disabled: this.page === 0, click: turn(-1) }, "Previous"),
      el("span", {}, `page ${this.page + 1} of ${last + 1}`),
      el("button", { type: "button", disabled: this.page === last, click: turn(1) }, "Next"),
      el("button", { type: "button", click: all }, `Show all ${count}`)]));
  }

  /** Optional columns are shown where they were chosen, and where rows are sorted by them on demand. */
  visible(column) {
    return !column.optional || this.added.has(column.key) || (this.sort !== this.spec.sort && this.sort.replace(/^-/, "") === column.key);
  }

  row(values) {
    const named = Object.fromEntries(this.spec.columns.map((column, place) => [column.kind, values[place]]));
    return el("tr", {}, this.spec.columns.map((column, place) => (this.visible(column) ? this.cell(column, values[place], named) : null)));
  }

  cell(column, value, named) {
    const kind = { class: TEXTS.has(column.kind) ? null : "n" };
    switch (column.kind) {
      case "number": return el("td", kind, figure(value, column.digits));
      case "percent": return el("td", kind, typeof value !== "number" ? figure(value) : `${figure(100 * value, column.digits)} %`);
      case "interval": return el("td", kind, interval(value, column.digits));
      case "outcome": return el("td", {}, el("span", { class: outcomeClass(value) }, value));
      case "task": return el("td", { class: "long task" }, el("a", { href: address("task", { name: value }) }, value), el("span", { class: "title" }, titleOf(value)));
      case "flags": return el("td", { class: "long" }, value.join("; "));
      case "graph": return el("td", { class: "long" }, el("a", { href: address("task", { name: named.task, graph: value }) }, value));
      case "episode": return el("td", { class: "long" }, el("a", { href: address("episode", { key: value }) }, value));
      case "words": return el("td", { class: "long why" }, unfolding(value ?? ""));
      default: return el("td", {}, value === null ? "-" : String(value));
    }
  }
}

/** A long text by its beginning, which opens to the whole. */
function unfolding(text) {
  if (text.length <= LONG_TEXT * 1.25) return text;
  const end = Math.max(text.lastIndexOf(" ", LONG_TEXT), LONG_TEXT / 2);
  return el("details", { class: "more" }, el("summary", {}, el("span", { class: "short" }, `${text.slice(0, end)} … `), el("span", { class: "shut" }, "more"), el("span", { class: "open" }, "less")), text);
}

/** What a task is, beside its name. Empty where nobody knows. */
function titleOf(task) {
  return Object.hasOwn(DATA.titles, task) ? DATA.titles[task] : "";
}

/** What a search looks at in a cell. */
function searched(column, cell) {
  if (!TEXTS.has(column.kind)) return "";
  return column.kind === "task" ? `${cell} ${titleOf(cell)}` : worded(cell).join(" ");
}

/** The values of a cell that a filter chooses from. */
function worded(cell) {
  return Array.isArray(cell) ? cell : [String(cell)];
}

function address(place, params) {
  return `#${place}?${new URLSearchParams(params)}`;
}
