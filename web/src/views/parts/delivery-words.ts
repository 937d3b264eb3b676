// Describes a refused delivery in words.
import type { Delivery } from '../../api/answers.ts';
import { t } from '../../i18n/translate.ts';
import { toDeliveryReason } from '../../state/addresses/delivery-reason.ts';

/** Falls back to the reply itself where its reason has no text of ours. */
export function describeRefusal({ reply }: Delivery): string {
  const reason = toDeliveryReason(reply);
  return reason === undefined ? reply : t(`log.reason.${reason}` as const);
}
