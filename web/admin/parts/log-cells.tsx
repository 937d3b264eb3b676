// Cells that the records of mail have in common.
import type { VNode } from 'preact';

import { text } from '../texts/text.ts';

export function SenderCell({ domain }: { readonly domain: string | null }): VNode {
  if (domain === null) return <>{text('app.none')}</>;
  return domain === '' ? <>{text('statistics.bounces')}</> : <bdi class="breakable">{domain}</bdi>;
}

/** `rest`: what stands below. */
export function HostCell({ ip, helo, rest }: HostCellProps): VNode {
  return (
    <>
      <span class="breakable">{ip ?? text('app.none')}</span>
      {helo !== '' && <small class="breakable">{helo}</small>}
      {ip !== null && rest}
    </>
  );
}

interface HostCellProps {
  readonly ip: string | null;
  readonly helo: string;
  readonly rest?: VNode;
}
