// Rows of items: a table by entity, or the partitions that hold them. Only the rows in view exist.
import { h } from "./dom.js";
import { brief, count, size, typeOf } from "./values.js";

const ROW = 32;
const SPARE = 12;

/**
 * Shows items. `columns` are attribute names; `open(row, element)` is called for the chosen one.
 * Arrow keys move between rows, Enter opens one.
 */
export function rowList({ items, columns, colors, open, caption, groups }) {
  const entries = groups ? grouped(items, groups) : items.map((row) => ({ row }));
  let active = -1;
  const body = h("div", { class: "rows", role: "rowgroup" });
  const space = h("div", { class: "space" }, body);
  space.style.height = `${entries.length * ROW}px`;
  const head = h("div", { class: "row head", role: "row" }, columns.map((it) => h("div", { role: "columnheader", class: "cell", title: it.title ?? it.name }, it.name)));
  const list = h(
    "div",
    { class: "grid", role: "grid", tabindex: "0", "aria-label": caption, "aria-rowcount": entries.length + 1, onscroll: draw, onkeydown: key },
    head,
    space,
  );
  const widths = columns.map((column) => width(column, items));
  list.style.setProperty("--columns", widths.map((it) => `minmax(${it}px, ${it}fr)`).join(" "));
  list.style.setProperty("--least", `${widths.reduce((sum, it) => sum + it, 0)}px`);
  let drawn = [-1, -1];

  function draw() {
    const from = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
    const to = Math.min(entries.length, from + Math.ceil(list.clientHeight / ROW) + 2 * SPARE);
    if (drawn[0] === from && drawn[1] === to) return;
    drawn = [from, to];
    body.style.transform = `translateY(${from * ROW}px)`;
    body.replaceChildren(...entries.slice(from, to).map((entry, at) => element(entry, from + at)));
  }

  function element(entry, at) {
    if (entry.group) return h("div", { class: "row group", role: "row" }, h("div", { role: "gridcell", class: "cell wide" }, h("b", {}, entry.group), h("span", { class: "quiet" }, ` ${count(entry.count, "item")}`)));
    const { row } = entry;
    const choose = () => {
      active = at;
      redraw();
      open(row, list);
    };
    const cells = columns.map((column) => {
      const value = column.of(row);
      return h("div", { role: "gridcell", class: `cell ${column.class ?? ""} type-${typeOf(value) || "none"}` }, typeof value === "string" ? value : brief(value));
    });
    const bar = colors(row.entity);
    const classes = `row item${at === active ? " active" : ""}${row.problem ? " broken" : ""}`;
    const made = h("div", { class: classes, role: "row", "aria-rowindex": at + 2, "aria-selected": at === active ? "true" : "false", onclick: choose, data: { entity: row.entity ?? "" } }, cells);
    made.style.setProperty("--entity", bar);
    return made;
  }

  function redraw() {
    drawn = [-1, -1];
    draw();
  }

  function key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15, Home: -entries.length, End: entries.length };
    if (event.key === "Enter" && entries[active]?.row) {
      open(entries[active].row, list);
    } else if (event.key in steps && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const step = Math.sign(steps[event.key]);
      active = Math.min(entries.length - 1, Math.max(0, active + steps[event.key]));
      while (entries[active]?.group && entries[active + step]) active += step;
      const top = active * ROW;
      if (top < list.scrollTop) list.scrollTop = top;
      if (top + 2 * ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + 2 * ROW - list.clientHeight;
      redraw();
    } else {
      return;
    }
    event.preventDefault();
  }

  new ResizeObserver(redraw).observe(list);
  return list;
}

/** Puts a heading before the items of each partition. */
function grouped(items, partition) {
  const entries = [];
  let heading;
  for (const row of items) {
    const name = partition(row);
    if (!heading || heading.group !== name) {
      heading = { group: name, count: 0 };
      entries.push(heading);
    }
    heading.count += 1;
    entries.push({ row });
  }
  return entries;
}

function width(column, items) {
  const texts = items.slice(0, 50).map((row) => {
    const value = column.of(row);
    return weight(typeof value === "string" ? value : brief(value));
  });
  const longest = Math.max(weight(column.name), ...texts);
  return Math.min(340, Math.max(64, 24 + Math.ceil(longest * 8)));
}

/** Letters of East Asia are twice as wide. */
function weight(text) {
  let sum = 0;
  for (const letter of text.slice(0, 60)) sum += letter.codePointAt(0) > 0x2e7f ? 1.8 : 1;
  return sum;
}

/** The columns for items: the entity and its key, then attributes in the order of the declaration. */
export function columnsOf(items, schema, table, index) {
  const place = index ? table.indexes.find((it) => it.name === index) : table;
  const keys = [place.pk, place.sk].filter(Boolean);
  const keyNames = new Set([table.pk, table.sk, table.entityType, ...table.indexes.flatMap((it) => [it.pk, it.sk])]);
  const names = new Set(items.map((it) => it.entity));
  const entities = schema.entities.filter((it) => names.has(it.name));
  const columns = [];
  if (names.size > 1 || names.has(null)) columns.push({ name: "Entity", class: "entity", of: (row) => row.entity ?? "—" });
  for (const key of keys) columns.push({ name: key, class: "key", of: (row) => row.attributes[key] });
  const attributes = new Set();
  for (const entity of entities) for (const it of entity.attributes) attributes.add(it.name);
  if (names.has(null) || entities.length === 0) for (const row of items.slice(0, 200)) for (const name of Object.keys(row.attributes)) attributes.add(name);
  const limit = names.size > 1 ? 14 : 40;
  const wanted = [...attributes].filter((name) => !keyNames.has(name) || (entities.length && !keys.includes(name) && entities.some((it) => it.attributes.some((own) => own.name === name))));
  const present = wanted.filter((name) => items.some((row) => row.attributes[name] !== undefined));
  for (const name of present.slice(0, limit)) columns.push({ name, of: (row) => row.attributes[name] });
  columns.push({ name: "Size", class: "number", of: (row) => size(row.bytes) });
  return columns;
}
