// GET /report: judges a message as its sender would like to know before sending. Nothing is fetched, and the message
// stays unread.

import { jsonAnswer } from '../answers/success.ts';
import { sessionOperation } from '../operation.ts';
import { reportExample, reportSchema, toReportView } from '../views/report-view.ts';
import { success } from '../views/schemas.ts';
import { messageIdParameter } from './parameters.ts';

export const reportMailOperation = sessionOperation({
  name: 'reportMail',
  tag: 'Testing',
  method: 'GET',
  path: '/report',
  summary: 'Report on a message that you send',
  description:
    'Which mail programs lack what the HTML uses, what Gmail cuts off, whether there is a text that says the same, ' +
    'what a strict receiver makes of the sender, List-Unsubscribe, links and pictures, contrast and dark mode, the ' +
    'preheader, language and direction, and personalisation that was not filled in. Each finding says where it is and ' +
    'what to do. Nothing is fetched, and the message stays unread. The rules are in docs/report.md.',
  parameters: { id: messageIdParameter },
  answers: success({ report: reportSchema }),
  example: { status: 'success', report: reportExample },
  errors: ['message_not_found'],
  takesShare: true,
  async run({ services }, { live, parameters: { id } }) {
    return jsonAnswer({ report: toReportView(id, await services.reportMail(live.session, id)) });
  },
});
