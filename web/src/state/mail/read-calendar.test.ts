import { expect, it } from 'vitest';

import { readCalendar } from './read-calendar.ts';

function calendar(fields: string, method = 'REQUEST'): string {
  const lines = `BEGIN:VCALENDAR\nMETHOD:${method}\nBEGIN:VEVENT\n${fields}\nEND:VEVENT\nEND:VCALENDAR\n`;
  return lines.replaceAll('\n', '\r\n');
}

it('reads title, time, place and organizer, folded and escaped', () => {
  const text = calendar(
    'UID:a@x\nSUMMARY:Lunch\\, again\nLOCATION:Main St\n reet 5\\nRoom 2\nDTSTART:20260301T120000Z\nDTEND:20260301T133000Z\n' +
      'ORGANIZER;CN="Ann; Lee":mailto:ann@x.example\nBEGIN:VALARM\nSUMMARY:Alarm\nTRIGGER:-PT15M\nEND:VALARM',
  );
  expect(readCalendar(text)).toEqual([
    {
      uid: 'a@x',
      title: 'Lunch, again',
      place: 'Main Street 5 Room 2',
      organizer: 'Ann; Lee',
      start: { at: Date.UTC(2026, 2, 1, 12), kind: 'instant' },
      end: { at: Date.UTC(2026, 2, 1, 13, 30), kind: 'instant' },
      isCancelled: false,
      repeats: false,
    },
  ]);
});

it.each([
  ['DTSTART;TZID=Europe/Berlin:20260701T100000', Date.UTC(2026, 6, 1, 8), 'instant'],
  ['DTSTART;TZID="America/New_York":20260301T100000', Date.UTC(2026, 2, 1, 15), 'instant'],
  // The hour after the clocks go forward.
  ['DTSTART;TZID=Europe/Berlin:20260329T030000', Date.UTC(2026, 2, 29, 1), 'instant'],
  ['DTSTART;TZID=Our own time:20260701T100000', Date.UTC(2026, 6, 1, 10), 'written'],
  ['DTSTART:20260701T100000', Date.UTC(2026, 6, 1, 10), 'written'],
  ['DTSTART;VALUE=DATE:20260701', Date.UTC(2026, 6, 1), 'day'],
])('reads %s', (field, at, kind) => {
  expect(readCalendar(calendar(field))[0]?.start).toEqual({ at, kind });
});

it.each([
  ['DTSTART:20260701T100000Z\nDURATION:PT1H30M', Date.UTC(2026, 6, 1, 11, 30)],
  ['DTSTART;VALUE=DATE:20260701\nDTEND;VALUE=DATE:20260703', Date.UTC(2026, 6, 2)],
  ['DTSTART;VALUE=DATE:20260701\nDTEND;VALUE=DATE:20260702', undefined],
  ['DTSTART:20260701T100000Z\nDTEND:20260701T090000Z', undefined],
  ['DTSTART:20260701T100000Z\nDURATION:soon', undefined],
])('reads the end of %j', (fields, at) => {
  expect(readCalendar(calendar(fields))[0]?.end?.at).toBe(at);
});

it('has each event once, and knows a cancelled one and one that repeats', () => {
  const one = calendar('UID:a\nDTSTART:20260701T100000Z\nRRULE:FREQ=DAILY', 'CANCEL');
  const [event, ...others] = readCalendar(one + one);
  expect(others).toEqual([]);
  expect(event).toMatchObject({ isCancelled: true, repeats: true });
});

it.each(['', 'BEGIN:VEVENT', 'nothing of it', calendar('SUMMARY:No time'), calendar('DTSTART:tomorrow')])(
  'finds nothing in %j',
  (text) => {
    expect(readCalendar(text)).toEqual([]);
  },
);
