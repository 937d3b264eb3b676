// A table of what an operation lists. On a narrow screen each row stands as a card, its cells under each other with the
// names of their columns; the roles are spelled out, since a table that is no longer laid out as one would lose them.
import type { ComponentChildren, VNode } from 'preact';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  /** `main` names the row; `number` is set to the end. */
  readonly kind?: 'main' | 'number' | 'wide';
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
  return (
    <table class="table" role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, kind }) => (
            <th key={title} role="columnheader" scope="col" class={`is-${kind ?? 'plain'}`}>
              {title}
            </th>
          ))}
          {actions && <td role="cell" class="cell-actions" />}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
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
