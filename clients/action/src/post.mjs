// The post step: summarises the job's mail, stops the service and removes its files.
import { rmSync } from 'node:fs';
import { fail, printForeign, readState, writeSummary } from './runner.mjs';
import { stop } from './service.mjs';
import { readSummary, toHtml, toLines } from './summary.mjs';

const [pid, program, folder] = [Number(readState('pid')), readState('program'), readState('folder')];

try {
  if (pid > 0) await summarise();
} catch (error) {
  fail(error);
} finally {
  await end();
}

async function summarise() {
  const summary = await readSummary({
    url: readState('url'),
    root: readState('root'),
    operator: readState('operator'),
  });
  printForeign(toLines(summary));
  writeSummary(toHtml(summary));
}

async function end() {
  try {
    if (pid > 0) await stop(pid, program);
  } catch (error) {
    fail(error);
  }
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
}
