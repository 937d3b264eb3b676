// Views that the first paint does not need, loaded when first shown or shortly before. Nothing is shown until they are
// loaded; the service worker keeps them for use offline.
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { closeDialog } from '../app/navigation.ts';
import { logFault, reportError } from '../app/report-fault.ts';

export interface LazyView<Props> {
  (props: Props): VNode | null;
  /** Loads it ahead of use. */
  readonly prepare: () => void;
}

/** A view that fails to load is left out, and tried again when next shown. */
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
    // In an object: a signal of a function would be taken for one to call.
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
  const prepare = (): void => {
    keep().catch(logFault);
  };
  return Object.assign(Lazy, { prepare });
}

/** A dialog that fails to load is closed again, and the reader is told. */
export function lazyDialog<Props extends object>(load: () => Promise<ComponentType<Props>>): LazyView<Props> {
  return lazyView(load, (error) => {
    closeDialog();
    reportError(error);
  });
}
