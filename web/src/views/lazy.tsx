// Views that few visits need, fetched when they are first shown. Nothing is shown until they are here; the service
// worker keeps them, so they come offline too.
import { useSignal } from '@preact/signals';
import type { ComponentType, VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { closeDialog } from '../app/navigation.ts';
import { logFault, reportError } from '../app/report-fault.ts';

/** A view that `load` fetches. One that cannot be fetched is left out. */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFault: (error: unknown) => void = logFault,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props): VNode | null {
    // In an object: a signal of a function would be taken for one to call.
    const found = useSignal({ View: loaded });
    useEffect(() => {
      if (loaded) return;
      load().then((View) => {
        loaded = View;
        found.value = { View };
      }, onFault);
    }, [found]);
    const { View } = found.value;
    return View && <View {...props} />;
  };
}

/** A dialog that `load` fetches. One that cannot be fetched is closed again, and said to have failed. */
export function lazyDialog<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return lazyView(load, (error) => {
    closeDialog();
    reportError(error);
  });
}
