// One item: attributes, keys, indexes, relations, JSON; and its form.
import { copyButton, h, post, problem, say } from "./dom.js";
import { brief, count, full, keyLine, size, template, typeName } from "./values.js";

/** Shows an item in the side panel. `entity` is its declaration, if it has one. */
export function itemPanel(studio, item) {
  const entity = studio.schema.entities.find((it) => it.name === item.entity);
  const tabs = [
    ["Attributes", () => attributes(entity, item)],
    ["Keys", () => keys(studio, item)],
    ["Relations", () => relations(studio, item)],
    ["JSON", () => json(item)],
  ];
  const body = h("div", { class: "tab-body", id: "tab-body", role: "tabpanel" });
  const buttons = tabs.map(([name, make], at) => h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "tab-body", onclick: () => choose(at, make) }, name));
  function choose(at, make) {
    buttons.forEach((it, own) => {
      it.setAttribute("aria-selected", own === at ? "true" : "false");
      it.tabIndex = own === at ? 0 : -1;
    });
    body.replaceChildren(make());
  }
  const turn = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = (buttons.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    choose(next, tabs[next][1]);
    buttons[next].focus();
  };
  choose(0, tabs[0][1]);
  const units = `${Math.ceil(item.bytes / 4096) / 2} read · ${Math.ceil(item.bytes / 1024)} write units`;
  const canWrite = studio.schema.write && entity && item.document;
  return [
    h("div", { class: "panel-head" }, studio.badge(item.entity), h("span", { class: "grow" }), h("button", { type: "button", class: "small close", "aria-label": "Close the item", onclick: studio.closePanel }, "✕")),
    h("h2", { class: "key-text" }, keyLine(item.keys[0].pk, item.keys[0].sk)),
    h("p", { class: "quiet" }, `${size(item.bytes)} · ${units}`),
    item.problem && h("div", { class: "problem", role: "alert" }, h("strong", {}, "The entity cannot read this item"), h("p", {}, item.problem)),
    !item.entity && h("p", { class: "note" }, "No entity declares this item: a unique value, an item of another program, or of a newer release."),
    canWrite && h(
      "div",
      { class: "bar" },
      h("button", { type: "button", onclick: () => studio.showPanel(editForm(studio, entity, item)) }, "Edit"),
      h("button", { type: "button", onclick: () => studio.showPanel(createForm(studio, entity, item)) }, "Duplicate"),
      h("button", { type: "button", class: "danger", onclick: () => studio.showPanel(deleteForm(studio, entity, item)) }, "Delete"),
    ),
    h("div", { class: "tabs", role: "tablist", "aria-label": "Views of the item", onkeydown: turn }, buttons),
    body,
  ];
}

function attributes(entity, item) {
  const declared = entity?.attributes.filter((it) => it.role !== "keyOnly").map((it) => it.name) ?? [];
  const known = new Set(declared);
  const rest = Object.keys(item.attributes).filter((name) => !known.has(name));
  const row = (name) => {
    const declaration = entity?.attributes.find((it) => it.name === name);
    const value = item.attributes[name];
    const kind = declaration?.type || typeName(value);
    return h("tr", {}, h("th", { scope: "row" }, h("div", { class: "name" }, name), h("div", { class: "quiet type" }, kind), declaration?.doc && h("div", { class: "quiet doc" }, declaration.doc)), h("td", {}, value === undefined ? h("span", { class: "quiet" }, "not set") : full(value)));
  };
  return h(
    "div",
    {},
    h("table", { class: "attributes" }, h("tbody", {}, declared.map(row))),
    rest.length > 0 && [h("h3", {}, entity ? "Key attributes, and attributes that no field declares" : "Attributes"), h("table", { class: "attributes" }, h("tbody", {}, rest.map(row)))],
  );
}

function keys(studio, item) {
  return h("div", {}, item.keys.map((place) => {
    const name = place.index ?? "Table";
    if (place.pk === null) return h("section", { class: "place absent" }, h("h3", {}, name), h("p", { class: "quiet" }, "The item is not in this index."));
    const fields = place.fields?.map(([field, text]) => h("tr", {}, h("th", { scope: "row" }, field), h("td", { class: "text" }, text)));
    return h(
      "section",
      { class: "place" },
      h("div", { class: "bar" }, h("h3", {}, name), h("span", { class: "grow" }), h("button", { type: "button", class: "small", onclick: () => studio.openPartition(place, item.table) }, "Open the partition")),
      h("p", { class: "key-text" }, keyLine(place.pk, place.sk)),
      place.pkTemplate && h("p", { class: "quiet" }, template(place.pkTemplate), place.skTemplate && [" / ", template(place.skTemplate)]),
      place.problem && h("p", { class: "problem" }, place.problem),
      fields?.length > 0 && h("table", { class: "attributes" }, h("tbody", {}, fields)),
    );
  }));
}

