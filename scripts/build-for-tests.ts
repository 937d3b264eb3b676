// Vitest's global setup: builds the service once before any test, for tests that run it or its workers.
// A test gets the folder by `inject('buildDir')` from vitest; the command's entry is `<buildDir>/main.js`. Tests that
// import or alter one module of it take `inject('modulesDir')`: everything else runs what is shipped.
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureBuilt, ensureMcpBuilt, ensureModulesBuilt } from './build.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of the built service: `main.js`, and each worker where its source lies in `src`. */
    buildDir: string;
    /** The same unbundled: every `src/x/y.ts` as `x/y.js`. */
    modulesDir: string;
    /** Absolute path of the built MCP server; its entry is `main.js`. */
    mcpDir: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('buildDir', await ensureBuilt());
  project.provide('modulesDir', await ensureModulesBuilt());
  project.provide('mcpDir', await ensureMcpBuilt());
}
