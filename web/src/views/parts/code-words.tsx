// Shows a code in groups that are spoken and copied as one.
import type { VNode } from 'preact';

import { toCodeGroups } from '../../state/mail/code-groups.ts';

export function CodeWords({ code }: { readonly code: string }): VNode {
  return (
    <strong class="code" dir="ltr">
      {toCodeGroups(code).map((group, at) => (
        <span key={at}>{group}</span>
      ))}
    </strong>
  );
}
