// Finds pages and headings that contain every word of the query.
const field = document.getElementById("search");
const found = document.getElementById("found");
const contents = document.querySelector(".contents > ul");

function search(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const all = (text) => words.every((word) => text.toLowerCase().includes(word));
  const results = [];
  for (const [title, file, sections, text] of window.pages) {
    for (const [anchor, heading] of sections) {
      if (all(heading)) results.push([0, `${title}: ${heading}`, `${file}#${anchor}`, ""]);
    }
    if (all(title + " " + text)) results.push([1, title, file, excerpt(text, words[0])]);
  }
  return results.sort((a, b) => a[0] - b[0]).slice(0, 20);
}

function excerpt(text, word) {
  const at = text.toLowerCase().indexOf(word);
  return at < 0 ? "" : "…" + text.slice(Math.max(0, at - 30), at + 50) + "…";
}

field.addEventListener("input", () => {
  const query = field.value.trim();
  found.hidden = !query;
  contents.hidden = Boolean(query);
  found.replaceChildren(
    ...(query ? search(query) : []).map(([, title, href, text]) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      const small = document.createElement("small");
      link.href = href;
      link.textContent = title;
      small.textContent = text;
      item.append(link, small);
      return item;
    }),
  );
});

document.addEventListener("keydown", (event) => {
  if (event.key === "s" && document.activeElement !== field && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    field.focus();
  }
});

document.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
