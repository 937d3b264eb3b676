import { expect, it } from 'vitest';
import { createTransferDecoder } from './transfer-decoder.ts';

it.each(['=', ' ', '= ', 'A', '\n'])('takes linear time on a body of %j alone', (unit) => {
  const piece = Buffer.from(unit.repeat(128 * 1024));
  const decode = createTransferDecoder('quoted-printable');
  const startedAt = process.cpuUsage();
  for (let count = 0; count < 64; count++) decode(piece, false);
  decode(Buffer.alloc(0), true);
  expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(5000);
});
