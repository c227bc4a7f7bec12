// The page: navigation, the main view, and the panel of an item.
import { get, h, post, problem } from "./dom.js";
import { createForm, itemPanel } from "./item.js";
import { overviewPage } from "./overview.js";
import { itemsView, patternPage } from "./patterns.js";
import { brief, count, size } from "./values.js";

const COLORS = 12;
const main = document.getElementById("main");
const side = document.getElementById("side");
const nav = document.getElementById("nav");

const studio = {
  schema: undefined,
  samples: new Map(),
  again: undefined,
  /** Where the focus returns when the panel closes. */
  opener: undefined,

  color(entity) {
    const at = studio.schema.entities.findIndex((it) => it.name === entity);
    return at < 0 ? "var(--undeclared)" : `var(--entity-${at % COLORS})`;
  },

  badge(entity) {
    const made = h("span", { class: "badge" }, entity ?? "undeclared");
    made.style.setProperty("--entity", studio.color(entity));
    return made;
  },

  keyText(row) {
    const table = studio.schema.tables.find((it) => it.name === studio.tableOf(row));
    const part = (name) => (name && row.attributes[name] ? brief(row.attributes[name]) : undefined);
    const keys = table ? [part(table.pk), part(table.sk)] : Object.values(row.attributes).slice(0, 2).map(brief);
    return keys.filter((it) => it !== undefined).join(" / ") || "item";
  },

  tableOf(row) {
    return studio.schema.entities.find((it) => it.name === row.entity)?.table ?? studio.current;
  },

  show(...elements) {
    main.replaceChildren(...elements.flat().filter(Boolean));
    main.scrollTop = 0;
  },

  showPanel(elements) {
    side.hidden = false;
    document.body.classList.add("with-panel");
    side.replaceChildren(...elements.flat().filter(Boolean));
    side.scrollTop = 0;
  },

  closePanel() {
    side.hidden = true;
    document.body.classList.remove("with-panel");
    side.replaceChildren();
    studio.opener?.focus();
  },

  openRow(row, opener) {
    studio.opener = opener ?? document.activeElement;
    if (row.id) return studio.openId(row.id);
    return undefined;
  },

  async openId(id) {
    studio.showPanel([h("p", { class: "quiet loading" }, "Loading the item…")]);
    try {
      studio.showPanel(itemPanel(studio, await post("item", { id })));
    } catch (error) {
      studio.showPanel([h("div", { class: "panel-head" }, h("span", { class: "grow" }), h("button", { type: "button", class: "small", onclick: studio.closePanel }, "✕")), problem(error)]);
    }
  },

  /** After a write: the list is read again, and the item shown. */
  async written(id) {
    studio.again?.();
    if (id) await studio.openId(id);
    else studio.closePanel();
  },

  openPattern(name, given) {
    const pattern = studio.schema.patterns.find((it) => it.name === name);
    studio.current = pattern.table;
    const page = patternPage(studio, pattern, given);
    studio.again = () => page.find((it) => it.tagName === "FORM")?.requestSubmit();
    mark(`pattern:${name}`);
    studio.show(page);
    main.querySelector("input, select")?.focus();
  },

  openTable(name) {
    const table = studio.schema.tables.find((it) => it.name === name);
    studio.current = name;
    studio.again = undefined;
    mark(`table:${name}`);
    studio.show(overviewPage(studio, table));
  },

  openScan(table) {
    studio.current = table.name;
    const title = [h("h1", {}, table.name), h("p", { class: "quiet" }, `All items, in no order. ${table.noScan ? "The declaration forbids scans to the application." : ""}`)];
    endless(title, "scan", { table: table.name }, table.name, null);
  },

  openPartition(place, tableName) {
    studio.current = tableName;
    const title = [h("h1", { class: "key-text" }, place.pk), h("p", { class: "quiet" }, `A partition of ${place.index ?? "the table"}, with the items of all entities, in the order of the sort key`)];
    endless(title, "partition", { partition: place.partition }, tableName, place.index);
  },

  counted(name, found) {
    studio.samples.set(name, found);
    for (const entity of found.entities) {
      const shown = nav.querySelector(`[data-count="${CSS.escape(entity.name)}"]`);
      if (shown) shown.textContent = `${entity.items.toLocaleString("en")}${found.isWhole ? "" : "+"}`;
    }
  },
};

