// An access pattern as a form, and its result.
import { copyButton, h, post, problem } from "./dom.js";
import { columnsOf, rowList } from "./rows.js";
import { count, template } from "./values.js";

const LIMITS = [20, 50, 100, 500];

/** The page of an access pattern. `given` are the arguments of a followed relation. */
export function patternPage(studio, pattern, given) {
  const inputs = pattern.fields.map((field) => fieldInput(field, given));
  const descending = h("input", { type: "checkbox", id: "descending" });
  const limit = h("select", { id: "limit" }, LIMITS.map((it) => h("option", { value: String(it) }, String(it))));
  limit.value = "50";
  const result = h("section", { class: "result", "aria-label": "Result" });
  const run = h("button", { type: "submit", class: "primary" }, pattern.isGet ? "Get" : "Run");
  const form = h(
    "form",
    { class: "pattern", onsubmit: (event) => { event.preventDefault(); read(); } },
    inputs.map((it) => it.element),
    h(
      "div",
      { class: "options" },
      !pattern.isGet && pattern.sorts && h("label", { class: "check" }, descending, " Descending"),
      !pattern.isGet && h("label", {}, "Items per page ", limit),
      run,
    ),
  );
  const facts = [
    pattern.isGet ? "GetItem" : "Query",
    pattern.index ?? "table",
    pattern.sparse && "sparse: items without an optional field are not in the index",
    pattern.when && `only while ${pattern.when}`,
  ].filter(Boolean);

  async function read(cursor) {
    const body = {
      pattern: pattern.name,
      arguments: inputs.map((it) => it.read()).filter(Boolean),
      descending: descending.checked,
      limit: pattern.isGet ? null : Number(limit.value),
      cursor,
    };
    run.disabled = true;
    result.classList.add("loading");
    try {
      show(await post("read", body));
    } catch (error) {
      result.replaceChildren(problem(error));
    } finally {
      run.disabled = false;
      result.classList.remove("loading");
    }
  }

  function show(page) {
    const turn = (label, cursor) => h("button", { type: "button", disabled: !cursor, onclick: () => read(cursor) }, label);
    const facts = [
      count(page.items.length, "item"),
      page.scanned !== page.items.length && `${page.scanned} read`,
      `${page.capacity} read units`,
      `${page.milliseconds.toFixed(page.milliseconds < 10 ? 1 : 0)} ms`,
    ].filter(Boolean);
    result.replaceChildren(
      h(
        "div",
        { class: "bar" },
        h("span", { class: "facts" }, facts.join(" · ")),
        h("span", { class: "grow" }),
        !pattern.isGet && [turn("← Previous", page.previous), turn("Next →", page.next)],
      ),
      itemsView(studio, page.items, pattern.table, pattern.index),
      h(
        "div",
        { class: "codes" },
        h("details", { open: true }, h("summary", {}, "Request"), h("pre", { class: "request" }, page.explain)),
        h("details", { open: true }, h("summary", {}, "Rust"), h("div", { class: "code" }, h("pre", { class: "rust" }, page.call), copyButton("Copy", () => page.call))),
      ),
    );
  }

  if (given) queueMicrotask(() => read());
  return [
    h("h1", {}, pattern.name),
    h("p", { class: "quiet" }, facts.join(" · ")),
    h("p", { class: "keys" }, template(pattern.pk), pattern.sk && [h("span", { class: "quiet" }, " / "), template(pattern.sk)]),
    form,
    result,
  ];
}

