// How busy the service is, as small charts: what `/metrics` counts, asked for again and again while the page is seen.

import { element } from './elements.ts';

interface Rate {
  readonly title: string;
  readonly metric: string;
  /** Value of the label `outcome`; any where absent. */
  readonly outcomes?: readonly string[];
}

const rates: readonly Rate[] = [
  { title: 'Messages stored', metric: 'mayfly_messages_total', outcomes: ['stored'] },
  {
    title: 'Messages refused or deferred',
    metric: 'mayfly_messages_total',
    outcomes: ['refused', 'deferred'],
  },
  { title: 'SMTP connections', metric: 'mayfly_smtp_connections_total' },
  { title: 'Sessions lent', metric: 'mayfly_sessions_created_total' },
  { title: 'HTTP requests', metric: 'mayfly_http_requests_total' },
  { title: 'Webhooks sent', metric: 'mayfly_webhook_tries_total' },
];

interface Sample {
  readonly atMs: number;
  /** One for each of the rates. */
  readonly totals: readonly number[];
}

const everyMs = 5000;
const mostSamples = 61;
const width = 160;
const height = 36;

/** Sums of the rates in a text of Prometheus' format. */
export function readTotals(text: string): number[] {
  const totals = rates.map(() => 0);
  for (const line of text.split('\n')) {
    const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{([^}]*)\})? (\S+)/.exec(line) ?? [];
    const outcome = /\boutcome="([^"]*)"/.exec(labels)?.[1] ?? '';
    for (const [at, { metric, outcomes }] of rates.entries()) {
      if (metric !== name || (outcomes && !outcomes.includes(outcome))) continue;
      totals[at] = (totals[at] ?? 0) + Number(value);
    }
  }
  return totals;
}

/** Per minute between each sample and the one before; a service that began anew counts from 0. */
export function toMinutes(samples: readonly Sample[], at: number): number[] {
  return samples.slice(1).map(({ atMs, totals }, before) => {
    const earlier = samples[before];
    const count = totals[at] ?? 0;
    const grown = count - (earlier?.totals[at] ?? 0);
    return ((grown < 0 ? count : grown) * 60_000) / (atMs - (earlier?.atMs ?? 0));
  });
}

/**
 * Draws into the list until the page is left. `isShown`: whether there is anyone to draw for. Returns what draws at once.
 */
export function startRates(list: HTMLElement, isShown: () => boolean): () => void {
  let samples: readonly Sample[] = [];
  const look = async (): Promise<void> => {
    const isRecent = Date.now() - (samples.at(-1)?.atMs ?? 0) < everyMs / 2;
    if (document.hidden || !isShown() || isRecent) return;
    const response = await fetch('/metrics');
    if (!response.ok) throw new Error(`/metrics answered ${response.status}.`);
    samples = [...samples, { atMs: Date.now(), totals: readTotals(await response.text()) }].slice(
      -mostSamples,
    );
    list.replaceChildren(...rates.map(({ title }, at) => drawRate(title, samples, at)));
  };
  const tellFault = (error: unknown): void => {
    list.replaceChildren(element('p', { className: 'none', textContent: (error as Error).message }));
  };
  const tick = (): void => {
    look().catch(tellFault);
  };
  setInterval(tick, everyMs);
  return tick;
}

function drawRate(title: string, samples: readonly Sample[], at: number): HTMLElement {
  const minutes = toMinutes(samples, at);
  const total = samples.at(-1)?.totals[at] ?? 0;
  const now = minutes.at(-1);
  const figure = now === undefined ? 'Measuring…' : `${format(now)} a minute`;
  const box = element('figure', { className: 'rate' }, [
    element('figcaption', { textContent: title }),
    element('strong', { textContent: figure }),
    element('span', { className: 'none', textContent: `${format(total)} since the start` }),
  ]);
  box.append(drawLine(minutes));
  return box;
}

function format(count: number): string {
  return count.toLocaleString('en', { maximumFractionDigits: count < 10 ? 1 : 0 });
}

/** For the eye alone: the words beside it say the same. */
function drawLine(minutes: readonly number[]): SVGElement {
  const svg = makeSvg('svg', { viewBox: `0 0 ${width} ${height}`, class: 'chart', 'aria-hidden': 'true' });
  const most = Math.max(1, ...minutes);
  const step = width / (mostSamples - 2);
  const start = width - step * (minutes.length - 1);
  const points = minutes.map(
    (value, at) =>
      `${(start + at * step).toFixed(1)},${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`,
  );
  svg.append(makeSvg('polyline', { points: points.join(' ') }));
  return svg;
}

function makeSvg(name: 'svg' | 'polyline', attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
