// Ids, numbers of orders and the like, addresses of machines and durations in a text, recognised by their form or by the
// word before them.

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/**
 * Letters and digits mixed, or many digits: not a word, and no number that a person would write.
 * And those of a help desk and of a meeting: `[A1B2C3-D4E5]`, `/abc-defg-hij`.
 */
const ids =
  /(?<![\w#&;-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}(?![\w-])|(?<![\w.,#$€£&])\d{6,}(?![\w]|[.,]\d)|(?<=\[)[A-Z0-9]{6}-[A-Z0-9]{4}(?=\])|(?<=\/)[a-z]{3}-[a-z]{4}-[a-z]{3}(?![\w-])/g;
/**
 * Numbers of orders and the like, which in markup would be colours and names of classes: `#1234567`, `INV-2026-0123`;
 * hashes of commits, and ids with the prefix of their kind, `req_…`.
 */
const numbers =
  /(?<![\w&;-])(?=[\w-]*[A-Za-z])(?=(?:[\w-]*?\d){5})[\w-]{6,}(?![\w-])|(?<![\w&])#\d{4,}(?:-\d+)*(?!\w)|(?<![\w-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}(?![\w-])|(?<![\w-])[a-z]{2,6}_[A-Za-z0-9]{10,}(?![\w-])/g;
const ip =
  /(?<![\w.])(?!127\.0\.0\.1|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\w)|(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])/gi;
const port = /\b(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0):\d{2,5}\b/g;
const measured =
  /\b\d{1,3} ?(?:h|m|min|minutes?|hours?) (?:and )?\d{1,2} ?(?:m|s|min|sec|minutes?|seconds?)\b|\b\d{1,3} (?:seconds?|minutes?|hours?|days?)(?= ago\b)/g;
const ago = /(?<![\p{L}\p{N}])(vor|il y a|hace|há) \d{1,3} \p{L}+/gu;

/** Before a number with a digit. */
const weak =
  'no|nr|n°|nº|№|number|num|nummer|numéro|número|numero|id|order|invoice|receipt|ticket|case|request|booking|rechnung|bestellung|auftrag|kundennummer|commande|facture|pedido|factura|fattura|ordine';
/** Before capitals alone too. */
const strong = 'reference|ref|pnr|locator|referenz|référence|referencia|referência|riferimento|referentie';
const labelled = new RegExp(
  String.raw`((?<![\p{L}\p{N}])(?:${bothCases(weak)})\.?[:：]? ?\(?)#?(?=[A-Z-]*\d)(?:[A-Z]{0,4}\d{2,}(?: \d{3,4}(?!\w)){2,}|[A-Z0-9]+(?:-[A-Z0-9]+)*(?<=[A-Z0-9-]{4}))(?![\p{L}\p{N}-]|[.,]\d)` +
    String.raw`|((?<![\p{L}\p{N}])(?:${bothCases(strong)})\.?[:：]? ?\(?)#?(?:[A-Z]{0,4}\d{2,}(?: \d{3,4}(?!\w)){2,}|[A-Z0-9]{5,}(?:-[A-Z0-9]+)*)(?![\p{L}\p{N}-]|[.,]\d)`,
  'gu',
);

function bothCases(words: string): string {
  return words
    .split('|')
    .map((word) => `[${word.charAt(0)}${word.charAt(0).toUpperCase()}]${word.slice(1)}`)
    .join('|');
}

/** Returns the numbers that a word or `#` before them shows to be ids: they are ids wherever the mail has them. */
export function findNumbers(text: string): string[] {
  const found = [...text.matchAll(labelled)].map(([all, one, other]) =>
    all.slice((one ?? other ?? '').length).replace('#', ''),
  );
  const marked = [...text.matchAll(/(?<![\w&])#(\d{4,}(?:-\d+)*)(?!\w)/g)].map(([, number = '']) => number);
  return [...found, ...marked];
}

export function maskUuids(text: string): string {
  return text.replaceAll(uuid, '[id]');
}

/** In words: also what would be a date or time in part. */
export function maskMachines(text: string): string {
  return maskUuids(text)
    .replaceAll(ip, '[ip]')
    .replaceAll(measured, '[duration]')
    .replaceAll(ago, '$1 [duration]');
}

export function maskNumbers(text: string): string {
  return text.replaceAll(labelled, '$1$2[id]').replaceAll(numbers, '[id]');
}

export function maskIds(text: string): string {
  return text.replaceAll(ids, '[id]').replaceAll(port, '$1:[port]').replaceAll(ip, '[ip]');
}