/** Items as a table, or by partition, as the reader chooses. */
export function itemsView(studio, items, tableName, index) {
  if (items.length === 0) return h("div", { class: "empty" }, h("p", {}, "No items."), h("p", { class: "quiet" }, "The request is right; nothing is stored under this key."));
  const table = studio.schema.tables.find((it) => it.name === tableName);
  const place = index ? table.indexes.find((it) => it.name === index) : table;
  const columns = columnsOf(items, studio.schema, table, index);
  const entities = [...new Set(items.map((it) => it.entity))];
  const holder = h("div", { class: "holder" });
  const text = (row) => {
    const value = row.attributes[place.pk];
    return !value ? "not in this index" : value.hidden ? "•••" : String(Object.values(value)[0]);
  };
  const draw = (by) => {
    const options = { items, columns, colors: studio.color, open: studio.openRow, caption: `Items of ${tableName}` };
    holder.replaceChildren(rowList(by ? { ...options, groups: text } : options));
  };
  const mode = (label, by, chosen) => h("label", { class: "check" }, h("input", { type: "radio", name: "mode", checked: chosen, onchange: () => draw(by) }), ` ${label}`);
  const starts = entities.length > 1;
  draw(starts);
  return h(
    "div",
    { class: "items" },
    h(
      "div",
      { class: "bar modes", role: "group", "aria-label": "View" },
      mode("Table", false, !starts),
      mode("Item collections", true, starts),
      h("span", { class: "grow" }),
      starts && entities.map((name) => studio.badge(name)),
    ),
    holder,
  );
}

/** The inputs of one field: a value, and where the key allows it a range or a beginning. */
function fieldInput(field, given) {
  const id = `field-${field.name}`;
  const known = given?.find(([name]) => name === field.name)?.[1] ?? "";
  const input = (suffix, label) => {
    const common = { id: id + suffix, "aria-label": label, autocomplete: "off", spellcheck: "false" };
    if (field.values && !suffix) {
      const none = field.required ? [] : [h("option", { value: "" }, "any")];
      return h("select", common, none, field.values.map((it) => h("option", { value: it }, it)));
    }
    const hint = { time: "2025-06 or 2025-06-01T09:00:00Z", date: "2025-06-01", integer: "0", uuid: "UUID", bytes: "hexadecimal" }[field.kind];
    return h("input", { type: "text", placeholder: hint, ...common, list: undefined });
  };
  const value = input("", field.name);
  if (known) value.value = known;
  const from = input("-from", `${field.name}, from`);
  const to = input("-to", `${field.name}, to`);
  const inclusive = h("input", { type: "checkbox", id: `${id}-inclusive` });
  const picker = ["time", "date"].includes(field.kind) && picked(field.kind, [value, from, to]);
  const range = h("span", { class: "range", hidden: true }, from, " to ", to, h("label", { class: "check" }, inclusive, " inclusive"));
  const kinds = [["is", "is"], field.begins && ["begins", "begins with"], field.ranged && ["range", "from … to"]].filter(Boolean);
  const kind = h("select", { id: `${id}-kind`, "aria-label": `How ${field.name} is given`, onchange: show }, kinds.map(([name, label]) => h("option", { value: name }, label)));
  function show() {
    const isRange = kind.value === "range";
    range.hidden = !isRange;
    value.hidden = isRange;
  }
  const expects = field.expects && field.kind !== "text" ? field.expects : "";
  const element = h(
    "div",
    { class: "field" },
    h("label", { for: id }, field.name, field.required && h("span", { class: "required", title: "required" }, " *")),
    kinds.length > 1 ? kind : h("span", { class: "quiet is" }, "is"),
    h("span", { class: "inputs" }, value, range, picker),
    h("span", { class: "hint quiet" }, expects),
  );
  return {
    element,
    read() {
      if (kind.value === "range") {
        if (!from.value && !to.value) return undefined;
        return { field: field.name, from: from.value || null, to: to.value || null, inclusive: inclusive.checked };
      }
      if (value.value === "") return undefined;
      return kind.value === "begins" ? { field: field.name, begins: value.value } : { field: field.name, is: value.value };
    },
  };
}

/** A calendar that fills in the input used last. */
function picked(kind, targets) {
  let last = targets[0];
  for (const target of targets) target.addEventListener("focus", () => (last = target));
  const calendar = h("input", {
    type: "date",
    class: "calendar",
    "aria-label": "Pick a day",
    tabindex: "0",
    onchange: () => {
      const target = last.hidden || last.closest("[hidden]") ? targets.find((it) => !it.hidden && !it.closest("[hidden]")) : last;
      target.value = calendar.value;
    },
  });
  return calendar;
}
