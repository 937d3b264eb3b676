// A table of what an operation lists. On a narrow screen each row stands as a card, its cells under each other with the
// names of their columns; the roles are spelled out, since a table that is no longer laid out as one would lose them.
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

import { type Sorted, sortRows, type SortValue, turn } from '../state/sort-rows.ts';
import { text } from '../texts/text.ts';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  /** `main` names the row; `number` is set to the end. */
  readonly kind?: 'main' | 'number' | 'wide';
  /** The value that rows are sorted by when the head is pressed. */
  readonly sort?: (row: Row) => SortValue;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  readonly columns: readonly Column<Row>[];
  /** The actions of a row, shown at its end. */
  readonly actions?: (row: Row) => ComponentChildren;
}

export function DataTable<Row>({ label, rows, keyOf, columns, actions }: DataTableProps<Row>): VNode {
  const [sorted, setSorted] = useState<Sorted>();
  const by = columns.find(({ title }) => title === sorted?.title)?.sort;
  const shown = sorted && by ? sortRows(rows, by, sorted.order) : rows;
  return (
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row" data-title={text('table.sort')}>
          {columns.map((column) => (
            <Head
              key={column.title}
              {...{ column, sorted }}
              onSort={() => {
                setSorted(turn(sorted, column.title));
              }}
            />
          ))}
          {actions && <td role="cell" class="cell-actions" />}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {shown.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, kind, show }) => (
              <td key={title} role="cell" class={`cell is-${kind ?? 'plain'}`} data-title={title}>
                <span class="table-value">{show(row)}</span>
              </td>
            ))}
            {actions && (
              <td role="cell" class="cell-actions">
                {actions(row)}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sorted: Sorted | undefined;
  readonly onSort: () => void;
}

function Head<Row>({ column: { title, kind, sort }, sorted, onSort }: HeadProps<Row>): VNode {
  const order = sorted?.title === title ? sorted.order : undefined;
  return (
    <th role="columnheader" scope="col" class={`is-${kind ?? 'plain'}`} aria-sort={order}>
      {sort ? (
        <button type="button" class="table-sort" onClick={onSort}>
          {title}
        </button>
      ) : (
        title
      )}
    </th>
  );
}
