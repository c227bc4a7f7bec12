// Elements and requests. Text only ever becomes a text node: no value of an item is read as HTML.

/** Makes an element. `on…` properties are listeners; `undefined` and `false` children are left out. */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === false || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value" || name === "checked" || name === "disabled") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(3)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
  return element;
}

/** An error of the server, with its kind. */
export class Refused extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}

async function answer(response) {
  const text = await response.text();
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    body = { kind: "call", message: text || `the studio answered ${response.status}` };
  }
  if (!response.ok) throw new Refused(body.kind, body.message);
  return body;
}

function unreachable() {
  throw new Refused("call", "the studio does not answer; is its command still running?");
}

export async function get(path) {
  return answer(await fetch(`api/${path}`).catch(unreachable));
}

export async function post(path, body) {
  const request = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  return answer(await fetch(`api/${path}`, request).catch(unreachable));
}

/** Shows a short message, which screen readers say. */
export function say(text) {
  const status = document.getElementById("status");
  status.textContent = text;
  status.classList.add("shown");
  clearTimeout(say.timer);
  say.timer = setTimeout(() => status.classList.remove("shown"), 4000);
}

export function problem(error) {
  const titles = {
    usage: "This cannot be done",
    conflict: "Conflict",
    notFound: "Not found",
    call: "The request failed",
  };
  const title = titles[error.kind] ?? "The page failed";
  return h("div", { class: "problem", role: "alert" }, h("strong", {}, title), h("p", {}, error.message));
}

export function copyButton(label, text) {
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    say("Copied");
  };
  return h("button", { type: "button", class: "small", onclick: copy }, label);
}
