// Views that the first paint does not need, loaded when first shown or shortly before. Nothing is shown until they are
// loaded; the service worker keeps them for use offline.
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { closeDialog } from '../../app/navigation.ts';
import { logFault, reportError } from '../../app/report-fault.ts';
import { loadMoreTexts } from '../../i18n/translate.ts';

export interface LazyView<Props> {
  (props: Props): VNode | null;
  /** Loads it ahead of use; resolves too when that fails. */
  readonly prepare: () => Promise<void>;
}

/** Returns a view that `load` fetches. If that fails, nothing is shown, and the next use tries again. */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFault: (error: unknown) => void = logFault,
): LazyView<Props> {
  let loaded: ComponentType<Props> | null = null;
  const keep = async (): Promise<ComponentType<Props>> => {
    loaded ??= await load();
    return loaded;
  };
  function Lazy(props: Props): VNode | null {
    // Wrapped in an object, because the signal would call a function.
    const found = useSignal({ View: loaded });
    useEffect(() => {
      if (found.value.View) return;
      keep().then((View) => {
        found.value = { View };
      }, onFault);
    }, [found]);
    const { View } = found.value;
    return View && <View {...props} />;
  }
  const prepare = (): Promise<void> => keep().then(() => undefined, logFault);
  return Object.assign(Lazy, { prepare });
}

/** Like lazyView, for a view with texts of i18n/more. */
export function lazyWithTexts<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFault: (error: unknown) => void = logFault,
): LazyView<Props> {
  return lazyView(async () => {
    const [View] = await Promise.all([load(), loadMoreTexts()]);
    return View;
  }, onFault);
}

/** Returns a dialog that `load` fetches, with texts of i18n/more. If that fails, it closes with a notice. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyView<Props> {
  return lazyWithTexts(load, (error) => {
    closeDialog();
    reportError(error);
  });
}
