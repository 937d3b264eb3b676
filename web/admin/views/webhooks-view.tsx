// The webhooks that were given up, and sending them again.
import type { VNode } from 'preact';

import type { DeadWebhook } from '../api/answers.ts';
import { carryOut } from '../api/call-operation.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Listing, Nothing } from '../parts/listing.tsx';
import { Moment } from '../parts/moment.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PlaceIcon } from '../parts/place-icon.tsx';
import { tellResult } from '../state/tell-result.ts';
import { useAnswer } from '../state/use-answer.ts';
import { counted, number, text } from '../texts/text.ts';

export function WebhooksView(): VNode {
  const dead = useAnswer<{ readonly dead_webhooks: readonly DeadWebhook[] }>('dead-webhooks');
  const replay = (id: string): void => {
    tellResult(
      carryOut<{ readonly replayed: number }>('replay-webhook', { id }),
      ({ replayed }) => counted('webhooks.due', replayed),
      () => void dead.reload(),
    );
  };
  const isSome = (dead.answer?.dead_webhooks.length ?? 0) > 0;
  return (
    <>
      <PageHead intro={text('webhooks.intro')}>
        {isSome && (
          <button
            type="button"
            class="button"
            onClick={() => {
              replay('all');
            }}
          >
            <PlaceIcon name="again" />
            <span>{text('webhooks.againAll')}</span>
          </button>
        )}
      </PageHead>
      <Listing asked={dead}>
        {({ dead_webhooks: rows }) =>
          rows.length === 0 ? (
            <Nothing icon="webhooks" title={text('webhooks.none')} hint={text('webhooks.noneHint')} />
          ) : (
            <DataTable
              label={text('place.webhooks')}
              rows={rows}
              keyOf={({ id }) => id}
              columns={columns}
              actions={({ id }) => (
                <button
                  type="button"
                  class="button"
                  aria-label={`${text('webhooks.again')}: ${id}`}
                  onClick={() => {
                    replay(String(id));
                  }}
                >
                  {text('webhooks.again')}
                </button>
              )}
            />
          )
        }
      </Listing>
    </>
  );
}

const columns: readonly Column<DeadWebhook>[] = [
  {
    title: text('webhooks.event'),
    kind: 'main',
    show: ({ event, id }) => (
      <>
        <strong>{event}</strong>
        <small>{`#${id}`}</small>
      </>
    ),
  },
  {
    title: text('webhooks.reason'),
    kind: 'wide',
    show: ({ reason }) => <bdi class="breakable">{reason}</bdi>,
  },
  { title: text('webhooks.tries'), kind: 'number', show: ({ tries }) => number(tries) },
  { title: text('webhooks.happened'), show: (row) => <Moment at={row.happened_at} /> },
  { title: text('webhooks.givenUp'), show: (row) => <Moment at={row.given_up_at} /> },
];