function relations(studio, item) {
  if (item.relations.length === 0) return h("p", { class: "quiet" }, "No access pattern can be read with the fields of this item alone.");
  const follow = (it) => studio.openPattern(it.pattern, it.arguments);
  return h("ul", { class: "relations" }, item.relations.map((it) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => follow(it) }, it.pattern), h("span", { class: "quiet" }, ` ${it.arguments.map(([name, text]) => `${name}=${text}`).join(" ")}`))));
}

function json(item) {
  const text = JSON.stringify(item.attributes, null, 2);
  const shown = text.length > 100000 ? `${text.slice(0, 100000)}\n… ${text.length.toLocaleString("en")} characters in all; copy to see them` : text;
  return h("div", { class: "code" }, h("pre", {}, shown), copyButton("Copy", () => text));
}

const NUMBER = /^(Option<)?[uif](8|16|32|64|128|size)>?$/;

/** How a field is edited: as the text of a string, a number, a choice, or JSON. */
function widget(declaration, text) {
  const type = declaration.type.replace(/\s/g, "");
  const inner = type.replace(/^Option<(.*)>$/, "$1");
  if (NUMBER.test(type)) return { kind: "number", text: text === undefined || text === "null" ? "" : text };
  if (inner === "bool") return { kind: "bool", text };
  if (text === undefined || text === "null") {
    const isText = /^(String|Timestamp|Date|Uuid|Ulid|char)$/.test(inner) || declaration.values || declaration.inKey;
    return { kind: isText ? "text" : "json", text: "" };
  }
  if (text.startsWith('"')) return { kind: "text", text: JSON.parse(text) };
  if (text.startsWith("{") || text.startsWith("[")) return { kind: "json", text };
  return { kind: /^-?[0-9]/.test(text) ? "number" : "json", text };
}

/** An input for a field, and the JSON text of its value: `null` for none. */
function editor(declaration, text, readonly) {
  const { kind, text: shown } = widget(declaration, text);
  const id = `edit-${declaration.field}`;
  const common = { id, disabled: readonly, "aria-describedby": `${id}-hint`, autocomplete: "off", spellcheck: "false" };
  let input;
  if (kind === "bool") {
    const none = declaration.required ? [] : [h("option", { value: "" }, "not set")];
    input = h("select", common, none, h("option", { value: "true" }, "true"), h("option", { value: "false" }, "false"));
    input.value = shown === "null" || shown === undefined ? (declaration.required ? "false" : "") : shown;
  } else if (kind === "json" || shown.length > 60 || shown.includes("\n")) {
    input = h("textarea", { ...common, rows: String(Math.min(12, Math.max(2, shown.split("\n").length + Math.floor(shown.length / 60)))), class: kind === "json" ? "mono" : "" });
    input.value = shown;
  } else {
    const list = declaration.values && `${id}-values`;
    input = h("input", { ...common, type: "text", inputmode: kind === "number" ? "decimal" : "text", list });
    input.value = shown;
  }
  const isSet = kind === "text" && !declaration.required && !readonly && h("input", { type: "checkbox", checked: text !== undefined && text !== "null", "aria-label": `${declaration.name} is set` });
  if (isSet) input.addEventListener("input", () => (isSet.checked = true));
  return {
    input,
    isSet,
    list: declaration.values && h("datalist", { id: `${id}-values` }, declaration.values.map((it) => h("option", { value: it }))),
    value() {
      if (kind === "text") return isSet && !isSet.checked ? null : JSON.stringify(input.value);
      return input.value.trim() === "" ? null : input.value.trim();
    },
  };
}

function fieldRow(declaration, made, hint) {
  return h(
    "div",
    { class: "edit-field" },
    h("label", { for: made.input.id }, declaration.name, declaration.required && h("span", { class: "required" }, " *")),
    h("div", { class: "edit-input" }, made.isSet && h("label", { class: "check" }, made.isSet, " set"), made.input, made.list),
    h("p", { class: "quiet hint", id: `${made.input.id}-hint` }, [declaration.type, hint, declaration.doc].filter(Boolean).join(" · ")),
  );
}

const STAMPED = { version: "counted by every write", createdAt: "set when the item is created", updatedAt: "set by every write" };

