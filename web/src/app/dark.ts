// Whether the page is shown in dark colours. Loaded with the reader.
import { computed } from '@preact/signals';

import { settings } from '../state/settings.ts';
import { watch } from './screen.ts';

const isSystemDark = watch('(prefers-color-scheme: dark)');

export const isDark = computed(() => {
  const { theme } = settings.value;
  return theme === 'system' ? isSystemDark.value : theme === 'dark';
});
