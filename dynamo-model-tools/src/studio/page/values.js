// Values with their DynamoDB types, as text and as elements.
import { h } from "./dom.js";

/** The text of a value for one line of a table. */
export function brief(value) {
  if (value === undefined) return "";
  if (value.hidden) return "•••";
  const [type, content] = Object.entries(value)[0];
  switch (type) {
    case "S":
      return content.length > 300 ? `${content.slice(0, 300)}…` : content;
    case "N":
    case "BOOL":
      return String(content);
    case "NULL":
      return "null";
    case "B":
      return `${bytesOf(content)} bytes`;
    case "L":
      return listed(content.map(brief), "[", "]");
    case "M":
      return listed(Object.entries(content).map(([name, it]) => `${name}: ${brief(it)}`), "{", "}");
    case "BS":
      return `${content.length} binary values`;
    default:
      return listed(content.map(String), "{", "}");
  }
}

function listed(texts, open, close) {
  const shown = [];
  let length = 0;
  for (const text of texts) {
    if (length > 200) return `${open}${shown.join(", ")}, … ${texts.length} in all${close}`;
    shown.push(text);
    length += text.length;
  }
  return `${open}${shown.join(", ")}${close}`;
}

export function bytesOf(base64) {
  return Math.floor((base64.replaceAll("=", "").length * 3) / 4);
}

/** The DynamoDB type of a value; "hidden" for one that the studio does not show. */
export function typeOf(value) {
  return value === undefined ? "" : Object.keys(value)[0];
}

const TYPES = {
  S: "String",
  N: "Number",
  B: "Binary",
  BOOL: "Boolean",
  NULL: "Null",
  L: "List",
  M: "Map",
  SS: "String set",
  NS: "Number set",
  BS: "Binary set",
  hidden: "Sensitive",
};

export function typeName(value) {
  return TYPES[typeOf(value)] ?? "";
}

const LONG = 2000;

/** A value in full: maps and lists as nested tables, long texts behind a button. */
export function full(value) {
  if (value.hidden) return h("span", { class: "quiet" }, "••• sensitive");
  const [type, content] = Object.entries(value)[0];
  if (type === "M") {
    const rows = Object.entries(content).map(([name, it]) => h("tr", {}, h("th", {}, name), h("td", {}, full(it))));
    return rows.length ? h("table", { class: "nested" }, h("tbody", {}, rows)) : h("span", { class: "quiet" }, "empty map");
  }
  if (type === "L") {
    const shown = content.slice(0, 100).map((it) => h("li", {}, full(it)));
    const more = content.length > 100 && h("li", { class: "quiet" }, `${content.length - 100} more in the JSON`);
    return shown.length ? h("ol", { class: "nested", start: 0 }, shown, more) : h("span", { class: "quiet" }, "empty list");
  }
  if (type === "NULL") return h("span", { class: "quiet" }, "null");
  if (type === "B") return long(`${bytesOf(content)} bytes: ${content}`, "mono");
  if (type === "S" && content === "") return h("span", { class: "quiet" }, "empty text");
  if (type === "S") return long(content, "text");
  if (type === "N" || type === "BOOL") return h("span", { class: "mono" }, String(content));
  const each = content.slice(0, 200).map((it) => h("li", { class: "mono" }, String(it)));
  return h("ul", { class: "set" }, each);
}

function long(text, kind) {
  if (text.length <= LONG) return h("span", { class: kind }, text);
  const body = h("span", { class: kind }, `${text.slice(0, LONG)}…`);
  const show = () => {
    body.textContent = text;
    button.remove();
  };
  const label = `Show all ${text.length.toLocaleString("en")} characters`;
  const button = h("button", { type: "button", class: "small", onclick: show }, label);
  return h("span", {}, body, " ", button);
}

/** A key: a text that reads from right to left stays within its half. */
export function keyLine(pk, sk) {
  return [h("bdi", {}, pk ?? "—"), sk !== null && sk !== undefined && [h("span", { class: "quiet" }, " / "), h("bdi", {}, sk)]];
}

export function size(bytes) {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** An access pattern's key condition, with its placeholders marked. */
export function template(text) {
  if (!text) return "";
  const pieces = text.split(/(<[^>]*>)/);
  return h("code", {}, pieces.map((it) => (it.startsWith("<") && it.length > 2 ? h("mark", {}, it) : it)));
}
