#!/usr/bin/env node
// The command `mayfly-mcp`. Checks its Node.js before it loads anything that an older one cannot. Standard output is
// reserved for the protocol.
import fs from 'fs';
import { refuseNode } from './node-range.mjs';

const manifest = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const refusal = refuseNode(process.versions.node, manifest.engines.node);
if (refusal === '') {
  void import('./run-mcp.mjs');
} else {
  process.stderr.write(`mayfly-mcp: ${refusal}\n`);
  process.exitCode = 78;
}
