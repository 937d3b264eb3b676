// The tool report_message: a verdict on a message in the service's own words. A finding's sentence and excerpt, which
// quote the sender, stay out.

import type { McpServer } from '@modelcontextprotocol/server';
import type { MailReport } from 'mayfly-client';

import { readInput, reportedMax, reportOutput } from './schemas.ts';
import { answer, type ToolParts } from './tool-answer.ts';

export function addReportMessage(server: McpServer, parts: ToolParts): void {
  server.registerTool(
    'report_message',
    {
      title: 'Report on a message',
      description:
        'Tells what the sender of a message would like to know before sending it to many: rules that it breaks, where, ' +
        'and what to do. Quotes nothing of it; the message stays unread.',
      inputSchema: readInput,
      outputSchema: reportOutput,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ handle, message_id: id }) =>
      answer(parts, async () => {
        const { inbox } = await parts.caller.open(handle);
        return toReported(await inbox.report(id));
      }),
  );
}

function toReported({ id, worst, errors, warnings, infos, omitted, findings, ...rest }: MailReport) {
  const listed = findings.slice(0, reportedMax);
  return {
    message_id: id,
    worst,
    errors,
    warnings,
    infos,
    omitted: omitted + findings.length - listed.length,
    size: rest.size,
    html_size: rest.htmlSize,
    has_text: rest.hasText,
    findings: listed.map(({ rule, severity, advice, part, line, column }) => ({
      rule,
      severity,
      advice,
      part,
      line,
      column,
    })),
  };
}
