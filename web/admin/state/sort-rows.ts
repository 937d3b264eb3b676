// The order of a table's rows: as the service lists them, or by a column whose head was pressed.

export type SortValue = string | number | null | undefined;

export interface Sorted {
  readonly title: string;
  readonly order: 'ascending' | 'descending';
}

const collator = new Intl.Collator('en', { numeric: true });

/** Returns the rows in order: equal ones stay as they were, those without a value are last. */
export function sortRows<Row>(
  rows: readonly Row[],
  by: (row: Row) => SortValue,
  order: Sorted['order'],
): readonly Row[] {
  const sign = order === 'ascending' ? 1 : -1;
  return [...rows].sort((one, other) => {
    const [a, b] = [by(one) ?? '', by(other) ?? ''];
    if (a === '' || b === '') return Number(a === '') - Number(b === '');
    return (
      sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)))
    );
  });
}

/** Up, down, and as it was. */
export function turn(sorted: Sorted | undefined, title: string): Sorted | undefined {
  if (sorted?.title !== title) return { title, order: 'ascending' };
  return sorted.order === 'ascending' ? { title, order: 'descending' } : undefined;
}
