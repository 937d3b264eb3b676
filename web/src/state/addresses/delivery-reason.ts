// Finds the reason for a refused delivery in the reply to the sender. Pure.

export type DeliveryReason = 'full' | 'tooBig' | 'policy' | 'later' | 'unknown' | 'malformed';

const byEnhancedCode: Readonly<Record<string, DeliveryReason>> = {
  '4.2.2': 'full',
  '5.2.2': 'full',
  '5.3.4': 'tooBig',
  '5.7.1': 'policy',
  '5.1.1': 'unknown',
};

/**
 * Decides by the enhanced status code (RFC 3463), else by the class of the reply; undefined for a reply with neither.
 */
export function toDeliveryReason(reply: string): DeliveryReason | undefined {
  const found = /^([245])\d\d (?:([245]\.\d{1,3}\.\d{1,3}) )?/.exec(reply);
  if (!found) return undefined;
  const known = byEnhancedCode[found[2] ?? ''];
  if (known) return known;
  if (found[1] === '4') return 'later';
  return found[2]?.startsWith('5.5') || found[2]?.startsWith('5.6') ? 'malformed' : undefined;
}
