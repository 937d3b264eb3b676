// Vitest's global setup: builds the service once before any test, for tests that run it or its workers.
// A test gets the folder by `inject('buildDir')` from vitest; the command's entry is `<buildDir>/main.js`.
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureBuilt } from './build.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of the built service: `main.js`, and every `src/x/y.ts` as `x/y.js`. */
    buildDir: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('buildDir', await ensureBuilt());
}
