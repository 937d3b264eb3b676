// Prints codes as they arrive, using the TypeScript client, whose built entry is the argument. Started by
// measure-clients.ts.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { Mayfly } = await import(pathToFileURL(path.resolve(process.argv[2] ?? '')).href);
const inbox = await new Mayfly().createInbox();
process.stdout.write(`${inbox.email}\n`);
for (;;) {
  process.stdout.write('waiting\n');
  process.stdout.write(`${await inbox.waitForCode({ timeout: 60_000 })}\n`);
}
