// Vitest's global setup: builds the service once, for tests that run it or its workers. A test gets the folder with
// `inject('buildDir')` from vitest; the command's entry is `<buildDir>/main.js`. Tests that import or alter single
// modules use `inject('modulesDir')`: everything else runs the service as shipped.
import type {} from 'vitest';
import type { TestProject } from 'vitest/node';
import { ensureBuilt, ensureMcpBuilt, ensureModulesBuilt } from './build.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute path of the built service: `main.js`, and each worker at the path of its source in `src`. */
    buildDir: string;
    /** The same unbundled: every `src/x/y.ts` as `x/y.js`. */
    modulesDir: string;
    /** Absolute path of the built MCP server, whose entry is `main.js`. */
    mcpDir: string;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('buildDir', await ensureBuilt());
  project.provide('modulesDir', await ensureModulesBuilt());
  project.provide('mcpDir', await ensureMcpBuilt());
}
