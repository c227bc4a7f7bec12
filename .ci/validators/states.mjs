// Whether the state machines keep the rules of the Amazon States Language.
import { readFileSync } from 'node:fs';
import aslValidator from 'asl-validator';

for (const file of process.argv.slice(2)) {
  const { isValid, errorsText } = aslValidator(JSON.parse(readFileSync(file, 'utf8')), { checkPaths: true, checkArn: true });
  if (!isValid) {
    console.error(`${file}: ${errorsText('\n')}`);
    process.exitCode = 1;
  }
}
