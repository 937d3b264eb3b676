// The words after `mayfly copy` → what is copied where. Used by parse-arguments.ts.

import { UsageError } from './usage-error.ts';

/** As parse-arguments.ts declares them. */
export const copyOptions = { from: { type: 'string' }, to: { type: 'string' } } as const;

export interface CopyCommand {
  readonly kind: 'copy';
  /** `sqlite:…` */
  readonly from: string;
  /** A PostgreSQL URL; undefined for that of the settings. */
  readonly to: string | undefined;
}

/** @throws UsageError */
export function parseCopyCommand(
  words: readonly string[],
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): CopyCommand {
  if (words.length > 0) throw new UsageError('`copy` takes no arguments but --from and --to.');
  if (from === undefined || !/^sqlite:./.test(from)) {
    throw new UsageError('--from takes sqlite:FOLDER, the data folder of the store that is copied.');
  }
  if (to !== undefined && !/^postgres(?:ql)?:\/\/./.test(to)) {
    throw new UsageError('--to takes the postgres:// URL of an empty database.');
  }
  return { kind: 'copy', from, to };
}
