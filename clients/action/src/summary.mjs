// Summarises the job's mail: totals from the metrics of the running service, and the delivery log of the inbox that
// takes all mail without an inbox of its own.

/**
 * @typedef {{ at: string, outcome: string, reply: string, mail_from: string | null }} Delivery
 * @typedef {object} Summary
 * @property {readonly string[]} totals
 * @property {readonly Delivery[]} deliveries newest first
 */

/**
 * @param {{ url: string, root: string, operator: string }} service
 * @returns {Promise<Summary>}
 */
export async function readSummary({ url, root, operator }) {
  const totals = operator === '' ? [] : readTotals(await ask(`${operator}/metrics`));
  const token = /#share=(mf_[\w-]+)/.exec(await ask(`${root}/`))?.[1];
  if (token === undefined) return { totals, deliveries: [] };
  const session = /** @type {{ deliveries: readonly Delivery[] }} */ (
    JSON.parse(await ask(`${url}/session`, token))
  );
  return { totals, deliveries: session.deliveries };
}

/**
 * @param {string} address
 * @param {string} [token]
 */
async function ask(address, token) {
  const response = await fetch(address, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(15_000),
  });
  if (!response.ok) throw new Error(`${new URL(address).pathname} answered ${response.status}.`);
  return response.text();
}

/** @param {string} metrics */
export function readTotals(metrics) {
  /** @param {string} name */
  const read = (name) =>
    [...metrics.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\d+)$`, 'gm'))].flatMap(
      ([, labels = '', count]) => {
        const words = [...labels.matchAll(/(\w+)="([^"]*)"/g)]
          .filter(([, label, value]) => label !== 'source' && value !== '')
          .map(([, , value]) => value);
        return count === '0' ? [] : [[words.join(', '), count].join(': ')];
      },
    );
  const lines = /** @type {const} */ ([
    ['Inboxes lent', read('mayfly_sessions_created_total').map((line) => line.replace(': ', ''))],
    ['Messages', read('mayfly_messages_total')],
    ['Recipients', read('mayfly_smtp_recipients_total')],
  ]);
  return lines.map(([name, found]) => `${name}: ${found.length === 0 ? 'none' : found.join('; ')}`);
}

/** @param {Summary} summary */
export function toLines({ totals, deliveries }) {
  return [
    'Mayfly in this job',
    ...totals.map((line) => `  ${line}`),
    '  Deliveries to the shared inbox, newest first:',
    ...(deliveries.length === 0 ? ['    none'] : deliveries.map((delivery) => `    ${describe(delivery)}`)),
  ];
}

/** @param {Summary} summary */
export function toHtml({ totals, deliveries }) {
  const items = totals.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
  const rows = deliveries.map((delivery) => escapeHtml(describe(delivery))).join('\n');
  const shown = deliveries.length === 0 ? 'none' : rows;
  return `<h3>Mayfly</h3><ul>${items}</ul><details><summary>Deliveries to the shared inbox</summary><pre>${shown}</pre></details>`;
}

/** Always a single line, whatever the sender's name contains. @param {Delivery} delivery */
function describe({ at, outcome, reply, mail_from: from }) {
  return `${at} ${outcome} mail from ${from === null || from === '' ? '<>' : from}: ${reply}`.replaceAll(
    /\p{C}/gu,
    ' ',
  );
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
