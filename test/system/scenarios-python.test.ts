// The Python client, with and without asyncio, in the scenarios that every client passes.

import path from 'node:path';

import { describe } from 'vitest';

import { describeClient } from '../support/clients/scenario-player.ts';

const program = 'clients/python/tests/run_scenarios.py';
const player = {
  program: 'node_modules/.test-python/bin/python',
  env: { PYTHONPATH: path.resolve('clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' },
};

describe('the client', () => {
  describeClient('Python', { ...player, words: [program] });
});

describe('the client with asyncio', () => {
  describeClient('Python, asyncio', { ...player, words: [program, '--async'] });
});
