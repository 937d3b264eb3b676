// A code in groups, as it is shown; read out and copied it is one.
import type { VNode } from 'preact';

import { toCodeGroups } from '../state/code-groups.ts';

export function CodeWords({ code }: { readonly code: string }): VNode {
  return (
    <strong class="code" dir="ltr">
      {toCodeGroups(code).map((group, at) => (
        <span key={at}>{group}</span>
      ))}
    </strong>
  );
}
