// A refused delivery in words.
import type { Delivery } from '../api/answers.ts';
import { t } from '../i18n/translate.ts';
import { toDeliveryReason } from '../state/delivery-reason.ts';

/** The reply as it was given where it says nothing that we have words for. */
export function describeRefusal({ reply }: Delivery): string {
  const reason = toDeliveryReason(reply);
  return reason === undefined ? reply : t(`log.reason.${reason}` as const);
}
