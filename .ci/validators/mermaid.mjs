// Whether mermaid's parser takes the diagrams.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

// It wants a browser's globals, even to parse.
const { window } = new JSDOM('<!doctype html><body></body>');
globalThis.window = window;
globalThis.document = window.document;
const { default: mermaid } = await import('mermaid');

for (const file of process.argv.slice(2)) {
  try {
    await mermaid.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    process.exitCode = 1;
  }
}
