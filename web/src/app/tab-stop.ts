// The one row of the list that Tab reaches; arrows move from there.
import { computed } from '@preact/signals';

import { current } from '../state/mailboxes.ts';
import { openMessageId, selectedId } from './navigation.ts';

/** Id of its message: where the keyboard was last, else the open one, else the newest; null without any. */
export const tabStop = computed(() => {
  const found = current.value?.found.value ?? [];
  const wanted = [selectedId.value, openMessageId.value].find((id) => found.some((one) => one.id === id));
  return wanted ?? found[0]?.id ?? null;
});
