// How every tool answers: its result twice, as fields and as text, since clients show a model one or the other.

import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';

import type { Caller } from './caller.ts';
import { Refusal, toRefusal } from './refusal.ts';
import type { VisibleReader } from './visible-reader.ts';

/** Told of errors that are this program's own; the text is that of no mail. */
export type Log = (event: string) => void;

export interface ToolParts {
  readonly caller: Caller;
  readonly reader: VisibleReader;
  readonly log: Log;
}

export type Fields = Record<string, unknown>;

/** Runs one call for a caller. What it fails with is told in words of our own. */
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

/** The kind of an error; its message may hold what a mail or a request said. */
export function nameOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  return error instanceof Error ? error.constructor.name : typeof error;
}

const progressMs = 2000;

/** Reports how far a wait has come, if the client asked for that, until it is stopped. */
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
      // The connection is gone; the wait ends by its signal.
      .catch(stop);
  };
  const timer = setInterval(report, progressMs);
  report();
  return { stop };
}
