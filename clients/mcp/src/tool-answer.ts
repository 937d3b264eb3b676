// The common form of answers: every result as fields and as text, since clients show a model one or the other.

import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';

import type { Caller } from './caller.ts';
import { Refusal, toRefusal } from './refusal.ts';
import type { VisibleReader } from './visible-reader.ts';

/** Logs errors of this program itself; the text contains no mail. */
export type Log = (event: string) => void;

export interface ToolParts {
  readonly caller: Caller;
  readonly reader: VisibleReader;
  readonly log: Log;
}

export type Fields = Record<string, unknown>;

/** Runs one call for a caller. Errors become texts of our own. */
export async function answer<T extends Fields>(
  { caller, log }: ToolParts,
  call: () => Promise<T>,
  toText: (result: T) => string = (result) => JSON.stringify(result),
): Promise<CallToolResult> {
  try {
    const result = await caller.run(call);
    return { content: [{ type: 'text', text: toText(result) }], structuredContent: result };
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal.code === 'failed') log(`call failed: ${nameOf(refusal.cause)}`);
    return { content: [{ type: 'text', text: refusal.message }], isError: true };
  }
}

/** Returns the kind of an error; its message may contain parts of a mail or a request. */
export function nameOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  return error instanceof Error ? error.constructor.name : typeof error;
}

const progressMs = 2000;

/** Reports the progress of a wait, if the client asked for it, until it is stopped. */
export function reportProgress({ mcpReq }: ServerContext, seconds: number): { stop(): void } {
  const token = mcpReq._meta?.progressToken;
  const startedAt = performance.now();
  if (token === undefined) return { stop: () => undefined };
  const stop = (): void => {
    clearInterval(timer);
  };
  const report = (): void => {
    const progress = Math.min(seconds, (performance.now() - startedAt) / 1000);
    mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken: token, progress: Number(progress.toFixed(1)), total: seconds },
      })
      // The connection is gone; its signal ends the wait.
      .catch(stop);
  };
  const timer = setInterval(report, progressMs);
  report();
  return { stop };
}
