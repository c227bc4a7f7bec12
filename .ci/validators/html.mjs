// Whether the pages are valid HTML, and need nothing from elsewhere.
import { readFileSync } from 'node:fs';
import { HtmlValidate } from 'html-validate';

const checker = new HtmlValidate({ extends: ['html-validate:standard'] });
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, 'utf8');
  const report = await checker.validateString(text);
  for (const { line, message, ruleId } of report.results.flatMap((it) => it.messages).slice(0, 10)) {
    console.error(`${file}:${line}: ${message} (${ruleId})`);
    process.exitCode = 1;
  }
  if (/\b(?:src|href)="(?:https?:)?\/\//.test(text)) {
    console.error(`${file}: loads something from elsewhere`);
    process.exitCode = 1;
  }
}