/** A list that reads on until its end, page by page. */
function endless(title, path, request, tableName, index) {
  const holder = h("div", { class: "result" });
  const more = h("button", { type: "button", onclick: () => read() }, "Load more");
  const facts = h("span", { class: "facts", role: "status" }, "Loading…");
  const items = [];
  let next, capacity = 0;
  async function read(pages = 1) {
    more.disabled = true;
    try {
      for (let page = 0; page < pages; page += 1) {
        const found = await post(path, { ...request, start: next });
        items.push(...found.items);
        capacity += found.capacity;
        next = found.next;
        if (!next) break;
      }
      holder.replaceChildren(itemsView(studio, items, tableName, index));
      const bytes = items.reduce((sum, it) => sum + it.bytes, 0);
      facts.textContent = `${count(items.length, "item")}${next ? " so far" : ""} · ${size(bytes)} · ${Math.round(capacity * 10) / 10} read units`;
    } catch (error) {
      holder.replaceChildren(problem(error));
      facts.textContent = "";
    }
    more.hidden = !next;
    all.hidden = !next;
    more.disabled = false;
  }
  const all = h("button", { type: "button", hidden: true, onclick: () => read(50) }, "Load 10,000 more");
  studio.again = () => {
    items.length = 0;
    next = undefined;
    capacity = 0;
    return read();
  };
  studio.show(title, h("div", { class: "bar" }, facts, h("span", { class: "grow" }), more, all), holder);
  read();
}

function mark(name) {
  for (const it of nav.querySelectorAll("[aria-current]")) it.removeAttribute("aria-current");
  nav.querySelector(`[data-name="${CSS.escape(name)}"]`)?.setAttribute("aria-current", "page");
}

function drawNav() {
  const { schema } = studio;
  const filter = h("input", { type: "search", placeholder: "Find a table or access pattern", "aria-label": "Find a table or access pattern", oninput: find });
  const link = (kind, name, label, open) => h("button", { type: "button", class: `nav-${kind}`, data: { name: `${kind}:${name}`, find: name.toLowerCase() }, onclick: open }, label);
  const tables = schema.tables.map((table) => {
    const entities = schema.entities.filter((it) => it.table === table.name);
    return h("section", {}, link("table", table.name, table.name, () => studio.openTable(table.name)), entities.map((entity) => {
      const patterns = schema.patterns.filter((it) => it.entity === entity.name);
      const create = schema.write && h("button", { type: "button", class: "small new", "aria-label": `New ${entity.name}`, title: `New ${entity.name}`, onclick: () => studio.showPanel(createForm(studio, entity)) }, "+");
      return h("div", { class: "nav-entity" },
        h("div", { class: "nav-head" }, studio.badge(entity.name), h("span", { class: "grow" }), h("span", { class: "quiet number", data: { count: entity.name } }), create),
        patterns.map((it) => link("pattern", it.name, [h("span", {}, it.name.split("::")[1]), h("span", { class: "quiet fields" }, it.fields.filter((own) => own.required).map((own) => own.name).join(", "))], () => studio.openPattern(it.name))));
    }));
  });
  nav.replaceChildren(filter, ...tables);
  function find() {
    const text = filter.value.toLowerCase();
    for (const it of nav.querySelectorAll("[data-find]")) it.hidden = !it.dataset.find.includes(text);
    for (const it of nav.querySelectorAll(".nav-entity")) it.hidden = !it.querySelector("[data-find]:not([hidden])");
    for (const it of nav.querySelectorAll("section")) it.hidden = !it.querySelector("[data-find]:not([hidden])");
  }
}

async function start() {
  try {
    studio.schema = await get("schema");
  } catch (error) {
    studio.show(problem(error));
    return;
  }
  const { schema } = studio;
  document.title = `${schema.name} · Studio`;
  document.getElementById("top").replaceChildren(
    h("strong", {}, schema.name),
    h("span", { class: "quiet title" }, schema.title),
    h("span", { class: "grow" }),
    h("span", { class: schema.write ? "state write" : "state" }, schema.write ? "Writes are on" : "Read-only"),
    !schema.showSensitive && schema.entities.some((it) => it.attributes.some((own) => own.sensitive)) ? h("span", { class: "state" }, "Sensitive fields are hidden") : "",
  );
  drawNav();
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !side.hidden) studio.closePanel();
  });
  if (schema.tables.length) studio.openTable(schema.tables[0].name);
  else studio.show(h("div", { class: "empty" }, h("p", {}, "The schema has no tables.")));
}

start();