function editForm(studio, entity, item) {
  const fields = entity.attributes.map((declaration) => {
    const hidden = !(declaration.name in item.document) && item.attributes[declaration.name]?.hidden;
    const fixed = declaration.inKey || declaration.immutable || declaration.role === "version" || declaration.role === "updatedAt" || declaration.role === "createdAt";
    const hint = STAMPED[declaration.role] ?? (declaration.inKey ? "part of the key" : declaration.immutable ? "immutable" : hidden ? "sensitive; leave it empty to keep it" : "");
    const before = item.document[declaration.name];
    const made = editor(declaration, hidden ? "null" : before, fixed);
    return { declaration, made, before: hidden ? undefined : before, first: made.value(), fixed, hint };
  });
  const output = h("div", { class: "outcome" });
  const saving = h("span", {});
  const show = (...elements) => {
    output.replaceChildren(...elements.filter(Boolean));
    output.scrollIntoView({ block: "nearest" });
  };
  const changed = () => fields.filter((it) => !it.fixed && it.made.value() !== it.first);
  const review = (event) => {
    event.preventDefault();
    const changes = changed();
    saving.replaceChildren();
    if (changes.length === 0) {
      show(h("p", { class: "note", role: "status" }, "Nothing is changed."));
      return;
    }
    show(diff(changes.map((it) => [it.declaration.name, it.first, it.made.value()])));
    saving.replaceChildren(h("button", { type: "button", class: "primary", onclick: save }, `Save ${count(changes.length, "change")}`));
    saving.firstChild.focus();
  };
  const save = async () => {
    const changes = Object.fromEntries(changed().map((it) => [it.declaration.name, it.made.value()]));
    try {
      await post("update", { id: item.id, fingerprint: item.fingerprint, changes });
      say("Saved");
      await studio.written(item.id);
    } catch (error) {
      saving.replaceChildren();
      show(problem(error), error.kind === "conflict" && h("button", { type: "button", onclick: () => studio.openId(item.id) }, "Reload the item"));
    }
  };
  return [
    h("div", { class: "panel-head" }, studio.badge(entity.name), h("span", { class: "grow" }), h("button", { type: "button", class: "small", onclick: () => studio.openId(item.id) }, "Cancel")),
    h("h2", {}, `Edit ${entity.name}`),
    h("p", { class: "quiet" }, "The write requires the version or the values that you see. Index keys and unique values follow."),
    h("form", { class: "edit", onsubmit: review }, fields.map((it) => fieldRow(it.declaration, it.made, it.hint)), output, h("div", { class: "bar sticky" }, h("button", { type: "submit" }, "Review the changes"), saving)),
  ];
}

function diff(changes) {
  const line = (sign, text) => h("div", { class: sign === "+" ? "added" : "removed" }, `${sign} ${text === null || text === undefined ? "not set" : text}`);
  return h("div", { class: "diff", role: "region", "aria-label": "Changes" }, changes.map(([name, before, after]) => h("section", {}, h("h3", {}, name), line("−", before), line("+", after))));
}

/** A form for a new item, or for a copy of one. */
export function createForm(studio, entity, item) {
  const fields = entity.attributes.map((declaration) => {
    const isStamp = declaration.role === "createdAt" || declaration.role === "updatedAt";
    const isNumber = NUMBER.test(declaration.type);
    const stamp = declaration.required ? (isNumber ? "0" : '"1970-01-01T00:00:00Z"') : "null";
    const start = declaration.role === "version" ? "0" : isStamp ? stamp : item?.document[declaration.name];
    const fixed = declaration.role === "version" || isStamp;
    return { declaration, made: editor(declaration, fixed ? undefined : start, fixed), fixed, start, hint: STAMPED[declaration.role] ?? (declaration.inKey ? "part of the key" : "") };
  });
  const output = h("div", {});
  const save = async (event) => {
    event.preventDefault();
    const entries = fields.map((it) => [it.declaration.name, it.fixed ? it.start : it.made.value()]);
    const given = Object.fromEntries(entries.filter(([, value]) => value !== null && value !== "null"));
    try {
      const { id } = await post("create", { entity: entity.name, fields: given });
      say("Created");
      await studio.written(id);
    } catch (error) {
      output.replaceChildren(problem(error));
    }
  };
  const cancel = () => (item ? studio.openId(item.id) : studio.closePanel());
  return [
    h("div", { class: "panel-head" }, studio.badge(entity.name), h("span", { class: "grow" }), h("button", { type: "button", class: "small", onclick: cancel }, "Cancel")),
    h("h2", {}, item ? `Duplicate ${entity.name}` : `New ${entity.name}`),
    h("p", { class: "quiet" }, "The key and the unique values must be free."),
    h("form", { class: "edit", onsubmit: save }, fields.map((it) => fieldRow(it.declaration, it.made, it.hint)), output, h("div", { class: "bar sticky" }, h("button", { type: "submit", class: "primary" }, "Create"))),
  ];
}

function deleteForm(studio, entity, item) {
  const output = h("div", {});
  const remove = async () => {
    try {
      await post("delete", { id: item.id, fingerprint: item.fingerprint });
      say("Deleted");
      await studio.written();
    } catch (error) {
      output.replaceChildren(problem(error));
    }
  };
  return [
    h("div", { class: "panel-head" }, studio.badge(entity.name)),
    h("h2", {}, `Delete this ${entity.name}?`),
    h("p", { class: "key-text" }, keyLine(item.keys[0].pk, item.keys[0].sk)),
    h("p", { class: "quiet" }, `${Object.entries(item.attributes).slice(0, 4).map(([name, it]) => `${name}: ${brief(it).slice(0, 60)}`).join(" · ")}`),
    entity.uniques.length > 0 && h("p", { class: "note" }, "Its unique values become free."),
    output,
    h("div", { class: "bar" }, h("button", { type: "button", class: "danger", onclick: remove }, "Delete"), h("button", { type: "button", onclick: () => studio.openId(item.id) }, "Keep it")),
  ];
}
