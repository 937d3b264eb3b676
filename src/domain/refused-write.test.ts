import { expect, it } from 'vitest';

import { asWrite, isRefusedWrite, RefusedWriteError, toWriteError } from './refused-write.ts';

const withCode = (code: unknown): Error => Object.assign(new Error('x'), { code });

it.each([
  ...['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO'],
  ...[
    'SQLITE_FULL',
    'SQLITE_READONLY',
    'SQLITE_READONLY_DBMOVED',
    'SQLITE_IOERR_WRITE',
    'SQLITE_IOERR_SHMSIZE',
  ],
])('takes %s for a refusal, which can be retried', async (code) => {
  const error = withCode(code);
  expect(isRefusedWrite(error)).toBe(true);
  const refused = await asWrite(Promise.reject(error)).catch((caught: unknown) => caught);
  expect(refused).toBeInstanceOf(RefusedWriteError);
  expect(refused).toMatchObject({ code: 'unavailable', httpStatus: 503, cause: error });
  expect((refused as RefusedWriteError).retryAfterSeconds).toBeGreaterThan(0);
  expect(isRefusedWrite(refused)).toBe(true);
  expect(toWriteError(refused)).toBe(refused);
});

it.each([
  ...['SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_DIR_FSYNC', 'SQLITE_IOERR_READ', 'SQLITE_CORRUPT', 'SQLITE_NOTADB'],
  ...['SQLITE_CONSTRAINT', 'SQLITE_BUSY', 'ENOENT', 'ECONNRESET', undefined, 5],
])('takes %s for none', (code) => {
  const error = withCode(code);
  expect(isRefusedWrite(error)).toBe(false);
  expect(toWriteError(error)).toBe(error);
});

it('takes what is no error for none', () => {
  expect([undefined, null, 'ENOSPC'].map(isRefusedWrite)).toEqual([false, false, false]);
});
