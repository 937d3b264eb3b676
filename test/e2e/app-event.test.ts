// An invitation: one card, with title, time, place and the file to save, however often the message has the event.
import { expect, it } from 'vitest';

import { useApp } from '../support/page/app-fixture.ts';
import { checkAccessibility } from '../support/page/app-accessibility.ts';
import { noFaults } from '../support/page/app-page.ts';

const app = useApp();

function invitation(method: string): string {
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    'UID:one@calendar.example',
    'SUMMARY:Dinner\\, at last',
    'LOCATION:Main Street 5',
    'ORGANIZER;CN=Ann Lee:mailto:ann@calendar.example',
    'DTSTART;TZID=Europe/Berlin:20260701T190000',
    'DTEND;TZID=Europe/Berlin:20260701T213000',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

it('shows an invitation as one card, in the reader’s own time', async () => {
  const { page, email, faults } = await app.open({ timezoneId: 'America/New_York' });
  await app.service.send(email, {
    subject: 'Invitation',
    text: 'Come to dinner.',
    html: '<p>Come to dinner.</p>',
    icalEvent: { method: 'REQUEST', filename: 'invite.ics', content: invitation('REQUEST') },
  });
  await page.getByRole('link', { name: /Invitation/ }).click();
  const card = page.getByRole('region', { name: 'Event' });
  await card.getByText('Dinner, at last').waitFor();
  expect(await card.count()).toBe(1);
  const words = await card.innerText();
  expect(words).toMatch(/July 1, 2026.*1:00\s–\s3:30\sPM/);
  expect(words).toContain('Main Street 5');
  expect(words).toContain('Ann Lee');
  expect(await checkAccessibility(page)).toEqual([]);
  const download = page.waitForEvent('download');
  await card.getByRole('button', { name: 'Add to calendar' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.ics$/);
  expect(await page.locator('.file').count()).toBe(1);
  expect(faults).toEqual(noFaults);
});

it('says when an event is cancelled', async () => {
  const { page, email, faults } = await app.open();
  await app.service.send(email, {
    subject: 'Cancelled',
    text: 'No dinner.',
    attachments: [{ filename: 'cancel.ics', content: invitation('CANCEL'), contentType: 'text/calendar' }],
  });
  await page.getByRole('link', { name: /Cancelled/ }).click();
  await page.getByRole('region', { name: 'Event' }).getByText('Cancelled').waitFor();
  expect(faults).toEqual(noFaults);
});

it('shows no card for a file that is no calendar', async () => {
  const { page, email, faults } = await app.open();
  await app.service.send(email, {
    subject: 'Odd file',
    text: 'See the file.',
    attachments: [{ filename: 'odd.ics', content: 'not a calendar', contentType: 'text/calendar' }],
  });
  await page.getByRole('link', { name: /Odd file/ }).click();
  await page.getByText('odd.ics').waitFor();
  expect(await page.getByRole('region', { name: 'Event' }).count()).toBe(0);
  expect(faults).toEqual(noFaults);
});
