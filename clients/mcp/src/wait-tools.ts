// The tools wait_for_code and wait_for_link. They return only typed fields, also on a time-out.

import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import { MailTimeout, type Message, type MessageMatch } from 'mayfly-client';

import type { OpenInbox } from './caller.ts';
import { type GuardedCode, type GuardedLink, toCode, toLink, toVerdict } from './guard.ts';
import { Refusal } from './refusal.ts';
import { waitForCodeInput, waitForCodeOutput, waitForLinkInput, waitForLinkOutput } from './schemas.ts';
import { answer, reportProgress, type ToolParts } from './tool-answer.ts';

interface Wait<T> {
  readonly given: Set<number>;
  readonly seconds: number;
  readonly after: number | undefined;
  readonly from: string | undefined;
  readonly q: string | undefined;
  /** Returns undefined for a message without it. */
  readonly pick: (message: Message) => T | undefined;
  /** Further conditions on the message. */
  readonly match: MessageMatch;
}

interface Found<T> {
  readonly message: Message;
  readonly value: T;
}

interface TimedOut {
  readonly others: number;
  readonly refused: number;
}

/** Examines each message once, starting after `after`, in order of arrival. */
async function waitFor<T>(
  { inbox }: OpenInbox,
  wait: Wait<T>,
  signal: AbortSignal,
): Promise<{ readonly found?: Found<T>; readonly missed: TimedOut }> {
  const until = Date.now() + wait.seconds * 1000;
  const match = { from: wait.from, q: wait.q, ...wait.match };
  let after = wait.after ?? 0;
  for (;;) {
    try {
      const timeout = Math.max(0, until - Date.now());
      const message = await inbox.waitForMessage(match, { timeout, after, signal });
      after = message.id;
      if (wait.after === undefined && wait.given.has(message.id)) continue;
      const value = wait.pick(message);
      if (value === undefined) continue;
      if (signal.aborted) throw new Refusal('cancelled');
      wait.given.add(message.id);
      return { found: { message, value }, missed: { others: 0, refused: 0 } };
    } catch (error) {
      if (signal.aborted) throw new Refusal('cancelled', { cause: error });
      if (!(error instanceof MailTimeout)) throw error;
      const refused = error.deliveries.filter(({ outcome }) => outcome === 'refused').length;
      return { missed: { others: error.nearMisses.length, refused } };
    }
  }
}

type Result<T> = Awaited<ReturnType<typeof waitFor<T>>>;

function toFound<T>({ found, missed }: Result<T>) {
  return {
    found: found !== undefined,
    message_id: found?.message.id ?? null,
    received_at: found?.message.receivedAt.toISOString() ?? null,
    dmarc: found ? toVerdict(found.message) : null,
    ...missed,
  };
}

async function withProgress<T>(
  context: ServerContext,
  seconds: number,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const progress = reportProgress(context, seconds);
  try {
    return await wait(context.mcpReq.signal);
  } finally {
    progress.stop();
  }
}

export function addWaitForCode(server: McpServer, parts: ToolParts): void {
  server.registerTool(
    'wait_for_code',
    {
      title: 'Wait for a one-time code',
      description:
        'Waits up to 50 seconds for a message with a one-time code and returns the code. Messages already in the ' +
        'inbox count. When time runs out, `found` is false; call again to keep waiting.',
      inputSchema: waitForCodeInput,
      outputSchema: waitForCodeOutput,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ handle, timeout_seconds: seconds, after, from, q, code_kind: codeKind }, context) =>
      answer(parts, async () => {
        const open = await parts.caller.open(handle);
        const match = codeKind === undefined ? { hasCode: true } : { codeKind };
        const pick = (message: Message): GuardedCode | undefined => toCode(message, codeKind);
        const wait = { given: open.given.code, seconds, after, from, q, pick, match };
        const result = await withProgress(context, seconds, (signal) => waitFor(open, wait, signal));
        const { code = null, kind = null } = result.found?.value ?? {};
        return { ...toFound(result), code, code_kind: kind };
      }),
  );
}

export function addWaitForLink(server: McpServer, parts: ToolParts): void {
  server.registerTool(
    'wait_for_link',
    {
      title: 'Wait for a link',
      description:
        'Waits up to 50 seconds for a message with a link and returns the link. Messages already in the inbox ' +
        'count. The link is not opened. When time runs out, `found` is false; call again to keep waiting.',
      inputSchema: waitForLinkInput,
      outputSchema: waitForLinkOutput,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    ({ handle, timeout_seconds: seconds, after, from, q, kind, host }, context) =>
      answer(parts, async () => {
        const open = await parts.caller.open(handle);
        const pick = ({ links, senderEmail }: Message): GuardedLink | undefined =>
          links
            .map((link) => toLink(link, senderEmail))
            .find((link) => link !== undefined && isWanted(link, { kind, host }));
        const wait = { given: open.given.link, seconds, after, from, q, pick, match: {} };
        const result = await withProgress(context, seconds, (signal) => waitFor(open, wait, signal));
        return { ...toFound(result), ...(result.found?.value ?? noLink) };
      }),
  );
}

const noLink = { url: null, host: null, host_is_senders: null, kind: null, flags: [] };

interface WantedLink {
  readonly kind: GuardedLink['kind'] | undefined;
  readonly host: string | undefined;
}

function isWanted(link: GuardedLink, { kind, host }: WantedLink): boolean {
  const wanted = host?.toLowerCase();
  return (
    (kind === undefined || link.kind === kind) &&
    (wanted === undefined || link.host === wanted || link.host.endsWith(`.${wanted}`))
  );
}
