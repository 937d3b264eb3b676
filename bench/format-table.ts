// Formats figures as a Markdown table, readable in a terminal and ready for docs/benchmarks.md.
import { type Figure, isGoodEnough } from './figure.ts';
import type { Spread } from './statistics.ts';

/** Above this share of a core our own driver, not the floor, was the bottleneck. */
const brakeLoad = 0.9;

/** Formats one row per figure. */
export function formatTable(figures: readonly Figure[]): string {
  const header = ['figure', 'shape of traffic', 'service', 'floor', 'service ÷ floor', 'wanted'];
  const rows = figures.map(toRow);
  const widths = header.map((title, column) =>
    Math.max(...[header, ...rows].map((row) => (row[column] ?? title).length)),
  );
  const format = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [format(header), format(widths.map((width) => '-'.repeat(width))), ...rows.map(format)].join('\n');
}

function toRow(figure: Figure): readonly string[] {
  const isBrake = (figure.driverLoad ?? 0) >= brakeLoad;
  return [
    figure.title,
    figure.shape,
    formatSpread(figure.service, figure.unit),
    figure.floor === undefined ? '–' : formatSpread(figure.floor, `${figure.unit}${isBrake ? ' *' : ''}`),
    figure.ratio === undefined ? '–' : formatSpread(figure.ratio, '', 2),
    formatVerdict(figure),
  ];
}

function formatSpread({ median, min, max }: Spread, unit: string, digits?: number): string {
  const range = min === max ? '' : ` (${formatNumber(min, digits)}–${formatNumber(max, digits)})`;
  return `${formatNumber(median, digits)}${unit}${range}`;
}

function formatNumber(value: number, digits = value < 10 ? 2 : value < 100 ? 1 : 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function formatVerdict(figure: Figure): string {
  const { wantedRatio, wantedMost, wantedMostRatio, unit } = figure;
  if (wantedRatio === undefined && wantedMost === undefined) return '';
  const byRatio = wantedMostRatio === undefined ? '' : `, by ratio ≤ ${wantedMostRatio}`;
  const wanted = wantedMost === undefined ? `≥ ${wantedRatio}` : `≤ ${wantedMost}${unit}${byRatio}`;
  return `${wanted} ${isGoodEnough(figure) ? 'met' : 'MISSED'}`;
}
