// A table at a glance: its key design, and what a sample of its items shows.
import { h, post, problem } from "./dom.js";
import { count, size, template } from "./values.js";

export function overviewPage(studio, table) {
  const entities = studio.schema.entities.filter((it) => it.table === table.name);
  const result = h("section", { class: "sample", "aria-label": "Sample" });
  const run = h("button", { type: "button", class: "primary", onclick: sample }, "Sample the table");
  async function sample() {
    run.disabled = true;
    result.replaceChildren(h("p", { class: "quiet loading" }, "Reading items…"));
    try {
      const found = await post("overview", { table: table.name });
      studio.counted(table.name, found);
      result.replaceChildren(...sampled(studio, table, found));
    } catch (error) {
      result.replaceChildren(problem(error));
    } finally {
      run.disabled = false;
    }
  }
  const known = studio.samples.get(table.name);
  if (known) result.replaceChildren(...sampled(studio, table, known));
  return [
    h("h1", {}, table.name),
    table.deployed !== table.name && h("p", { class: "quiet" }, `deployed as ${table.deployed}`),
    table.doc && h("p", { class: "quiet doc" }, table.doc),
    h("h2", {}, "Key design"),
    design(studio, table, entities),
    h("div", { class: "bar" }, h("h2", {}, "Items"), h("span", { class: "grow" }), h("button", { type: "button", onclick: () => studio.openScan(table) }, "Browse all items"), run),
    h("p", { class: "quiet" }, "A sample reads up to 20,000 items, for at most 10 seconds, and consumes read capacity."),
    result,
  ];
}

/** A row for each entity, a column for the table and each index. */
function design(studio, table, entities) {
  const places = [null, ...table.indexes.map((it) => it.name)];
  const cell = (entity, index) => {
    const key = entity.keys.find((it) => it.index === index);
    if (!key) return h("td", { class: "none" }, "—");
    const note = [key.sparse && "sparse", key.when && `when ${key.when}`].filter(Boolean).join(", ");
    return h("td", {}, template(key.pk), key.sk && [h("br"), template(key.sk)], note && h("div", { class: "quiet" }, note));
  };
  const head = places.map((it) => h("th", { scope: "col" }, it ?? "Table", h("div", { class: "quiet" }, it ? keyNames(table.indexes.find((own) => own.name === it)) : keyNames(table))));
  const rows = entities.map((entity) => h("tr", {}, h("th", { scope: "row" }, studio.badge(entity.name), entity.doc && h("div", { class: "quiet doc" }, entity.doc)), places.map((it) => cell(entity, it))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Key design" }, h("table", { class: "design" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Entity"), head)), h("tbody", {}, rows)));
}

function keyNames(place) {
  return place.sk ? `${place.pk} / ${place.sk}` : place.pk;
}

function sampled(studio, table, found) {
  if (found.items === 0) return [h("div", { class: "empty" }, h("p", {}, "The table is empty."))];
  const whole = found.isWhole ? "all of the table" : "a sample: the table has more items";
  const most = Math.max(...found.entities.map((it) => it.bytes), 1);
  const bar = (value, of, color) => {
    const made = h("div", { class: "meter" }, h("div", {}));
    made.firstChild.style.width = `${Math.max(1, (100 * value) / of)}%`;
    if (color) made.firstChild.style.background = color;
    return made;
  };
  const entities = found.entities.map((it) => h("tr", {}, h("th", { scope: "row" }, studio.badge(it.name || null)), number(it.items), h("td", { class: "number" }, size(it.bytes)), h("td", { class: "number" }, size(it.bytes / it.items)), h("td", { class: "number" }, size(it.largest)), h("td", { class: "wide" }, bar(it.bytes, most, studio.color(it.name || null)))));
  const tallest = Math.max(...found.histogram.map((it) => it.count), 1);
  const bars = found.histogram.map((it) => h("tr", {}, h("th", { scope: "row" }, it.from === it.to ? String(it.from) : `${it.from}–${it.to}`), number(it.count), h("td", { class: "wide" }, bar(it.count, tallest))));
  const largest = found.largest.map((it) => h("tr", {}, h("td", { class: "key-text" }, h("button", { type: "button", class: "link", onclick: () => studio.openPartition(it.partition, table.name) }, it.partition.pk ?? "—")), number(it.items), h("td", { class: "number" }, size(it.bytes))));
  const table2 = (titles, rows) => h("table", { class: "figures" }, h("thead", {}, h("tr", {}, titles.map((it) => h("th", { scope: "col" }, it)))), h("tbody", {}, rows));
  return [
    h("div", { class: "tiles" }, tile(found.items.toLocaleString("en"), "items"), tile(size(found.bytes), "of items"), tile(found.partitions.toLocaleString("en"), "partitions"), tile(found.expired.toLocaleString("en"), "expired, not deleted yet"), tile(String(Math.round(found.capacity * 10) / 10), "read units for this")),
    h("p", { class: "quiet" }, whole),
    h("div", { class: "columns" },
      h("section", {}, h("h3", {}, "Entities"), table2(["Entity", "Items", "Bytes", "Average", "Largest", ""], entities)),
      h("section", {}, h("h3", {}, "Partitions by number of items"), table2(["Items", "Partitions", ""], bars)),
      h("section", {}, h("h3", {}, "Largest partitions"), table2(["Partition key", "Items", "Bytes"], largest)),
      h("section", {}, h("h3", {}, "Findings"), findings(studio, found.findings)),
    ),
  ];
}

function number(value) {
  return h("td", { class: "number" }, value.toLocaleString("en"));
}

function tile(value, label) {
  return h("div", { class: "tile" }, h("b", {}, value), h("span", { class: "quiet" }, label));
}

const KINDS = { unreadable: "items that their entity cannot read", undeclared: "items that no entity declares" };

function findings(studio, found) {
  if (found.length === 0) return h("p", { class: "quiet" }, "Every item belongs to an entity that can read it.");
  return found.map((it) => h("div", { class: "finding" }, h("p", {}, `${it.count.toLocaleString("en")} ${KINDS[it.kind]}`), h("ul", {}, it.examples.map(({ row, problem: why }) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => studio.openRow(row) }, studio.keyText(row)), why && h("div", { class: "quiet" }, why))))));
}
