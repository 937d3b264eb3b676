#!/usr/bin/env node
// The command `mayfly`. Checks what it runs on, before it loads anything that would fail without it: this file and
// check-start.mjs are written for every Node.js since 12.
import path from 'path';
import { refuseStart } from './check-start.mjs';

// A link to this file named sendmail is that program.
if (path.basename(process.argv[1] || '') === 'sendmail') process.argv.splice(2, 0, 'sendmail');

const refusal = refuseStart();
if (refusal === '') {
  void import('./run-mayfly.mjs');
} else {
  process.stderr.write(`mayfly: ${refusal}\n`);
  // EX_CONFIG of sysexits.h: a supervisor need not retry.
  process.exitCode = 78;
}
